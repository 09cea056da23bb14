#include "copy.hpp"

#include <algorithm>

#include "parallel.hpp"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

constexpr int64_t piece_bytes = int64_t{256} << 10;

int64_t span_of(int64_t stride) { return stride < 0 ? -stride : stride; }

// The axis to cut: the longest, and the one whose pieces lie furthest apart if several are as long.
size_t axis_to_cut(sy::Extents shape, sy::Extents strides) {
  size_t best = 0;
  for (size_t i = 1; i < shape.size(); ++i) {
    if (shape[i] > shape[best] ||
        (shape[i] == shape[best] && span_of(strides[i]) > span_of(strides[best]))) {
      best = i;
    }
  }
  return best;
}

}  // namespace

void copy_strided(sy_dtype dtype, sy::Extents shape, const void* source,
                  const int64_t* source_strides, void* destination,
                  const int64_t* destination_strides) {
  const int64_t bytes = sy::element_count(shape) * static_cast<int64_t>(sy::dtype_bytes(dtype));
  if (bytes < 2 * piece_bytes || sy::is_sub_byte(dtype)) {
    sy::copy_elements(dtype, shape, source, source_strides, destination, destination_strides);
    return;
  }
  const sy::Dimensions from = sy::strides_or_contiguous(shape, source_strides);
  const sy::Dimensions to = sy::strides_or_contiguous(shape, destination_strides);
  const size_t axis = axis_to_cut(shape, to);
  const auto size = static_cast<int64_t>(sy::dtype_bytes(dtype));
  const int64_t grain = std::max<int64_t>(1, shape[axis] * piece_bytes / bytes);
  parallel_for(shape[axis], grain, [&](int64_t begin, int64_t end) {
    sy::Dimensions part(shape);
    part[axis] = end - begin;
    sy::copy_elements(dtype, part, static_cast<const char*>(source) + begin * from[axis] * size,
                      from.data.data(),
                      static_cast<char*>(destination) + begin * to[axis] * size, to.data.data());
  });
}

}  // namespace cpu
