#include "loops/layout.hpp"

#include <algorithm>
#include <numeric>

#include "switchyard/plugin/dtype.hpp"

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

namespace {

bool repeats(const sy_value& value) {
  for (uint32_t i = 0; i < value.rank; ++i) {
    if (value.strides[i] <= 0 && value.shape[i] != 1) return true;
  }
  return false;
}

bool tells_order(const sy_value& value, uint32_t rank) {
  if (sy::is_host_input(value) || value.rank != rank || value.strides == nullptr) return false;
  if (!sy::has_known_shape(value) || repeats(value)) return false;
  const sy::Extents shape = sy::shape_of(value);
  return sy::element_count(shape) > 0 && !sy::is_contiguous(shape, value.strides);
}

std::vector<int64_t> ordered_strides(const sy_value& like, sy::Extents shape) {
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return like.strides[a] > like.strides[b]; });
  std::vector<int64_t> strides(order.size());
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= std::max<int64_t>(1, shape[order[i]]);
  }
  return strides;
}

}  // namespace

std::vector<int64_t> followed_layout(const sy::Node& node, const sy_value& output) {
  if (!sy::has_known_shape(output) || output.rank < 3 || sy::is_sub_byte(output.dtype)) return {};
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value* input = node.input(i);
    if (input == nullptr || !tells_order(*input, output.rank)) continue;
    std::vector<int64_t> strides = ordered_strides(*input, sy::shape_of(output));
    if (sy::is_contiguous(sy::shape_of(output), strides.data())) return {};
    return strides;
  }
  return {};
}

}  // namespace cpu
