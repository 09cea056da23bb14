// Which bytes of a storage strided elements touch.
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/shape.hpp"

namespace validation {

// Elements of a storage. Null strides are contiguous.
struct Elements {
  sy_dtype dtype;
  sy::Extents shape;
  const int64_t* strides;
  uint64_t offset_bytes;

  int64_t first() const { return offset() + range().first; }
  int64_t end() const { return offset() + range().end; }
  bool is_empty() const { return sy::element_count(shape) == 0; }
  bool is_contiguous() const { return sy::is_contiguous(shape, strides); }

 private:
  int64_t offset() const { return static_cast<int64_t>(offset_bytes); }
  sy::ByteRange range() const { return sy::byte_range(dtype, shape, strides); }
};

// Strides that lead to the same places: those of extents of 1 do not matter.
inline bool same_strides(sy::Extents shape, const int64_t* a, const int64_t* b) {
  const sy::Dimensions left = sy::strides_or_contiguous(shape, a);
  const sy::Dimensions right = sy::strides_or_contiguous(shape, b);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > 1 && left[i] != right[i]) return false;
  }
  return true;
}

inline bool are_identical(const Elements& a, const Elements& b) {
  return a.dtype == b.dtype && a.offset_bytes == b.offset_bytes &&
         std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end()) &&
         same_strides(a.shape, a.strides, b.strides);
}

// Which bytes of those from `first` up to `end` are touched.
inline std::vector<bool> touched_bytes(const Elements& elements, int64_t first, int64_t end) {
  std::vector<bool> touched(static_cast<size_t>(end - first));
  const auto size = static_cast<int64_t>(sy::dtype_bytes(elements.dtype));
  const sy::Dimensions strides = sy::strides_or_contiguous(elements.shape, elements.strides);
  std::vector<int64_t> index(elements.shape.size(), 0);
  for (int64_t left = sy::element_count(elements.shape); left > 0; --left) {
    int64_t position = static_cast<int64_t>(elements.offset_bytes);
    for (size_t i = 0; i < index.size(); ++i) position += index[i] * strides[i] * size;
    for (int64_t byte = std::max(position, first); byte < std::min(position + size, end); ++byte) {
      touched[static_cast<size_t>(byte - first)] = true;
    }
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < elements.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return touched;
}

// Of two in one storage.
inline bool touch_same_bytes(const Elements& a, const Elements& b) {
  if (a.is_empty() || b.is_empty()) return false;
  const int64_t first = std::max(a.first(), b.first());
  const int64_t end = std::min(a.end(), b.end());
  if (first >= end) return false;
  if (a.is_contiguous() && b.is_contiguous()) return true;
  const std::vector<bool> left = touched_bytes(a, first, end);
  const std::vector<bool> right = touched_bytes(b, first, end);
  for (size_t i = 0; i < left.size(); ++i) {
    if (left[i] && right[i]) return true;
  }
  return false;
}

// Whether the axes nest, each stepping over all that the smaller steps reach: then no two elements
// lie in one place. The reverse does not hold.
inline bool axes_nest(const Elements& elements) {
  std::vector<std::pair<int64_t, int64_t>> axes;  // step and extent
  for (size_t i = 0; i < elements.shape.size(); ++i) {
    const int64_t step = elements.strides[i];
    if (elements.shape[i] > 1) axes.emplace_back(step < 0 ? -step : step, elements.shape[i]);
  }
  std::sort(axes.begin(), axes.end());
  int64_t reach = 0;
  for (const auto& [step, extent] : axes) {
    if (step <= reach) return false;
    reach += step * (extent - 1);
  }
  return true;
}

// Whether several elements lie in one place.
inline bool overlap_themselves(const Elements& elements) {
  if (elements.is_empty() || elements.is_contiguous() || axes_nest(elements)) return false;
  const auto count = static_cast<uint64_t>(sy::element_count(elements.shape));
  const auto room = static_cast<uint64_t>(elements.end() - elements.first());
  if (count > room / sy::dtype_bytes(elements.dtype)) return true;
  const std::vector<bool> touched = touched_bytes(elements, elements.first(), elements.end());
  const auto bytes = static_cast<uint64_t>(std::count(touched.begin(), touched.end(), true));
  return bytes < count * sy::dtype_bytes(elements.dtype);
}

}  // namespace validation
