// What an optimizer's next steps depend on, as named tensors.
#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/functions/creation.hpp>
#include <utility>

#include "optim/state_reader.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::optim {
namespace {

std::string of_group(std::size_t group, std::string_view setting) {
  return fmt::format("param_groups.{}.{}", group, setting);
}

std::string of_parameter(std::size_t index, std::string_view what) {
  return fmt::format("state.{}.{}", index, what);
}

}  // namespace

StateDict Optimizer::state_dict() const {
  StateDict state;
  std::size_t index = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const Setting& setting : groups_[g].settings) {
      state.emplace(of_group(g, setting.name), host_scalar(*setting.value));
    }
    const std::vector<std::string_view> names = state_names(g), numbers = number_names(g);
    for (const Slot& slot : groups_[g].slots) {
      if (slot.steps > 0) state.emplace(of_parameter(index, "step"), host_scalar(slot.steps));
      for (std::size_t i = 0; i < names.size() && slot.steps > 0; ++i) {
        const bool is_kept = i < slot.state.size();  // else an option has asked for it since
        state.emplace(of_parameter(index, names[i]),
                      is_kept ? slot.state[i].detach() : zeros_like(slot.parameter));
      }
      for (std::size_t i = 0; i < numbers.size() && slot.steps > 0; ++i) {
        state.emplace(of_parameter(index, numbers[i]), host_scalar(slot.numbers[i]));
      }
      ++index;
    }
  }
  return state;
}

std::vector<std::vector<Optimizer::Slot>> Optimizer::read_state(const StateDict& state) {
  StateReader reader(state);
  std::vector<std::vector<Slot>> slots(groups_.size());
  std::size_t index = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const Setting& setting : groups_[g].settings) {
      *setting.value = reader.setting(of_group(g, setting.name), setting.name);
    }
    for (const Slot& slot : groups_[g].slots) {
      Slot fresh{.parameter = slot.parameter, .state = {}, .steps = 0};
      if (reader.has(of_parameter(index, "step"))) {
        fresh.steps = reader.count(of_parameter(index, "step"));
        for (const std::string_view name : state_names(g)) {
          fresh.state.push_back(reader.tensor(of_parameter(index, name), slot.parameter.shape()));
        }
        for (const std::string_view name : number_names(g)) {
          fresh.numbers.push_back(reader.number(of_parameter(index, name)));
        }
      }
      slots[g].push_back(std::move(fresh));
      ++index;
    }
  }
  reader.finish("the optimizer");
  return slots;
}

void Optimizer::load_state_dict(const StateDict& state) {
  const NoGrad no_grad;
  std::vector<std::pair<double*, double>> before;
  for (const Group& group : groups_) {
    for (const Setting& setting : group.settings) before.push_back({setting.value, *setting.value});
  }
  try {
    std::vector<std::vector<Slot>> loaded = read_state(state);
    for (std::vector<Slot>& slots : loaded) {
      for (Slot& slot : slots) {
        for (Tensor& kept : slot.state) kept = empty_like(slot.parameter).copy_(kept);
      }
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].slots = std::move(loaded[g]);
  } catch (...) {
    for (const auto& [value, old] : before) *value = old;
    throw;
  }
}

}  // namespace switchyard::optim
