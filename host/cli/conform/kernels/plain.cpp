#include <cmath>
#include <cstring>
#include <limits>

#include "cli/conform/kernels/kernel_trials.hpp"
#include "ops/signature.hpp"

namespace switchyard::cli::conform {
namespace {

bool has_infinities(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 ||
         dtype == DType::bfloat16;
}

/// Ops whose outputs say of each element what the op makes of it: that all inputs and outputs have
/// one letter, and one shape, is true of functions of numbers and of little else. Of others ONNX
/// does not say what a NaN does.
bool is_elementwise(const OpCall& call) {
  if (call.outputs.size() != 1 || !call.outputs[0].shape) return false;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i)) return false;
    if (call.inputs[i].dtype() != call.outputs[0].dtype) return false;
  }
  return call.inputs.size() == 1 && call.inputs[0].shape() == *call.outputs[0].shape &&
         call.attributes.find("axis") == nullptr && call.attributes.find("axes") == nullptr;
}

}  // namespace

void try_example(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) { tried.attempt(call); });
  tried.require_runs("no call of it was taken");
}

void try_special_values(TriedOp& tried) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double specials[] = {std::nan(""), infinity, -infinity, -0.0, 0.0};
  tried.each_type([&](const OpCall& call) {
    if (!has_infinities(call.inputs[main_input(*call.op)].dtype()) || !is_elementwise(call)) return;
    tried.attempt(with_values(call, [&](std::size_t position, double value) {
      return position < std::size(specials) ? specials[position] : value;
    }));
  });
  tried.require_runs("no function of single numbers");
}

void try_twice(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    tried.run_on(*kernel, call, {});
    tried.run_on(*kernel, call, {}, ", run a second time");
  });
  tried.require_runs("no call of it was taken");
}

}  // namespace switchyard::cli::conform
