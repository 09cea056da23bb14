// What an optimizer's next steps depend on, as named tensors.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/autograd.hpp>
#include <switchyard/functions/creation.hpp>

#include "optim/state_reader.hpp"

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
      state.emplace(of_group(g, setting.name), Tensor::scalar(*setting.value));
    }
    const std::vector<std::string_view> names = state_names(g);
    for (const Slot& slot : groups_[g].slots) {
      if (slot.steps > 0) state.emplace(of_parameter(index, "step"), Tensor::scalar(slot.steps));
      for (std::size_t i = 0; i < std::min(names.size(), slot.state.size()); ++i) {
        state.emplace(of_parameter(index, names[i]), slot.state[i].detach());
      }
      ++index;
    }
  }
  return state;
}

void Optimizer::load_state_dict(const StateDict& state) {
  const NoGrad unnoted;
  StateReader reader(state);
  std::vector<std::vector<double>> numbers(groups_.size());
  std::vector<std::vector<Slot>> loaded(groups_.size());
  std::size_t index = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const Setting& setting : groups_[g].settings) {
      numbers[g].push_back(reader.number(of_group(g, setting.name)));
    }
    for (const Slot& slot : groups_[g].slots) {
      Slot fresh{.parameter = slot.parameter, .state = {}, .steps = 0};
      if (reader.has(of_parameter(index, "step"))) {
        fresh.steps = reader.count(of_parameter(index, "step"));
        for (const std::string_view name : state_names(g)) {
          fresh.state.push_back(reader.tensor(of_parameter(index, name), slot.parameter.shape()));
        }
      }
      loaded[g].push_back(std::move(fresh));
      ++index;
    }
  }
  reader.finish("the optimizer");
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (std::size_t i = 0; i < numbers[g].size(); ++i) {
      *groups_[g].settings[i].value = numbers[g][i];
    }
    for (Slot& slot : loaded[g]) {
      for (Tensor& kept : slot.state) kept = empty_like(slot.parameter).copy_(kept);
    }
    groups_[g].slots = std::move(loaded[g]);
  }
}

}  // namespace switchyard::optim
