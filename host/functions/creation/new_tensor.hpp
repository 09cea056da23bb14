#pragma once

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/functions/creation.hpp>
#include <vector>

#include "functions/calls/call.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Throws Error(invalid_argument) if one is negative.
void check_extents(const Dims& shape);

/// Throws Error(out_of_memory) where the host has no room for a tensor of that size: before work
/// there, for a result on the device, whose length the caller of a function chose.
void require_memory(OpenDevice& device, DType dtype, const Dims& shape);
/// The same for results beside `like`.
void require_memory(const Tensor& like, DType dtype, const Dims& shape);

/// A new tensor on the device whose every element is `value`, a number or a tensor of one element.
Tensor filled(OpenDevice& device, DType dtype, const Dims& shape, const Tensor& value);

/// Writes `value`, broadcast, over the elements, of which nothing is recorded.
void fill_unrecorded(const TensorRef& target, const Tensor& value);

/// `value` brought to where the options say, or to the current device, as their dtype says.
Tensor place(const Tensor& value, const TensorOptions& options = {});

/// `value` as elements of `dtype`; what the host holds, such as a number, is brought to where
/// `like` lies, as views of it would lie on the current device.
Tensor beside(const Tensor& like, const Tensor& value, DType dtype);

/// Those values, rounded to `dtype`, as the options say.
Tensor from_doubles(const std::vector<double>& values, const Dims& shape, DType dtype,
                    const TensorOptions& options);

}  // namespace switchyard
