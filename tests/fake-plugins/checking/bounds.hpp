// Which bytes of a storage strided elements touch.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "objects.hpp"
#include "switchyard/plugin/shape.hpp"
#include "violations.hpp"

namespace checking {

// Elements of a storage. Null strides are contiguous.
struct Elements {
  sy_dtype dtype;
  sy::Extents shape;
  const int64_t* strides;
  uint64_t offset_bytes;

  int64_t first() const { return offset() + range().first; }
  int64_t end() const { return offset() + range().end; }

 private:
  int64_t offset() const { return static_cast<int64_t>(offset_bytes); }
  sy::ByteRange range() const { return sy::byte_range(dtype, shape, strides); }
};

inline bool same_strides(sy::Extents shape, const int64_t* a, const int64_t* b) {
  const sy::Dimensions left = sy::strides_or_contiguous(shape, a);
  const sy::Dimensions right = sy::strides_or_contiguous(shape, b);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > 1 && left[i] != right[i]) return false;
  }
  return true;
}

inline void check_bounds(const Storage& storage, const Elements& elements,
                         const std::string& what) {
  if (sy::element_count(elements.shape) == 0) return;
  if (elements.first() >= 0 && elements.end() <= static_cast<int64_t>(storage.size)) return;
  violation(what, ": bytes ", elements.first(), " to ", elements.end(), " of storage ", storage.id,
            ", which has ", storage.size);
}

// The bytes that the elements touch, counted from `first`.
inline std::vector<bool> touched_bytes(const Elements& elements) {
  std::vector<bool> touched(static_cast<size_t>(elements.end() - elements.first()));
  const auto size = static_cast<int64_t>(std::max<uint64_t>(sy::dtype_bytes(elements.dtype), 1));
  const sy::Dimensions strides = sy::strides_or_contiguous(elements.shape, elements.strides);
  std::vector<int64_t> index(elements.shape.size(), 0);
  for (int64_t left = sy::element_count(elements.shape); left > 0; --left) {
    int64_t position = static_cast<int64_t>(elements.offset_bytes) - elements.first();
    for (size_t i = 0; i < index.size(); ++i) position += index[i] * strides[i] * size;
    for (int64_t byte = 0; byte < size; ++byte)
      touched[static_cast<size_t>(position + byte)] = true;
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < elements.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return touched;
}

inline bool touch_same_bytes(const Elements& a, const Elements& b) {
  if (sy::element_count(a.shape) == 0 || sy::element_count(b.shape) == 0) return false;
  const int64_t first = std::max(a.first(), b.first());
  const int64_t end = std::min(a.end(), b.end());
  if (first >= end || sy::is_sub_byte(a.dtype) || sy::is_sub_byte(b.dtype)) return first < end;
  const std::vector<bool> left = touched_bytes(a), right = touched_bytes(b);
  for (int64_t byte = first; byte < end; ++byte) {
    if (left[static_cast<size_t>(byte - a.first())] && right[static_cast<size_t>(byte - b.first())])
      return true;
  }
  return false;
}

inline bool are_identical(const Elements& a, const Elements& b) {
  return a.dtype == b.dtype && a.offset_bytes == b.offset_bytes &&
         std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end()) &&
         same_strides(a.shape, a.strides, b.strides);
}

}  // namespace checking
