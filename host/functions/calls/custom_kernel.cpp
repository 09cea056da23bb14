// Kernels that programs write: no gradient is lost in them without a word.
#include "tensor/custom_kernel.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "autograd/mode.hpp"

namespace switchyard {

std::vector<Tensor> CustomKernel::operator()(std::span<const Tensor> inputs,
                                             std::span<const Dims> output_shapes,
                                             const Launch& launch) const {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!grad_mode() || !inputs[i].defined() || !inputs[i].requires_grad()) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("input {} of the kernel '{}' requires a gradient, which does not flow "
                            "through it; call it in a CustomFunction, or under NoGrad",
                            i, function_of(*state_)));
  }
  return launch_kernel(state_, inputs, output_shapes, launch);
}

}  // namespace switchyard
