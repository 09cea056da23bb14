// What the families that move elements share. They treat elements as bytes of a size.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "loops/copy.hpp"
#include "loops/lines.hpp"
#include "loops/tensor_copy.hpp"
#include "run/kernel.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "types/dispatch.hpp"

namespace cpu {

// Every type of whole bytes, the complex ones included.
inline constexpr uint64_t whole_byte_dtypes =
    dtypes_of(ByteTypes{}) | SY_DTYPE_BIT(SY_COMPLEX64) | SY_DTYPE_BIT(SY_COMPLEX128);

using sy::normalize_axis;

inline int64_t integer_of(const ConstTensor& tensor) {
  const std::vector<int64_t> numbers = integers_of(tensor);
  if (numbers.size() != 1) throw sy::invalid("expected one integer, got ", numbers.size());
  return numbers[0];
}

inline const char* bytes_of(const ConstTensor& tensor) { return tensor.as<char>(); }
inline char* bytes_of(const Tensor& tensor) { return tensor.as<char>(); }
inline int64_t element_bytes(const ConstTensor& tensor) {
  return static_cast<int64_t>(sy::dtype_bytes(tensor.dtype));
}

// A window of `whole`: its strides, another shape, and a start `offset` elements in.
template <typename Whole>
Whole part_of(const Whole& whole, sy::Extents shape, int64_t offset) {
  return {whole.dtype, bytes_of(whole) + offset * element_bytes(whole), shape, whole.strides};
}

// Sets every element of `to` to the one at `value`.
inline void fill_tensor(const Tensor& to, const void* value) {
  if (to.size() == 0) return;
  const std::vector<int64_t> still(to.rank(), 0);
  copy_strided(to.dtype, to.shape, value, still.data(), to.data, to.strides.data());
}

// The tensor's elements contiguous: itself, or a copy that `held` keeps.
inline ConstTensor contiguous(const ConstTensor& tensor, std::vector<char>& held,
                              sy::Dimensions& strides) {
  strides = sy::contiguous_strides(tensor.shape);
  if (sy::is_contiguous(tensor.shape, tensor.strides.data())) return tensor;
  held.resize(static_cast<size_t>(tensor.size() * element_bytes(tensor)));
  const Tensor copy{tensor.dtype, held.data(), tensor.shape, strides};
  copy_tensor(tensor, copy);
  return copy;
}

}  // namespace cpu
