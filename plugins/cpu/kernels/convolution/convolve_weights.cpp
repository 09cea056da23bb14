#include "kernels/convolution/convolve_weights.hpp"

#include <algorithm>

#include "gemm/long_sums.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

constexpr int64_t most_columns = int64_t{1} << 22;  // elements of windows that are kept at once

// What one kernel element sees from all positions; zeros where it hangs over the edge.
template <typename T>
void read_positions(const Window& window, const Images<const T>& x, const T* channel,
                    const Spatial& tap, T* to) {
  const Window::Positions inside = window.positions(2, tap[2]);
  const int64_t width = window.output[2];
  const int64_t first = window.start(2, 0) + tap[2] * window.dilation[2];
  const int64_t step = window.stride[2] * x.steps[4];
  for (int64_t row = 0; row < window.output[0] * window.output[1]; ++row, to += width) {
    const int64_t d = window.start(0, row / window.output[1]) + tap[0] * window.dilation[0];
    const int64_t h = window.start(1, row % window.output[1]) + tap[1] * window.dilation[1];
    if (d < 0 || d >= window.input[0] || h < 0 || h >= window.input[1]) {
      std::fill_n(to, width, T{0});
      continue;
    }
    const T* from = channel + d * x.steps[2] + h * x.steps[3] + first * x.steps[4];
    std::fill_n(to, inside.begin, T{0});
    for (int64_t i = inside.begin; i < inside.end; ++i) to[i] = from[i * step];
    std::fill_n(to + inside.end, width - inside.end, T{0});
  }
}

// Rows [first, first + count) of an image's windows: one for each channel and kernel element.
template <typename T>
void read_windows(const Window& window, const Images<const T>& x, const T* image, int64_t first,
                  int64_t count, T* columns) {
  const int64_t positions = volume(window.output);
  const int64_t grain = std::max<int64_t>(1, 65536 / positions);
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t rest = first + row;
      Spatial tap;
      for (size_t axis = spatial_rank; axis-- > 0;) {
        tap[axis] = rest % window.kernel[axis];
        rest /= window.kernel[axis];
      }
      read_positions(window, x, image + rest * x.steps[1], tap, columns + row * positions);
    }
  });
}

template <typename T>
void convolve_group(const ConvolutionShape& shape, const Images<const T>& x, const T* y_gradient,
                    int64_t group, T* weights_gradient) {
  const int64_t positions = volume(shape.window.output);
  const int64_t depth = shape.depth();
  const int64_t at_once = std::clamp<int64_t>(most_columns / positions, 1, depth);
  const Scratch<T> columns(at_once * positions);
  T* to = weights_gradient + group * shape.group_outputs * depth;
  const LongSums<T> sums({to, depth, 1}, shape.group_outputs, depth, shape.batch > chained_sums);
  for (int64_t image = 0; image < shape.batch; ++image) {
    if (image != 0 && image % chained_sums == 0) sums.join();
    const T* start = x.data + image * x.steps[0] + group * shape.group_inputs * x.steps[1];
    const int64_t channel = image * shape.outputs() + group * shape.group_outputs;
    GemmOperand<T> left, right;
    left.view = {y_gradient + channel * positions, positions, 1};
    right.view = {columns.data(), 1, positions};
    for (int64_t first = 0; first < depth; first += at_once) {
      const int64_t count = std::min(at_once, depth - first);
      read_windows(shape.window, x, start, first, count, columns.data());
      gemm<T>(shape.group_outputs, count, positions, left, right, {to + first, depth, 1},
              {1, image > 0});
    }
  }
  sums.finish();
}

}  // namespace

template <typename T>
void convolve_weights(const ConvolutionShape& shape, const Images<const T>& x, const T* y_gradient,
                      T* weights_gradient) {
  const int64_t size = shape.outputs() * shape.depth();
  if (size == 0) return;
  if (shape.batch == 0 || volume(shape.window.output) == 0) {
    std::fill_n(weights_gradient, size, T{0});
    return;
  }
  const auto work = [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      convolve_group(shape, x, y_gradient, group, weights_gradient);
    }
  };
  if (shape.groups >= 2 * thread_count()) {
    parallel_for(shape.groups, 1, work);
  } else {
    work(0, shape.groups);
  }
}

template void convolve_weights(const ConvolutionShape&, const Images<const float>&, const float*,
                               float*);
template void convolve_weights(const ConvolutionShape&, const Images<const double>&, const double*,
                               double*);

}  // namespace cpu
