// Elements of 4 and 2 bits, several a byte, the lowest bits first; and the whole bytes that they
// are computed in.
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "run/tensor.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "types/numeric.hpp"

namespace cpu {

inline constexpr uint64_t sub_byte_integers =
    SY_DTYPE_BIT(SY_INT4) | SY_DTYPE_BIT(SY_UINT4) | SY_DTYPE_BIT(SY_INT2) | SY_DTYPE_BIT(SY_UINT2);
inline constexpr uint64_t sub_byte_dtypes = sub_byte_integers | SY_DTYPE_BIT(SY_FLOAT4E2M1);

// The type of whole bytes that holds every number of a smaller type; any other type as it is.
inline sy_dtype byte_for(sy_dtype dtype) {
  switch (dtype) {
    case SY_INT4:
    case SY_INT2: return SY_INT8;
    case SY_UINT4:
    case SY_UINT2: return SY_UINT8;
    case SY_FLOAT4E2M1: return SY_FLOAT8E4M3FN;
    default: return dtype;
  }
}

// The bits of element `i`.
inline int packed_bits(const uint8_t* packed, uint32_t bits, int64_t i) {
  const int64_t position = i * bits;
  return packed[position / 8] >> (position % 8) & ((1 << bits) - 1);
}

// Elements from `first` on, as their type of whole bytes.
inline void unpack_elements(const uint8_t* packed, sy_dtype dtype, int64_t first, uint8_t* bytes,
                            int64_t count) {
  const uint32_t bits = sy::dtype_bits(dtype);
  const bool is_signed = dtype == SY_INT4 || dtype == SY_INT2;
  for (int64_t i = 0; i < count; ++i) {
    const int code = packed_bits(packed, bits, first + i);
    if (dtype == SY_FLOAT4E2M1) {
      bytes[i] = ToFloat8<Float8E4M3FN>::from(float4_to_float(code), true).bits;
    } else {
      bytes[i] =
          static_cast<uint8_t>(is_signed && code >> (bits - 1) != 0 ? code - (1 << bits) : code);
    }
  }
}

// The lowest bits of each of `codes`; `first` begins a byte, and what the last byte holds beyond
// `count` elements becomes 0.
inline void pack_elements(const uint8_t* codes, sy_dtype dtype, uint8_t* packed, int64_t first,
                          int64_t count) {
  const uint32_t bits = sy::dtype_bits(dtype);
  const int64_t per_byte = 8 / bits;
  for (int64_t i = 0; i < count; i += per_byte) {
    int byte = 0;
    for (int64_t k = 0; k < per_byte && i + k < count; ++k) {
      byte |= (codes[i + k] & ((1 << bits) - 1)) << (k * bits);
    }
    packed[(first + i) / per_byte] = static_cast<uint8_t>(byte);
  }
}

// Brings integers of 8 bits into the range of the smaller type.
inline void saturate_elements(sy_dtype dtype, uint8_t* bytes, int64_t count) {
  const int range = 1 << sy::dtype_bits(dtype);
  const bool is_signed = dtype == SY_INT4 || dtype == SY_INT2;
  for (int64_t i = 0; i < count; ++i) {
    if (is_signed) {
      bytes[i] = static_cast<uint8_t>(
          std::clamp<int>(static_cast<int8_t>(bytes[i]), -range / 2, range / 2 - 1));
    } else {
      bytes[i] = static_cast<uint8_t>(std::min<int>(bytes[i], range - 1));
    }
  }
}

// A tensor of small elements unpacked into bytes, or any other as it is. Strides stay: packed
// tensors are contiguous.
class Unpacked {
 public:
  explicit Unpacked(const ConstTensor& tensor) : tensor_(tensor) {
    if (!sy::is_sub_byte(tensor.dtype)) return;
    bytes_.resize(static_cast<size_t>(tensor.size()));
    unpack_elements(tensor.as<uint8_t>(), tensor.dtype, 0, bytes_.data(), tensor.size());
    tensor_.dtype = byte_for(tensor.dtype);
    tensor_.data = bytes_.data();
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  const ConstTensor& tensor() const { return tensor_; }

 private:
  ConstTensor tensor_;
  std::vector<uint8_t> bytes_;
};

}  // namespace cpu
