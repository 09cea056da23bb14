// Tensors as vectors of numbers and back, for ops that are small or rare.
#pragma once

#include <vector>

#include "run/tensor.hpp"

namespace cpu {

// The elements in row-major order, whatever the tensor's strides and numeric type. For W = float,
// double and int64_t.
template <typename W>
std::vector<W> numbers_of(const ConstTensor& tensor);

// The other way, rounded to the tensor's type.
template <typename W>
void write_numbers(const std::vector<W>& numbers, const Tensor& tensor);

// Converts `from` to the type and layout of `to`; shapes are equal, or `from` broadcasts.
void convert_tensor(const ConstTensor& from, const Tensor& to);

}  // namespace cpu
