// SoftmaxGradient and LogSoftmaxGradient, along any axis.
#include <array>
#include <cmath>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/line_loop.hpp"
#include "simd/vector_lines.hpp"

namespace cpu {
namespace {

template <typename W>
using GradientLineFunction = void (*)(const W* gradient, const W* y, W* to, int64_t count);

void softmax_gradient(const double* gradient, const double* y, double* to, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += gradient[i] * y[i];
  for (int64_t i = 0; i < count; ++i) to[i] = y[i] * (gradient[i] - sum);
}

void log_softmax_gradient(const double* gradient, const double* y, double* to, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += gradient[i];
  for (int64_t i = 0; i < count; ++i) to[i] = gradient[i] - std::exp(y[i]) * sum;
}

template <typename W>
void run_lines(Call& call, GradientLineFunction<W> function, int64_t axis, int64_t grain) {
  const ConstTensor& gradient = call.input(0);
  const ConstTensor& y = call.input(1);
  const Tensor& output = call.output(0);
  const std::array<LineOperand, 3> operands = {LineOperand::whole(gradient),
                                               LineOperand::whole(output), LineOperand::whole(y)};
  const uint64_t axes = gradient.rank() == 0 ? 0 : axis_mask(axis, gradient.rank());
  const LineWalk walk(gradient.shape, axes, operands);
  for_each_line_of_two<W>(walk, {&gradient, &output, &y}, grain,
                          [&](const W* grads, const W* shares, W* to, const LineOffsets&, int64_t) {
                            function(grads, shares, to, walk.length());
                          });
}

template <GradientLineFunction<double> exact>
Prepared make_line_gradient(const sy::Node& node, GradientLineFunction<float> vector) {
  const int64_t axis = node.integer("axis", -1);
  const bool wide = node.required_input(0).dtype == SY_FLOAT64;
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1, .follows_layout = true}};
  made.kernel = function_kernel([=](Call& call) {
    if (wide) return run_lines<double>(call, exact, axis, medium_grain);
    run_lines<float>(call, vector, axis, medium_grain);
  });
  return made;
}

Prepared make_softmax_gradient(const sy::Node& node) {
  return make_line_gradient<softmax_gradient>(node, vector_lines().softmax_gradient);
}

Prepared make_log_softmax_gradient(const sy::Node& node) {
  return make_line_gradient<log_softmax_gradient>(node, vector_lines().log_softmax_gradient);
}

constexpr KernelRow softmax_gradient_rows[] = {
    {"SoftmaxGradient", sy::float_dtypes, sy::float_dtypes, make_softmax_gradient, nullptr,
     any_strides, "switchyard"},
    {"LogSoftmaxGradient", sy::float_dtypes, sy::float_dtypes, make_log_softmax_gradient, nullptr,
     any_strides, "switchyard"},
};

}  // namespace

KernelTable softmax_gradient_kernels() { return softmax_gradient_rows; }

}  // namespace cpu
