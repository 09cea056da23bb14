// Ops that a program names at run time.
#include "tensor/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <switchyard/autocast.hpp>
#include <switchyard/runtime.hpp>

#include "autograd/record.hpp"
#include "functions/calls/call.hpp"
#include "ops/op_error.hpp"

namespace switchyard {
namespace {

/// Of one call; more would not be what the caller meant.
constexpr std::size_t kMostOutputs = std::size_t{1} << 20;

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
      if (!inputs[i]) continue;
      const Device& wanted = state.site.op->is_host_input(i) ? Device::host() : device;
      inputs[i] = TensorRef(Tensor(inputs[i].get()).to(wanted).impl());
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

[[noreturn]] void refuse(const Operation::State& state, std::string_view reason) {
  throw Error(ErrorKind::invalid_argument, fmt::format("[{}] {}", state.site.op->name(), reason));
}

std::size_t usual_outputs(const Operation::State& state) {
  if (state.usual_outputs != 0) return state.usual_outputs;
  refuse(state, "has a variable number of outputs; give the number that is wanted with the inputs");
}

/// Of ops with more than one output that every call gives, the others go.
template <std::size_t kInputs>
Tensor first_output(const Operation::State& state, std::array<TensorRef, kInputs> inputs) {
  if (state.usual_outputs == 1) [[likely]] {
    std::array<TensorRef, 1> output;
    run(state, inputs, output);
    return Tensor::adopt(output[0].release());
  }
  std::vector<TensorRef> outputs(usual_outputs(state));
  run(state, inputs, outputs);
  return Tensor::adopt(outputs[0].release());
}

}  // namespace

std::vector<Tensor> Operation::operator()(std::span<const Tensor> inputs) const {
  return (*this)(inputs, usual_outputs(*state_));
}

std::vector<Tensor> Operation::operator()(std::span<const Tensor> inputs,
                                          std::size_t output_count) const {
  const std::size_t usual = state_->usual_outputs;
  const std::size_t most = state_->site.op->canonical.outputs.size();
  if (output_count == 0) refuse(*state_, "is asked for 0 outputs; ask for at least one");
  if (usual != 0 && output_count > most) {
    refuse(*state_, fmt::format("is asked for {} outputs and has {}", output_count, most));
  }
  if (output_count > kMostOutputs) {
    refuse(*state_,
           fmt::format("is asked for {} outputs; {} are the most", output_count, kMostOutputs));
  }
  std::vector<TensorRef> in, out(std::max(output_count, usual));
  for (const Tensor& input : inputs) in.emplace_back(input.impl());
  run(*state_, in, out);
  out.resize(output_count);
  std::vector<Tensor> results;
  for (TensorRef& made : out) results.push_back(Tensor::adopt(made.release()));
  return results;
}

Tensor Operation::operator()(const Tensor& a) const {
  return first_output<1>(*state_, {TensorRef(a.impl())});
}

Tensor Operation::operator()(const Tensor& a, const Tensor& b) const {
  return first_output<2>(*state_, {TensorRef(a.impl()), TensorRef(b.impl())});
}

}  // namespace switchyard
