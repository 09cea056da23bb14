// Gradients of convolutions, which are closed: each is made of the two others.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/windows.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kConv("Conv"), kInputGradient("ConvInputGradient", "switchyard"),
    kWeightGradient("ConvWeightGradient", "switchyard");

/// Over batch and positions: what each channel's bias gets.
Tensor of_bias(const Tensor& gradient) {
  Dims others{0};
  for (std::int64_t d = 2; d < gradient.dim(); ++d) others.push_back(d);
  return sum(gradient, others);
}

Attributes grouped(const Backward& step, const SlidingWindow& window) {
  Attributes made = to_attributes(window);
  made.set("group", step.attributes().get_int("group", 1));
  return made;
}

void conv_rule(Backward& step) {
  const Tensor g = step.grad_output();
  const Dims &x = step.input_shape(0), &weight = step.input_shape(1);
  const Attributes window =
      grouped(step, sliding_window(step.attributes(), spatial_of(weight), x, g.shape()));
  if (step.needs_input_grad(0))
    step.set_grad_input(0, kInputGradient({g, step.input(1), int64s(x)}, window));
  if (step.needs_input_grad(1))
    step.set_grad_input(1, kWeightGradient({step.input(0), g, int64s(weight)}, window));
  if (step.needs_input_grad(2)) step.set_grad_input(2, of_bias(g));
}

/// Conv goes the other way over the same window, whose end is set so that it takes just the
/// positions of X: elements that no place of X reached (more output_padding than padding) are cut
/// off.
void conv_transpose_rule(Backward& step) {
  Tensor g = step.grad_output();
  const Dims &x = step.input_shape(0), &weight = step.input_shape(1);
  if (step.needs_input_grad(2)) step.set_grad_input(2, of_bias(g));
  SlidingWindow window = transposed_window(step.attributes(), spatial_of(weight), x, g.shape());
  for (std::size_t axis = 0; axis < window.size(); ++axis) {
    const std::int64_t extent = g.shape()[axis + 2];
    std::int64_t& end = window[axis].pad_after;
    end = window[axis].reach(x[axis + 2]) - extent - window[axis].pad_before;
    if (end >= 0) continue;
    g = narrow(g, static_cast<std::int64_t>(axis) + 2, 0, extent + end);
    end = 0;
  }
  const Attributes given = grouped(step, window);
  if (step.needs_input_grad(0)) step.set_grad_input(0, kConv({g, step.input(1)}, given));
  if (step.needs_input_grad(1))
    step.set_grad_input(1, kWeightGradient({g, step.input(0), int64s(weight)}, given));
}

/// Of dY and W to the gradient of X.
void input_gradient_rule(Backward& step) {
  const Tensor g = step.grad_output();
  const Attributes& window = step.attributes();
  if (step.needs_input_grad(0)) step.set_grad_input(0, kConv({g, step.input(1)}, window));
  if (step.needs_input_grad(1)) {
    step.set_grad_input(1,
                        kWeightGradient({g, step.input(0), int64s(step.input_shape(1))}, window));
  }
}

/// Of X and dY to the gradient of W.
void weight_gradient_rule(Backward& step) {
  const Tensor g = step.grad_output();
  const Attributes& window = step.attributes();
  if (step.needs_input_grad(0)) {
    step.set_grad_input(0, kInputGradient({step.input(1), g, int64s(step.input_shape(0))}, window));
  }
  if (step.needs_input_grad(1)) step.set_grad_input(1, kConv({step.input(0), g}, window));
}

constexpr RuleRow kConvolutionRules[] = {
    {"Conv", conv_rule, saves(0, 1)},
    {"ConvTranspose", conv_transpose_rule, saves(0, 1)},
    {"ConvInputGradient", input_gradient_rule, saves(0, 1), kNothing, "switchyard"},
    {"ConvWeightGradient", weight_gradient_rule, saves(0, 1), kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> convolution_rules() { return kConvolutionRules; }

}  // namespace switchyard
