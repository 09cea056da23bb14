#include "kernels/moments.hpp"

#include <array>

#include "kernels/line_loop.hpp"
#include "kernels/lines.hpp"
#include "kernels/reduce_functions.hpp"
#include "kernels/scalar_rows.hpp"
#include "kernels/vector_lines.hpp"
#include "kernels/vector_rows.hpp"

namespace cpu {
namespace {

double squares_apart(const float* x, int64_t count, float centre) {
  return vector_lines().squares(x, count, centre);
}

double squares_apart(const double* x, int64_t count, double centre) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (x[i] - centre) * (x[i] - centre);
  return sum;
}

void affine_of_doubles(char* const* data, const int64_t* steps, int64_t count, const void*) {
  const auto at = [&](int k, int64_t i) -> double& {
    return element_at<double>(data[k] + i * steps[k]);
  };
  for (int64_t i = 0; i < count; ++i) at(4, i) = (at(0, i) - at(1, i)) * at(2, i) + at(3, i);
}

}  // namespace

template <typename W>
Moments<W> moments_of(const Tensor& input, uint64_t line_axes) {
  Moments<W> moments{LineNumbers<W>(input.shape, line_axes),
                     LineNumbers<W>(input.shape, line_axes)};
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
