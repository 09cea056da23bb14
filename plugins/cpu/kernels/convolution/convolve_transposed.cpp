#include "kernels/convolution/convolve_transposed.hpp"

#include <algorithm>

#include "gemm/gemm.hpp"
#include "gemm/long_sums.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

constexpr int64_t most_shares = int64_t{1} << 22;  // products that are kept at once

// Adds what one kernel element makes of a channel's positions to the channel's output.
template <typename T>
void add_tap(const Window& window, const Spatial& tap, const T* shares, T* y) {
  const int64_t stride = window.stride[2];
  const int64_t first = window.start(2, 0) + tap[2] * window.dilation[2];
  const Window::Positions inside = window.positions(2, tap[2]);
  for (int64_t row = 0; row < window.output[0] * window.output[1]; ++row) {
    const int64_t d = window.start(0, row / window.output[1]) + tap[0] * window.dilation[0];
    const int64_t h = window.start(1, row % window.output[1]) + tap[1] * window.dilation[1];
    if (d < 0 || d >= window.input[0] || h < 0 || h >= window.input[1]) continue;
    T* to = y + (d * window.input[1] + h) * window.input[2];
    const T* from = shares + row * window.output[2];
    for (int64_t i = inside.begin; i < inside.end; ++i) to[first + i * stride] += from[i];
  }
}

template <typename T>
void add_channel(const Window& window, const T* shares, T* y) {
  const int64_t positions = volume(window.output), size = volume(window.input);
  const LongSums<T> sums({y, size, 1}, 1, size, volume(window.kernel) > chained_sums);
  int64_t taps = 0;
  Spatial tap;
  for (tap[0] = 0; tap[0] < window.kernel[0]; ++tap[0]) {
    for (tap[1] = 0; tap[1] < window.kernel[1]; ++tap[1]) {
      for (tap[2] = 0; tap[2] < window.kernel[2]; ++tap[2], shares += positions) {
        if (++taps % chained_sums == 0) sums.join();
        add_tap(window, tap, shares, y);
      }
    }
  }
  sums.finish();
}

// Output channels [first, first + count) of one image and group.
template <typename T>
void convolve_channels(const TransposedShape& shape, const T* x, const T* weights, int64_t first,
                       int64_t count, T* shares, T* y) {
  const Window& window = shape.window;
  const int64_t positions = volume(window.output);
  const int64_t size = volume(window.input);
  const int64_t taps = volume(window.kernel);
  GemmOperand<T> left, right;
  left.view = {weights + first * taps, 1, shape.group_outputs * taps};
  right.view = {x, positions, 1};
  gemm<T>(count * taps, positions, shape.group_inputs, left, right, {shares, positions, 1}, {});
  const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(1, positions * taps));
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      add_channel(window, shares + c * taps * positions, y + (first + c) * size);
    }
  });
}

}  // namespace

template <typename T>
void convolve_transposed(const TransposedShape& shape, const T* x, const T* weights, const T* bias,
                         T* y) {
  const int64_t positions = volume(shape.window.output);
  const int64_t size = volume(shape.window.input);
  const int64_t taps = volume(shape.window.kernel);
  const int64_t outputs = shape.groups * shape.group_outputs;
  for (int64_t i = 0; i < shape.batch * outputs; ++i) {
    std::fill_n(y + i * size, size, bias == nullptr ? T{0} : bias[i % outputs]);
  }
  if (positions == 0 || shape.group_inputs == 0) return;
  const int64_t at_once = std::clamp<int64_t>(most_shares / (positions * taps), 1,
                                              std::max<int64_t>(1, shape.group_outputs));
  const Scratch<T> shares(at_once * taps * positions);
  for (int64_t i = 0; i < shape.batch * shape.groups; ++i) {
    const T* from = x + i * shape.group_inputs * positions;
    const T* w = weights + i % shape.groups * shape.group_inputs * shape.group_outputs * taps;
    T* to = y + i * shape.group_outputs * size;
    for (int64_t first = 0; first < shape.group_outputs; first += at_once) {
      convolve_channels(shape, from, w, first, std::min(at_once, shape.group_outputs - first),
                        shares.data(), to);
    }
  }
}

template void convolve_transposed(const TransposedShape&, const float*, const float*, const float*,
                                  float*);
template void convolve_transposed(const TransposedShape&, const double*, const double*,
                                  const double*, double*);

}  // namespace cpu
