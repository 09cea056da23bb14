#include "software/interpreter/shape.hpp"

#include <functional>
#include <numeric>

namespace mps::software::interpreter {

int64_t count_of(std::span<const int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

std::string text_of(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

Shape strides_of(const Shape& shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

Shape broadcast_strides(const Shape& from, const Shape& to) {
  const Shape own = strides_of(from);
  Shape strides(to.size(), 0);
  const size_t added = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) strides[added + i] = own[i];
  }
  return strides;
}

std::optional<Shape> broadcast_shape(const Shape& x, const Shape& y) {
  Shape result = x.size() < y.size() ? y : x;
  const Shape& shorter = x.size() < y.size() ? x : y;
  const size_t added = result.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = result[added + i];
    if (extent == 1) extent = shorter[i];
    if (shorter[i] != extent && shorter[i] != 1) return std::nullopt;
  }
  return result;
}

Lane lane_of(const Shape& shape, int64_t axis) {
  const std::span<const int64_t> extents(shape);
  const auto a = static_cast<size_t>(axis);
  return {count_of(extents.first(a)), shape[a], count_of(extents.subspan(a + 1))};
}

}  // namespace mps::software::interpreter
