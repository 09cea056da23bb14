#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

#include "ops/literal.hpp"

namespace switchyard {

/// All that a route may depend on of one input. Where the tensor lies is not a part of it: the
/// order chooses the device, and inputs go there.
struct TensorDescriptor {
  DType dtype = DType::undefined;  // undefined: left out
  Dims shape;                      // kUnknown extents only when explaining
  Dims strides;
  bool rank_known = true;
  std::uint64_t constant_id = 0;     // 0 if not constant
  const Literal* literal = nullptr;  // the value, where the host knows it
  bool may_be_immediate = false;     // a scalar that the host holds

  bool present() const { return dtype != DType::undefined; }
  bool contiguous() const { return is_contiguous(shape, strides); }
};

/// The bit of input or output `position` in a mask; the last one stands for all from 63 on.
inline std::uint64_t mask_bit(std::size_t position) {
  return std::uint64_t{1} << std::min<std::size_t>(position, 63);
}

/// The mask of so many inputs or outputs.
inline std::uint64_t mask_of_first(std::size_t count) {
  return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdu;
}

/// Of type, shape and strides. Tensors keep it.
inline std::uint64_t layout_hash(DType dtype, const Dims& shape, const Dims& strides) {
  std::uint64_t hash = mix(0x5173, static_cast<std::uint64_t>(dtype));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    hash = mix(mix(hash, static_cast<std::uint64_t>(shape[i])),
               static_cast<std::uint64_t>(strides[i]));
  }
  return hash;
}

inline std::uint64_t bytes_hash(const std::byte* bytes, std::size_t size) {
  std::uint64_t hash = size;
  for (; size >= 8; bytes += 8, size -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = mix(hash, word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes, size);
  return mix(hash, rest);
}

inline bool same_bytes(const Literal& a, const Literal& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         (a.bytes() == b.bytes() || a.size_bytes() == 0 ||
          std::memcmp(a.bytes(), b.bytes(), a.size_bytes()) == 0);
}

}  // namespace switchyard
