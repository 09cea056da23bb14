#include "kernels/moments.hpp"

#include <algorithm>
#include <array>

#include "kernels/laid.hpp"
#include "kernels/line_loop.hpp"
#include "kernels/lines.hpp"
#include "kernels/reduce.hpp"
#include "kernels/scalar_rows.hpp"
#include "kernels/vector_lines.hpp"
#include "kernels/vector_rows.hpp"
#include "parallel.hpp"

namespace cpu {

double squares_apart(const float* x, int64_t count, float centre) {
  return vector_lines().squares(x, count, centre);
}

double squares_apart(const double* x, int64_t count, double centre) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (x[i] - centre) * (x[i] - centre);
  return sum;
}

namespace {

void affine_of_doubles(char* const* data, const int64_t* steps, int64_t count, const void*) {
  const auto at = [&](int k, int64_t i) -> double& {
    return element_at<double>(data[k] + i * steps[k]);
  };
  for (int64_t i = 0; i < count; ++i) at(4, i) = (at(0, i) - at(1, i)) * at(2, i) + at(3, i);
}

// ---- lines that are the channels of a channels-last tensor, side by side

// Sums of (x - centre)^2 over some rows of so many columns, each column with a centre of its own.
template <typename W>
void add_squares(const W* x, int64_t rows, int64_t columns, const W* centre, W* sums) {
  for (int64_t r = 0; r < rows; ++r, x += columns) {
    for (int64_t c = 0; c < columns; ++c) sums[c] += (x[c] - centre[c]) * (x[c] - centre[c]);
  }
}

// Likewise over the places of a piece, each channel joined in double. Rows of a few channels would
// be short: `centres` are repeated for as many places as make a long one.
template <typename W>
void squares_of_piece(const W* x, int64_t places, const std::vector<W>& centres, int64_t channels,
                      double* joined) {
  const auto width = static_cast<int64_t>(centres.size());
  const int64_t count = places * channels;
  std::fill_n(joined, channels, 0.0);
  std::vector<W> sums(centres.size());
  for (int64_t at = 0; at < count;) {
    const int64_t columns = std::min(width, count - at);
    const int64_t rows = std::min(column_rows, (count - at) / columns);
    std::fill(sums.begin(), sums.end(), W{0});
    add_squares(x + at, rows, columns, centres.data(), sums.data());
    for (int64_t i = 0; i < columns; ++i) joined[i % channels] += static_cast<double>(sums[i]);
    at += rows * columns;
  }
}

// Pieces follow from the shape, and are joined in order.
template <typename W>
void write_variances(const W* x, int64_t places, const std::vector<W>& means,
                     std::vector<W>& variances) {
  const auto channels = static_cast<int64_t>(means.size());
  const int64_t together = std::max<int64_t>(1, 128 / channels);
  std::vector<W> centres;
  for (int64_t i = 0; i < together; ++i) {
    centres.insert(centres.end(), means.begin(), means.end());
  }
  const int64_t piece = std::max(column_rows * together, cheap_grain / channels);
  const int64_t pieces = (places + piece - 1) / piece;
  std::vector<double> joined(static_cast<size_t>(pieces * channels));
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      squares_of_piece(x + i * piece * channels, std::min(piece, places - i * piece), centres,
                       channels, joined.data() + i * channels);
    }
  });
  for (int64_t c = 0; c < channels; ++c) {
    double sum = 0;
    for (int64_t i = 0; i < pieces; ++i) sum += joined[i * channels + c];
    variances[c] = static_cast<W>(sum / static_cast<double>(places));
  }
}

template <typename W>
void channel_moments(const Tensor& input, uint64_t line_axes, Moments<W>& moments) {
  const LaidInput<W> x(input, true);
  const sy::Dimensions strides = laid_strides(input.shape, true);
  const Tensor wide{sy::dtype_of<W>, const_cast<W*>(x.data()), input.shape, strides};
  reduce(ReduceKind::sum, ReduceFinish::mean, wide, moments.mean.tensor(), line_axes);
  write_variances(x.data(), input.size() / input.shape[1], moments.mean.values(),
                  moments.variance.values());
}

}  // namespace

template <typename W>
Moments<W> moments_of(const Tensor& input, uint64_t line_axes) {
  Moments<W> moments{LineNumbers<W>(input.shape, line_axes),
                     LineNumbers<W>(input.shape, line_axes)};
  const bool of_channels = line_axes == (all_axes(input.rank()) & ~uint64_t{2});
  if (of_channels && input.size() > 0 && lies_last(input)) {
    channel_moments(input, line_axes, moments);
    return moments;
  }
  const std::array<LineOperand, 2> operands = {
      LineOperand::whole(input),
      LineOperand::reduced(moments.mean.tensor(), line_axes, input.rank())};
  const LineWalk walk(input.shape, line_axes, operands);
  const auto sum = reduce_functions<W>(ReduceKind::sum).row;
  const int64_t count = walk.length();
  const auto body = [&](const W* x, W*, const LineOffsets& offsets, int64_t) {
    const auto place = static_cast<size_t>(offsets[1]) / sizeof(W);
    const auto mean = static_cast<W>(sum(x, count) / static_cast<double>(count));
    moments.mean.values()[place] = mean;
    moments.variance.values()[place] =
        static_cast<W>(squares_apart(x, count, mean) / static_cast<double>(count));
  };
  for_each_line<W>(walk, {&input}, cheap_grain, body);
  return moments;
}

template Moments<float> moments_of<float>(const Tensor&, uint64_t);
template Moments<double> moments_of<double>(const Tensor&, uint64_t);

Loop affine_loop(sy_dtype dtype) {
  if (dtype == SY_FLOAT64) return {affine_of_doubles, {}, cheap_grain};
  const Loop loop{vector_affine_row(), {}, cheap_grain};
  return converted(loop, {SY_FLOAT32, SY_FLOAT32, SY_FLOAT32, SY_FLOAT32, SY_FLOAT32},
                   {dtype, SY_FLOAT32, SY_FLOAT32, SY_FLOAT32, dtype});
}

}  // namespace cpu
