// Softmax, LogSoftmax and Hardmax, along any axis.
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/line_loop.hpp"
#include "simd/vector_lines.hpp"

namespace cpu {
namespace {

template <typename W>
using LineFunction = void (*)(const W* x, W* y, int64_t count);

double shift_of(const double* x, int64_t count) {
  double most = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < count; ++i) most = x[i] > most || std::isnan(x[i]) ? x[i] : most;
  return most;  // if it is not finite, all that follows is NaN, as it should be
}

double sum_of_powers(const double* x, int64_t count, double shift) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(x[i] - shift);
  return sum;
}

void softmax(const double* x, double* y, int64_t count) {
  const double shift = shift_of(x, count);
  const double sum = sum_of_powers(x, count, shift);
  for (int64_t i = 0; i < count; ++i) y[i] = std::exp(x[i] - shift) / sum;
}

void log_softmax(const double* x, double* y, int64_t count) {
  const double shift = shift_of(x, count);
  const double logarithm = std::log(sum_of_powers(x, count, shift));
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] - shift - logarithm;
}

// 1 at the first of the largest, 0 elsewhere.
template <typename W>
void hardmax(const W* x, W* y, int64_t count) {
  int64_t best = 0;
  for (int64_t i = 1; i < count; ++i) {
    if (x[i] > x[best]) best = i;
  }
  for (int64_t i = 0; i < count; ++i) y[i] = static_cast<W>(i == best);
}

template <typename W>
Prepared line_kernel(LineFunction<W> function, int64_t axis, int64_t grain) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1, .follows_layout = true}};
  made.kernel = function_kernel([function, axis, grain](Call& call) {
    const ConstTensor& input = call.input(0);
    const Tensor& output = call.output(0);
    const std::array<LineOperand, 2> operands = {LineOperand::whole(input),
                                                 LineOperand::whole(output)};
    const uint64_t axes = input.rank() == 0 ? 0 : axis_mask(axis, input.rank());
    const LineWalk walk(input.shape, axes, operands);
    for_each_line<W>(
        walk, {&input, &output}, grain,
        [&](const W* x, W* y, const LineOffsets&, int64_t) { function(x, y, walk.length()); });
  });
  return made;
}

template <LineFunction<double> exact>
Prepared make(const sy::Node& node, LineFunction<float> vector) {
  const int64_t axis = node.integer("axis", -1);
  if (node.required_input(0).dtype == SY_FLOAT64)
    return line_kernel<double>(exact, axis, expensive_grain);
  return line_kernel<float>(vector, axis, medium_grain);
}

Prepared make_softmax(const sy::Node& node) { return make<softmax>(node, vector_lines().softmax); }
Prepared make_log_softmax(const sy::Node& node) {
  return make<log_softmax>(node, vector_lines().log_softmax);
}
Prepared make_hardmax(const sy::Node& node) { return make<hardmax<double>>(node, hardmax<float>); }

constexpr KernelRow softmax_rows[] = {
    {"Softmax", sy::float_dtypes, sy::float_dtypes, make_softmax, nullptr, any_strides},
    {"LogSoftmax", sy::float_dtypes, sy::float_dtypes, make_log_softmax, nullptr, any_strides},
    {"Hardmax", sy::float_dtypes, sy::float_dtypes, make_hardmax, nullptr, any_strides},
};

}  // namespace

KernelTable softmax_kernels() { return softmax_rows; }

}  // namespace cpu
