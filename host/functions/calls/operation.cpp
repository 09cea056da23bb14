// Ops that a program names at run time.
#include "tensor/operation.hpp"

#include <algorithm>
#include <array>
#include <switchyard/autocast.hpp>

#include "autograd/record.hpp"
#include "functions/calls/call.hpp"
#include "ops/op_error.hpp"

namespace switchyard {
namespace {

/// Outputs that every call gives: all but the optional ones at the end; all, if each is optional.
std::size_t usual_outputs(const Op& op) {
  const auto& outputs = op.canonical.outputs;
  const auto required = static_cast<std::size_t>(std::count_if(
      outputs.begin(), outputs.end(), [](const Formal& formal) { return !formal.optional; }));
  return required == 0 ? outputs.size() : required;
}

/// The device of the first input that lies on one.
OpenDevice* device_of(std::span<const TensorRef> inputs) {
  for (const TensorRef& input : inputs) {
    if (input && input->device) return input->device;
  }
  return nullptr;
}

/// Where gradients are recorded it runs as functions do, where its inputs lie: each rule computes
/// on the device of what it is given. Inputs keep their types, as without gradients.
void run_recorded(const Operation::State& state, std::span<TensorRef> inputs,
                  std::span<TensorRef> outputs) {
  const bool moves = state.placement || !device_of(inputs);
  if (moves) {
    const Device device =
        state.placement ? Device(state.placement) : Runtime(state.engine).default_device();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i] || state.site.op->is_host_input(i)) continue;
      inputs[i] = TensorRef(Tensor(inputs[i].get()).to(device).impl());
    }
  }
  const Autocast off(DType::float16, false);
  call_recorded(*state.site.op, state.site.attributes, inputs, outputs);
}

void run(const Operation::State& state, std::span<TensorRef> inputs,
         std::span<TensorRef> outputs) try {
  if (must_record(inputs)) return run_recorded(state, inputs, outputs);
  dispatch(*state.engine, state.site, inputs, outputs, Inputs::given);
  if (state.site.op->row->runs_on == RunsOn::view) record_views(inputs, outputs);
} catch (const Error& error) {
  throw_to_caller(error, state.site.op->name());
}

}  // namespace

std::vector<Tensor> Operation::operator()(std::span<const Tensor> inputs) const {
  std::vector<TensorRef> in, out(usual_outputs(*state_->site.op));
  for (const Tensor& input : inputs) in.emplace_back(input.impl());
  run(*state_, in, out);
  std::vector<Tensor> results;
  for (TensorRef& made : out) results.push_back(Tensor::adopt(made.release()));
  return results;
}

Tensor Operation::operator()(const Tensor& a) const {
  std::array<TensorRef, 1> in{TensorRef(a.impl())};
  std::array<TensorRef, 1> out;
  run(*state_, in, out);
  return Tensor::adopt(out[0].release());
}

Tensor Operation::operator()(const Tensor& a, const Tensor& b) const {
  std::array<TensorRef, 2> in{TensorRef(a.impl()), TensorRef(b.impl())};
  std::array<TensorRef, 1> out;
  run(*state_, in, out);
  return Tensor::adopt(out[0].release());
}

}  // namespace switchyard
