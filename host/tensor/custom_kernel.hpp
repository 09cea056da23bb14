#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <switchyard/custom_kernel.hpp>

namespace switchyard {

/// The name of its function, for messages.
const std::string& function_of(const CustomKernel::State& kernel);

/// What the call of a CustomKernel is, for inputs that require no gradient.
std::vector<Tensor> launch_kernel(const std::shared_ptr<const CustomKernel::State>& kernel,
                                  std::span<const Tensor> inputs,
                                  std::span<const Dims> output_shapes, const Launch& launch);

}  // namespace switchyard
