#pragma once

#include <switchyard/tensor.hpp>

#include "tensor/tensor_impl.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {

/// A rank-0 host value; each thread keeps those used lately, and with them their copies on devices.
Tensor number(double value, DType dtype);
Tensor number(std::int64_t value, DType dtype);
Tensor number(bool value, DType dtype);

/// Whether it came from a C++ number, so that its dtype gives way.
inline bool is_number(const Tensor& tensor) { return tensor.impl() && tensor.impl()->is_number; }
/// The value of a host scalar as a double.
double number_value(const Tensor& number);
/// The element of a tensor of integers that has one, exactly: item() rounds those above 2^53. Waits
/// for the work that makes it.
std::int64_t integer_value(const Tensor& integer);

/// The tensor as `dtype`; a number without a call of any device. An integer that is too large wraps
/// round, as the elements of a tensor do.
Tensor as_dtype(const Tensor& tensor, DType dtype);
/// Whether elements of an integer type hold the number; unsigned ones, the negative of what they
/// hold, too, which wraps round.
bool has_position(DType dtype, const Tensor& number);
/// The same as as_dtype, to be written as it is: throws for a number that an integer `dtype` has no
/// place for.
Tensor as_element(std::string_view function, const Tensor& value, DType dtype);
/// The same of a number that is compared with the elements: a negative one has no place in an
/// unsigned `dtype`, where it would become a large one.
Tensor as_bound(std::string_view function, const Tensor& value, DType dtype);

/// PyTorch's promotion of two dtypes of equal standing. Throws Error(invalid_argument) for uint64
/// beside signed integers, which nothing holds.
DType promote(DType a, DType b);

/// Whether an attribute of an op, which is a float32, says the number as exactly as elements of
/// `dtype` do. Where it does not, a function is composed of others, which take the number as it is.
bool fits_attribute(DType dtype, double value);

/// float32 for integers and bools, else the tensor's own dtype.
DType floating_dtype(const Tensor& tensor);
/// The tensor, converted to that.
Tensor as_floating(const Tensor& tensor);

}  // namespace switchyard
