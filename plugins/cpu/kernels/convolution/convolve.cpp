#include "kernels/convolution/convolve.hpp"

#include <algorithm>

#include "gemm/long_sums.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

// `count` positions in a row of the output, from (depth, height, width) on, `offset` after a
// panel's first.
struct Run {
  int64_t depth, height, width;
  int64_t count, offset;
};

// Writes positions [first, first + count) of a window's output as runs along rows; returns their
// number.
int64_t cut_runs(const Window& window, int64_t first, int64_t count, Run* runs) {
  const int64_t width = window.output[2];
  int64_t made = 0;
  for (int64_t done = 0; done < count;) {
    const int64_t position = first + done;
    const int64_t row = position / width;
    const int64_t here = std::min(count - done, width - position % width);
    runs[made++] = {row / window.output[1], row % window.output[1], position % width, here, done};
    done += here;
  }
  return made;
}

// The part [begin, end), perhaps empty, of `count` steps of `stride` from `start` that falls into
// [0, extent).
struct Inside {
  int64_t begin, end;
};

Inside inside_of(int64_t start, int64_t stride, int64_t count, int64_t extent) {
  const int64_t begin = start >= 0 ? 0 : sy::ceil_div(-start, stride);
  const int64_t end = start >= extent ? 0 : sy::ceil_div(extent - start, stride);
  return {std::min(begin, count), std::clamp(end, std::min(begin, count), count)};
}

// What one kernel element sees along a run; zeros where the window hangs over the edge.
template <typename T>
void read_run(const Window& window, const Images<const T>& x, const T* channel, const Run& run,
              const Spatial& at, T* to) {
  const int64_t d = window.start(0, run.depth) + at[0] * window.dilation[0];
  const int64_t h = window.start(1, run.height) + at[1] * window.dilation[1];
  const int64_t w = window.start(2, run.width) + at[2] * window.dilation[2];
  if (d < 0 || d >= window.input[0] || h < 0 || h >= window.input[1]) {
    std::fill_n(to, run.count, T{0});
    return;
  }
  const Inside inside = inside_of(w, window.stride[2], run.count, window.input[2]);
  const T* row = channel + d * x.steps[2] + h * x.steps[3] + w * x.steps[4];
  const int64_t step = window.stride[2] * x.steps[4];
  std::fill_n(to, inside.begin, T{0});
  if (step == 1) {
    std::copy(row + inside.begin, row + inside.end, to + inside.begin);
  } else {
    for (int64_t i = inside.begin; i < inside.end; ++i) to[i] = row[i * step];
  }
  std::fill_n(to + inside.end, run.count - inside.end, T{0});
}

// Windows as the columns of a matrix: a row for each channel and kernel element.
template <typename T>
struct WindowColumns {
  const Window& window;
  const Images<const T>& x;
  const T* first_channel;

  void pack(int64_t k0, int64_t k, int64_t first, int64_t count, T* panels) const {
    const int64_t width = tiles<T>().columns;
    for (int64_t done = 0; done < count; done += width, panels += k * width) {
      pack_panel(k0, k, first + done, std::min(width, count - done), width, panels);
    }
  }

  void pack_panel(int64_t k0, int64_t k, int64_t first, int64_t count, int64_t width,
                  T* panel) const {
    Run runs[Tiles<T>::most_columns];
    const int64_t run_count = cut_runs(window, first, count, runs);
    for (int64_t row = 0; row < k; ++row, panel += width) {
      int64_t rest = k0 + row;
      Spatial at;
      for (size_t axis = spatial_rank; axis-- > 0;) {
        at[axis] = rest % window.kernel[axis];
        rest /= window.kernel[axis];
      }
      const T* channel = first_channel + rest * x.steps[1];
      for (int64_t r = 0; r < run_count; ++r) {
        read_run(window, x, channel, runs[r], at, panel + runs[r].offset);
      }
      std::fill_n(panel + count, width - count, T{0});
    }
  }
};

// A window of one element on every position: the image itself is the matrix, if its positions are a
// row.
bool is_pointwise(const Window& window) {
  for (size_t axis = 0; axis < spatial_rank; ++axis) {
    if (window.kernel[axis] != 1 || window.stride[axis] != 1 || window.pad[axis] != 0) return false;
  }
  return window.input == window.output;
}

template <typename T>
bool positions_run_on(const Window& window, const Images<const T>& x) {
  const bool rows = window.input[1] == 1 || x.steps[3] == window.input[2] * x.steps[4];
  const bool planes =
      window.input[0] == 1 || x.steps[2] == window.input[1] * window.input[2] * x.steps[4];
  return rows && planes;
}

template <typename T>
GemmOperand<T> group_weights(const ConvolutionShape& shape, const GemmOperand<T>& weights,
                             int64_t group) {
  const int64_t depth = shape.depth();
  GemmOperand<T> made;
  if (weights.panels != nullptr) {
    made.panels = weights.panels + group * tiles<T>().left_size(shape.group_outputs, depth);
  } else {
    made.view = {weights.view.data + group * shape.group_outputs * depth, depth, 1};
  }
  return made;
}

template <typename T>
void fill_rows(const T* bias, int64_t rows, int64_t count, T* y) {
  for (int64_t i = 0; i < rows; ++i) std::fill_n(y + i * count, count, bias[i]);
}

// One image and group.
template <typename T>
void convolve_group(const ConvolutionShape& shape, const Images<const T>& x,
                    const GemmOperand<T>& weights, const T* bias, T* y, int64_t image,
                    int64_t group) {
  const Window& window = shape.window;
  const int64_t positions = volume(window.output);
  const T* start = x.data + image * x.steps[0] + group * shape.group_inputs * x.steps[1];
  T* to = y + (image * shape.outputs() + group * shape.group_outputs) * positions;
  if (bias != nullptr) {
    fill_rows(bias + group * shape.group_outputs, shape.group_outputs, positions, to);
  }
  GemmOperand<T> right;
  const WindowColumns<T> columns{window, x, start};
  if (is_pointwise(window) && positions_run_on(window, x)) {
    right.view = {start, x.steps[1], x.steps[4]};
  } else {
    right.pack = [&columns](int64_t k0, int64_t k, int64_t first, int64_t count, T* panels) {
      columns.pack(k0, k, first, count, panels);
    };
  }
  gemm<T>(shape.group_outputs, positions, shape.depth(), group_weights(shape, weights, group),
          right, {to, positions, 1}, {1, bias != nullptr});
}

// A row of the output gets one kernel element's share.
template <typename T>
void add_row(const T* from, int64_t step, T weight, int64_t count, T* to) {
  if (step == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] += weight * from[i];
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] += weight * from[i * step];
  }
}

// One output channel that sees one input channel, element by element of the kernel.
template <typename T>
void convolve_channel(const Window& window, const Images<const T>& x, const T* channel,
                      const T* weights, T start, T* y) {
  const int64_t positions = volume(window.output);
  std::fill_n(y, positions, start);
  const LongSums<T> sums({y, positions, 1}, 1, positions, volume(window.kernel) > chained_sums);
  int64_t taps = 0;
  Spatial at;
  for (at[0] = 0; at[0] < window.kernel[0]; ++at[0]) {
    for (at[1] = 0; at[1] < window.kernel[1]; ++at[1]) {
      for (at[2] = 0; at[2] < window.kernel[2]; ++at[2]) {
        const T weight = *weights++;
        if (++taps % chained_sums == 0) sums.join();
        const int64_t w = window.start(2, 0) + at[2] * window.dilation[2];
        const Inside inside = inside_of(w, window.stride[2], window.output[2], window.input[2]);
        if (inside.begin >= inside.end) continue;
        for (int64_t row = 0; row < window.output[0] * window.output[1]; ++row) {
          const int64_t d = window.start(0, row / window.output[1]) + at[0] * window.dilation[0];
          const int64_t h = window.start(1, row % window.output[1]) + at[1] * window.dilation[1];
          if (d < 0 || d >= window.input[0] || h < 0 || h >= window.input[1]) continue;
          const int64_t step = window.stride[2] * x.steps[4];
          const T* from = channel + d * x.steps[2] + h * x.steps[3] + w * x.steps[4];
          add_row(from + inside.begin * step, step, weight, inside.end - inside.begin,
                  y + row * window.output[2] + inside.begin);
        }
      }
    }
  }
  sums.finish();
}

template <typename T>
void convolve_depthwise(const ConvolutionShape& shape, const Images<const T>& x, const T* weights,
                        const T* bias, T* y) {
  const int64_t outputs = shape.outputs();
  const int64_t positions = volume(shape.window.output);
  const int64_t taps = volume(shape.window.kernel);
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, positions * taps));
  parallel_for(shape.batch * outputs, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t output = i % outputs;
      const int64_t input = output / shape.group_outputs;
      const T* channel = x.data + i / outputs * x.steps[0] + input * x.steps[1];
      convolve_channel(shape.window, x, channel, weights + output * taps,
                       bias == nullptr ? T{0} : bias[output], y + i * positions);
    }
  });
}

}  // namespace

bool is_depthwise(const ConvolutionShape& shape) {
  return shape.group_inputs == 1 && shape.group_outputs <= 2 && shape.groups > 1;
}

template <typename T>
void convolve(const ConvolutionShape& shape, const Images<const T>& x,
              const GemmOperand<T>& weights, const T* bias, T* y) {
  if (is_depthwise(shape)) {
    return convolve_depthwise(shape, x, weights.view.data, bias, y);
  }
  const int64_t parts = shape.batch * shape.groups;
  const auto work = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      convolve_group(shape, x, weights, bias, y, i / shape.groups, i % shape.groups);
    }
  };
  if (parts >= 2 * thread_count()) {
    const int64_t sums = shape.group_outputs * volume(shape.window.output) * shape.depth();
    parallel_for(parts, std::max<int64_t>(1, (int64_t{1} << 20) / std::max<int64_t>(1, sums)),
                 work);
  } else {
    work(0, parts);
  }
}

template <typename T>
int64_t packed_weights_size(const ConvolutionShape& shape) {
  return shape.groups * tiles<T>().left_size(shape.group_outputs, shape.depth());
}

template <typename T>
void pack_weights(const ConvolutionShape& shape, const T* weights, T* panels) {
  const int64_t depth = shape.depth();
  for (int64_t group = 0; group < shape.groups; ++group) {
    tiles<T>().pack_left({weights + group * shape.group_outputs * depth, depth, 1},
                         shape.group_outputs, depth, panels);
    panels += tiles<T>().left_size(shape.group_outputs, depth);
  }
}

#define CPU_CONVOLVE_FOR(T)                                                                      \
  template void convolve(const ConvolutionShape&, const Images<const T>&, const GemmOperand<T>&, \
                         const T*, T*);                                                          \
  template int64_t packed_weights_size<T>(const ConvolutionShape&);                              \
  template void pack_weights(const ConvolutionShape&, const T*, T*);
CPU_CONVOLVE_FOR(float)
CPU_CONVOLVE_FOR(double)
CPU_CONVOLVE_FOR(int32_t)
#undef CPU_CONVOLVE_FOR

}  // namespace cpu
