// What the next iterations of LBFGS depend on, as named tensors.
#include <fmt/format.h>

#include <string_view>
#include <switchyard/autograd.hpp>
#include <switchyard/functions/creation.hpp>
#include <switchyard/functions/shaping.hpp>

#include "optim/lbfgs_memory.hpp"
#include "optim/state_reader.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::optim {
namespace {

constexpr std::string_view kOfFirst = "state.0.";

std::string of_first(std::string_view what) { return fmt::format("{}{}", kOfFirst, what); }

/// The number of vectors in a state.
std::int64_t history_in(const StateDict& state) {
  const auto found = state.find(of_first("ro"));
  const bool is_list = found != state.end() && found->second.defined() && found->second.dim() == 1;
  return is_list ? found->second.size(0) : 0;
}

/// The rows of a tensor, each in memory of its own on the device and in the type of `parameter`.
std::vector<Tensor> rows_beside(const Tensor& parameter, const Tensor& matrix) {
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < matrix.size(0); ++i) {
    const Tensor row = matrix.select(0, i);
    const Tensor copy =
        empty(row.shape(), {.device = parameter.device(), .dtype = parameter.dtype()});
    rows.push_back(copy.copy_(row));
  }
  return rows;
}

Tensor vector_beside(const Tensor& parameter, const Tensor& vector) {
  return rows_beside(parameter, vector.unsqueeze(0))[0];
}

}  // namespace

StateDict LBFGS::state_dict() const {
  const NoGrad no_grad;
  const Memory& memory = *memory_;
  StateDict state = Optimizer::state_dict();
  const auto put = [&](std::string_view what, const Tensor& value) {
    state.emplace(of_first(what), value);
  };
  put("func_evals", host_scalar(memory.evaluations));
  put("n_iter", host_scalar(memory.iterations));
  if (memory.iterations == 0) return state;
  put("d", memory.direction);
  put("t", host_scalar(memory.step_size));
  put("H_diag", host_scalar(memory.scale));
  put("prev_flat_grad", memory.previous_gradient);
  put("prev_loss", host_scalar(memory.previous_loss));
  if (memory.moves.empty()) return state;
  put("old_dirs", stack(memory.gradient_changes));
  put("old_stps", stack(memory.moves));
  put("ro", stack(memory.inverse_products));
  return state;
}

void LBFGS::load_state_dict(const StateDict& state) {
  const NoGrad no_grad;
  StateDict own, rest;
  for (const auto& entry : state) (entry.first.starts_with(kOfFirst) ? own : rest).insert(entry);
  std::int64_t size = 0;
  for (const Tensor& parameter : parameters_) size += parameter.size();
  StateReader reader(own);
  Memory loaded;
  loaded.evaluations = reader.count(of_first("func_evals"));
  loaded.iterations = reader.count(of_first("n_iter"));
  std::vector<Tensor> matrices;
  const std::int64_t history = history_in(own);
  if (loaded.iterations > 0) {
    loaded.direction = reader.tensor(of_first("d"), {size});
    loaded.step_size = reader.number(of_first("t"));
    loaded.scale = reader.number(of_first("H_diag"));
    loaded.previous_gradient = reader.tensor(of_first("prev_flat_grad"), {size});
    loaded.previous_loss = reader.number(of_first("prev_loss"));
  }
  if (loaded.iterations > 0 && history > 0) {
    matrices = {reader.tensor(of_first("old_dirs"), {history, size}),
                reader.tensor(of_first("old_stps"), {history, size}),
                reader.tensor(of_first("ro"), {history})};
  }
  reader.finish("the optimizer");
  if (loaded.iterations > 0) {
    loaded.direction = vector_beside(parameters_[0], loaded.direction);
    loaded.previous_gradient = vector_beside(parameters_[0], loaded.previous_gradient);
  }
  if (!matrices.empty()) {
    loaded.gradient_changes = rows_beside(parameters_[0], matrices[0]);
    loaded.moves = rows_beside(parameters_[0], matrices[1]);
    loaded.inverse_products = rows_beside(parameters_[0], matrices[2]);
  }
  Optimizer::load_state_dict(rest);
  *memory_ = std::move(loaded);
}

}  // namespace switchyard::optim
