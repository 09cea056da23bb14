#pragma once

#include <switchyard/tensor.hpp>

namespace switchyard::nn {

/// Makes `target` hold what `source` does, a tensor without another owner: its elements, dtype and
/// device. Who holds `target` sees the change; its history and its gradient stay.
void take_elements(const Tensor& target, const Tensor& source);

/// Makes `target` hold a copy of what `source` holds.
void clone_elements(const Tensor& target, const Tensor& source);

/// Another position or type for the elements and for those of the gradient.
void bring_to(const Tensor& target, const Device& device);
void convert(const Tensor& target, DType dtype);

}  // namespace switchyard::nn
