#include "view.hpp"

#include <algorithm>

namespace mps::runtime_tests {
namespace {

constexpr int64_t beyond = 3;

Shape steps_of(const Shape& extents) {
  Shape strides(extents.size());
  int64_t step = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<int64_t>(extents[i], 1);
  }
  return strides;
}

View finish(View view) {
  int64_t last = view.offset;
  for (size_t i = 0; i < view.shape.size(); ++i) {
    last += std::max<int64_t>(0, view.strides[i]) * std::max<int64_t>(0, view.shape[i] - 1);
  }
  view.room = last + 1 + beyond;
  return view;
}

}  // namespace

int64_t View::count() const {
  int64_t product = 1;
  for (const int64_t extent : shape) product *= extent;
  return product;
}

std::vector<int64_t> View::positions() const {
  std::vector<int64_t> result;
  Shape index(shape.size(), 0);
  for (int64_t left = count(); left > 0; --left) {
    int64_t position = offset;
    for (size_t i = 0; i < index.size(); ++i) position += index[i] * strides[i];
    result.push_back(position);
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
  return result;
}

View contiguous(const Shape& shape) { return finish({"contiguous", shape, steps_of(shape), 0, 0}); }

View permuted(const Shape& shape) {
  const Shape turned(shape.rbegin(), shape.rend());
  Shape strides = steps_of(turned);
  std::reverse(strides.begin(), strides.end());
  return finish({"permuted", shape, strides, 0, 0});
}

View shifted(const Shape& shape) { return finish({"shifted", shape, steps_of(shape), 131, 0}); }

View sliced(const Shape& shape) {
  // With every axis of a high rank its storage would be huge.
  const auto is_cut = [&](int64_t extent) { return extent != 1 || shape.size() <= 6; };
  Shape extents;
  for (const int64_t extent : shape) extents.push_back(is_cut(extent) ? 2 * extent + 1 : 1);
  View view{"sliced", shape, steps_of(extents), 0, 0};
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!is_cut(shape[i])) continue;
    view.offset += view.strides[i];
    view.strides[i] *= 2;
  }
  return finish(view);
}

View gapped(const Shape& shape) {
  Shape extents = shape;
  if (!extents.empty()) extents.back() += 5;
  return finish({"gapped", shape, steps_of(extents), 0, 0});
}

View reversed(const Shape& shape) {
  View view{"reversed", shape, steps_of(shape), 0, 0};
  for (size_t i = 0; i < shape.size(); ++i) {
    view.offset += std::max<int64_t>(0, shape[i] - 1) * view.strides[i];
    view.strides[i] = -view.strides[i];
  }
  return finish(view);
}

View repeated(const Shape& shape, const std::vector<size_t>& axes) {
  Shape extents = shape;
  for (const size_t axis : axes) extents[axis] = 1;
  View view{"repeated", shape, steps_of(extents), 2, 0};
  for (const size_t axis : axes) view.strides[axis] = 0;
  return finish(view);
}

std::vector<View> layouts(const Shape& shape) {
  return {contiguous(shape), permuted(shape), shifted(shape),
          sliced(shape),     gapped(shape),   reversed(shape)};
}

}  // namespace mps::runtime_tests
