// 4-bit numbers, two a byte, the low half first; and the bytes that they are computed in.
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace cpu {

inline bool is_nibble(sy_dtype dtype) { return dtype == SY_INT4 || dtype == SY_UINT4; }

// The 8-bit type that holds a 4-bit type's numbers; any other type as it is.
inline sy_dtype byte_for(sy_dtype dtype) {
  if (dtype == SY_INT4) return SY_INT8;
  return dtype == SY_UINT4 ? SY_UINT8 : dtype;
}

inline void unpack_nibbles(const uint8_t* packed, sy_dtype dtype, uint8_t* bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const int nibble = packed[i / 2] >> (i % 2 * 4) & 15;
    bytes[i] = static_cast<uint8_t>(dtype == SY_INT4 && nibble > 7 ? nibble - 16 : nibble);
  }
}

inline void pack_nibbles(const uint8_t* bytes, uint8_t* packed, int64_t count) {
  for (int64_t i = 0; i < count; i += 2) {
    const int low = bytes[i] & 15;
    const int high = i + 1 < count ? bytes[i + 1] & 15 : 0;
    packed[i / 2] = static_cast<uint8_t>(low | high << 4);
  }
}

// Brings 8-bit numbers into the range of the 4-bit type.
inline void saturate_nibbles(sy_dtype dtype, uint8_t* bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (dtype == SY_UINT4) {
      bytes[i] = std::min<uint8_t>(bytes[i], 15);
    } else {
      bytes[i] = static_cast<uint8_t>(std::clamp<int>(static_cast<int8_t>(bytes[i]), -8, 7));
    }
  }
}

// A 4-bit tensor unpacked into bytes, or any other as it is. Strides stay: 4-bit ones are
// contiguous.
class Unpacked {
 public:
  explicit Unpacked(const Tensor& tensor) : tensor_(tensor) {
    if (!is_nibble(tensor.dtype)) return;
    bytes_.resize(static_cast<size_t>(tensor.size()));
    unpack_nibbles(tensor.as<uint8_t>(), tensor.dtype, bytes_.data(), tensor.size());
    tensor_.dtype = byte_for(tensor.dtype);
    tensor_.data = bytes_.data();
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  const Tensor& tensor() const { return tensor_; }

 private:
  Tensor tensor_;
  std::vector<uint8_t> bytes_;
};

}  // namespace cpu
