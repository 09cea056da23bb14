// broadcast, transpose and slice: the result is a strided view of x, copied.
#include <array>

#include "software/interpreter/movement.hpp"

namespace mps::software::interpreter {

namespace {

Value copied(const Value& x, int64_t start, const Shape& strides, const seam::TensorType& type) {
  Value result(type);
  const int64_t length = row_length(type.shape);
  const int64_t step = row_step(strides);
  with_bits_of(type.element, [&](auto bits) {
    using Bits = decltype(bits);
    int64_t next = 0;
    for_each_row<1>(type.shape, {strides}, [&](const std::array<int64_t, 1>& at) {
      for (int64_t i = 0; i < length; ++i) {
        store(result.storage(), next++, load<Bits>(x.data(), start + at[0] + i * step));
      }
    });
  });
  return result;
}

}  // namespace

Value broadcast(const Value& x, const seam::TensorType& type) {
  return copied(x, 0, broadcast_strides(x.shape(), type.shape), type);
}

Value transpose(const Value& x, const seam::Axes& axes, const seam::TensorType& type) {
  const Shape own = strides_of(x.shape());
  Shape strides;
  for (const int64_t axis : axes.axes) strides.push_back(own[static_cast<size_t>(axis)]);
  return copied(x, 0, strides, type);
}

Value slice(const Value& x, const seam::Slice& slice, const seam::TensorType& type) {
  const Shape own = strides_of(x.shape());
  Shape strides(own.size(), 0);
  int64_t start = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    start += slice.starts[i] * own[i];
    // A step may be larger than any extent, but then it is never taken.
    if (type.shape[i] > 1) strides[i] = slice.steps[i] * own[i];
  }
  return copied(x, start, strides, type);
}

}  // namespace mps::software::interpreter
