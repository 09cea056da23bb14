#include "kernels/normalization/moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/reduction/reduce.hpp"
#include "loops/line_loop.hpp"
#include "loops/lines.hpp"
#include "loops/packed_input.hpp"
#include "loops/scalar_rows.hpp"
#include "machine/parallel.hpp"
#include "simd/vector_lines.hpp"
#include "simd/vector_rows.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {

namespace {

Distances distances_of(const float* x, int64_t count, float centre) {
  return vector_lines().distances(x, count, centre);
}

Distances distances_of(const double* x, int64_t count, double centre) {
  Distances sums;
  for (int64_t i = 0; i < count; ++i) {
    const double distance = x[i] - centre;
    sums.plain += distance;
    sums.squared += distance * distance;
  }
  return sums;
}

void affine_of_doubles(char* const* data, const int64_t* steps, int64_t count, const void*) {
  const auto at = [&](int k, int64_t i) -> double& {
    return element_at<double>(data[k] + i * steps[k]);
  };
  for (int64_t i = 0; i < count; ++i) at(4, i) = (at(0, i) - at(1, i)) * at(2, i) + at(3, i);
}

// ---- lines that are the channels of a channels-last tensor, side by side

// Sums of x - centre and of its squares over some rows of so many columns, each column with a
// centre of its own.
template <typename W>
void add_distances(const W* x, int64_t rows, int64_t columns, const W* centre, W* plain,
                   W* squared) {
  for (int64_t r = 0; r < rows; ++r, x += columns) {
    for (int64_t c = 0; c < columns; ++c) {
      const W distance = x[c] - centre[c];
      plain[c] += distance;
      squared[c] += distance * distance;
    }
  }
}

// Likewise over the positions of a piece, each channel joined in double. Rows of a few channels
// would be short: `centres` are repeated for as many positions as make a long one.
template <typename W>
void distances_of_piece(const W* x, int64_t positions, const std::vector<W>& centres,
                        int64_t channels, Distances* joined) {
  const auto width = static_cast<int64_t>(centres.size());
  const int64_t count = positions * channels;
  std::fill_n(joined, channels, Distances{});
  std::vector<W> plain(centres.size()), squared(centres.size());
  for (int64_t at = 0; at < count;) {
    const int64_t columns = std::min(width, count - at);
    const int64_t rows = std::min(column_rows, (count - at) / columns);
    std::fill(plain.begin(), plain.end(), W{0});
    std::fill(squared.begin(), squared.end(), W{0});
    add_distances(x + at, rows, columns, centres.data(), plain.data(), squared.data());
    for (int64_t i = 0; i < columns; ++i) {
      joined[i % channels].plain += static_cast<double>(plain[i]);
      joined[i % channels].squared += static_cast<double>(squared[i]);
    }
    at += rows * columns;
  }
}

// Pieces follow from the shape, and are joined in order.
template <typename W>
void write_distances(const W* x, int64_t positions, Moments<W>& moments) {
  const std::vector<W>& means = moments.centre.values();
  const auto channels = static_cast<int64_t>(means.size());
  const int64_t together = std::max<int64_t>(1, 128 / channels);
  std::vector<W> centres;
  for (int64_t i = 0; i < together; ++i) {
    centres.insert(centres.end(), means.begin(), means.end());
  }
  const int64_t piece = std::max(column_rows * together, cheap_grain / channels);
  const int64_t pieces = sy::ceil_div(positions, piece);
  std::vector<Distances> joined(static_cast<size_t>(pieces * channels));
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      distances_of_piece(x + i * piece * channels, std::min(piece, positions - i * piece), centres,
                         channels, joined.data() + i * channels);
    }
  });
  for (int64_t c = 0; c < channels; ++c) {
    Distances sums;
    for (int64_t i = 0; i < pieces; ++i) {
      sums.plain += joined[i * channels + c].plain;
      sums.squared += joined[i * channels + c].squared;
    }
    const double rest = sums.plain / static_cast<double>(positions);
    moments.rest.values()[c] = static_cast<W>(rest);
    moments.variance.values()[c] =
        static_cast<W>(variance_of(sums.squared / static_cast<double>(positions), rest));
  }
}

template <typename W>
void channel_moments(const ConstTensor& input, uint64_t line_axes, Moments<W>& moments) {
  const PackedInput<W> x(input, true);
  const sy::Dimensions strides = layout_strides(input.shape, true);
  const ConstTensor wide{sy::dtype_of<W>, x.data(), input.shape, strides};
  reduce(ReduceKind::sum, ReduceFinish::mean, wide, moments.centre.tensor(), line_axes);
  write_distances(x.data(), input.size() / input.shape[1], moments);
}

}  // namespace

double variance_of(double squared, double rest) {
  if (std::isinf(squared)) return squared;
  const double variance = squared - rest * rest;
  return variance < 0 ? 0 : variance;
}

template <typename W>
LineMoments<W> line_moments(const W* x, int64_t count) {
  static const auto sum = reduce_functions<W>(ReduceKind::sum).row;
  const auto divisor = static_cast<double>(count);
  const auto centre = static_cast<W>(sum(x, count) / divisor);
  const Distances sums = distances_of(x, count, centre);
  const double rest = sums.plain / divisor;
  return {centre, rest, variance_of(sums.squared / divisor, rest)};
}

template LineMoments<float> line_moments<float>(const float*, int64_t);
template LineMoments<double> line_moments<double>(const double*, int64_t);

template <typename W>
Moments<W> moments_of(const ConstTensor& input, uint64_t line_axes) {
  Moments<W> moments{LineNumbers<W>(input.shape, line_axes), LineNumbers<W>(input.shape, line_axes),
                     LineNumbers<W>(input.shape, line_axes)};
  const bool of_channels = line_axes == (all_axes(input.rank()) & ~uint64_t{2});
  if (of_channels && input.size() > 0 && is_only_channels_last(input)) {
    channel_moments(input, line_axes, moments);
    return moments;
  }
  const std::array<LineOperand, 2> operands = {
      LineOperand::whole(input),
      LineOperand::reduced(moments.centre.tensor(), line_axes, input.rank())};
  const LineWalk walk(input.shape, line_axes, operands);
  const int64_t count = walk.length();
  const auto body = [&](const W* x, W*, const LineOffsets& offsets, int64_t) {
    const auto position = static_cast<size_t>(offsets[1]) / sizeof(W);
    const LineMoments<W> own = line_moments(x, count);
    moments.centre.values()[position] = own.centre;
    moments.rest.values()[position] = static_cast<W>(own.rest);
    moments.variance.values()[position] = static_cast<W>(own.variance);
  };
  for_each_line<W>(walk, {&input}, cheap_grain, body);
  return moments;
}

template Moments<float> moments_of<float>(const ConstTensor&, uint64_t);
template Moments<double> moments_of<double>(const ConstTensor&, uint64_t);

Loop affine_loop(sy_dtype dtype) {
  if (dtype == SY_FLOAT64) return {affine_of_doubles, {}, cheap_grain};
  const Loop loop{vector_affine_row(), {}, cheap_grain};
  return converted(loop, {SY_FLOAT32, SY_FLOAT32, SY_FLOAT32, SY_FLOAT32, SY_FLOAT32},
                   {dtype, SY_FLOAT32, SY_FLOAT32, SY_FLOAT32, dtype});
}

}  // namespace cpu
