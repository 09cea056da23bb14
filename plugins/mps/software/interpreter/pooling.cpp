#include <cmath>
#include <limits>
#include <vector>

#include "software/interpreter/image.hpp"
#include "software/interpreter/sums.hpp"
#include "software/interpreter/window.hpp"

namespace mps::software::interpreter {

namespace {

// Calls row(offset in the result, in x, length) for all taps of the window, on all planes.
template <typename Visit>
void for_each_row_of_window(const Shape& x, const Shape& result, const seam::Window& window,
                            Visit row) {
  const Plane finer{x[2], x[3]};
  const Plane coarser{result[2], result[3]};
  for (int64_t plane = 0; plane < x[0] * x[1]; ++plane) {
    for (int64_t tap_y = 0; tap_y < window.size[0]; ++tap_y) {
      for (int64_t tap_x = 0; tap_x < window.size[1]; ++tap_x) {
        for_each_row_of_tap(window, tap_y, tap_x, finer, coarser,
                            [&](int64_t on_coarser, int64_t on_finer, int64_t length) {
                              row(plane * coarser.count() + on_coarser,
                                  plane * finer.count() + on_finer, length);
                            });
      }
    }
  }
}

// For each position on one axis, how many taps are on the plane.
std::vector<float> taps_inside(const seam::Window& window, size_t axis, int64_t finer,
                               int64_t coarser) {
  std::vector<float> counts(static_cast<size_t>(coarser), 0);
  for (int64_t tap = 0; tap < window.size[axis]; ++tap) {
    const Positions positions =
        positions_on(tap_shift(window, axis, tap), window.strides[axis], finer, coarser);
    for (int64_t i = positions.first; i < positions.end; ++i) ++counts[static_cast<size_t>(i)];
  }
  return counts;
}

template <typename Sum>
void divide_by_taps(const Shape& x, const Shape& result, const seam::Window& window, Sum* sums) {
  std::vector<float> heights(static_cast<size_t>(result[2]), static_cast<float>(window.size[0]));
  std::vector<float> widths(static_cast<size_t>(result[3]), static_cast<float>(window.size[1]));
  if (!window.counts_padding) {
    heights = taps_inside(window, 0, x[2], result[2]);
    widths = taps_inside(window, 1, x[3], result[3]);
  }
  for (int64_t plane = 0; plane < result[0] * result[1]; ++plane) {
    for (const float height : heights) {
      for (const float width : widths) *sums++ /= height * width;
    }
  }
}

}  // namespace

Value max_pool(const Value& x, const seam::Window& window, const seam::TensorType& type) {
  const Numbers<float> xs(x);
  Results<float> results(type, -std::numeric_limits<float>::infinity());
  const int64_t step = window.strides[1];
  for_each_row_of_window(x.shape(), type.shape, window,
                         [&](int64_t to, int64_t from, int64_t length) {
                           for (int64_t i = 0; i < length; ++i) {
                             const float number = xs[from + i * step];
                             if (number > results[to + i] || std::isnan(number))
                               results[to + i] = number;
                           }
                         });
  return results.rounded();
}

namespace {

template <typename Sum>
Value mean_in(const Value& x, const seam::Window& window, const seam::TensorType& type) {
  const Numbers<float> xs(x);
  Sums<Sum> sums(type);
  const int64_t step = window.strides[1];
  for_each_row_of_window(x.shape(), type.shape, window,
                         [&](int64_t to, int64_t from, int64_t length) {
                           for (int64_t i = 0; i < length; ++i)
                             sums.data()[to + i] += xs[from + i * step];
                         });
  divide_by_taps(x.shape(), type.shape, window, sums.data());
  return sums.rounded();
}

}  // namespace

Value average_pool(const Value& x, const seam::Window& window, const seam::TensorType& type) {
  const bool is_long = is_long_sum(window.size[0] * window.size[1]);
  return (is_long ? mean_in<double> : mean_in<float>)(x, window, type);
}

}  // namespace mps::software::interpreter
