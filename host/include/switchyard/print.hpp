/// @file
/// Tensors as text, laid out as PyTorch lays them out.
///
///   tensor([[1.0000, 2.5000],
///           [3.0000, 4.0000]], device='name:0')
///
/// Four digits behind the point, or scientific notation where the numbers span more than three
/// orders of magnitude; lines of 80 columns; above 1000 elements the first and last three of each
/// dimension, which are all that is copied; where these are more than a million, as of many
/// dimensions, `tensor(..., size=(2, 2, 2))`. What follows the elements differs from PyTorch in
/// three ways: the device is told unless the host holds the value; a dtype goes by its own name,
/// `dtype=float16`; and so does what made the tensor, `grad_fn=<MatMulBackward>` of the op MatMul
/// (grad_fn_name() in <switchyard/autograd.hpp>). A leaf that requires a gradient says
/// `requires_grad=True`. float32, int64, bool and complex64 are told only of tensors without
/// elements, float32 never.
#pragma once

#include <iosfwd>
#include <string>

#include <switchyard/device.hpp>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>
#include <switchyard/element.hpp>
#include <switchyard/export.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// Waits for the work that makes the elements. A Tensor that holds nothing is "tensor()".
[[nodiscard]] SWITCHYARD_API std::string to_string(const Tensor& tensor);

/// Writes to_string(tensor).
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);

/// "[2, 3]", as libtorch writes shapes.
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, const Dims& dims);
/// Writes its name.
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, const Device& device);
/// Writes the number, as of a float.
/// @{
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, float16 number);
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, bfloat16 number);
/// @}
/// Writes name_of(dtype).
SWITCHYARD_API std::ostream& operator<<(std::ostream& stream, DType dtype);

}  // namespace switchyard
