#include "kernels/layout.hpp"

namespace cpu {

sy::Dimensions channels_last_strides(sy::Extents shape) {
  sy::Dimensions strides(shape);
  if (shape.size() < 2) return sy::contiguous_strides(shape);
  int64_t step = 1;
  const auto set = [&](size_t axis) {
    strides[axis] = step;
    step *= shape[axis] > 0 ? shape[axis] : 1;
  };
  set(1);
  for (size_t axis = shape.size(); axis-- > 2;) set(axis);
  set(0);
  return strides;
}

bool is_channels_last(sy::Extents shape, const int64_t* strides) {
  const sy::Dimensions wanted = channels_last_strides(shape);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && strides[axis] != wanted[axis]) return false;
  }
  return true;
}

std::vector<int64_t> proposed_channels_last(sy::Extents shape) {
  const sy::Dimensions strides = channels_last_strides(shape);
  if (sy::is_contiguous(shape, strides.data.data())) return {};
  return {strides.data.begin(), strides.data.begin() + strides.rank};
}

}  // namespace cpu
