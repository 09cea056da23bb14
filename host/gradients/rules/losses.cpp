// Gradients of losses of classes.
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

bool is_mean(const Backward& step) {
  return step.attributes().get_text("reduction", "mean") == "mean";
}

/// What belongs to labels, and 0 to those that are ignored, whatever stands there.
Tensor unless_ignored(const Backward& step, const Tensor& labels, const Tensor& x) {
  if (!step.attributes().has("ignore_index")) return x;
  return where(ne(labels, step.attributes().get_int("ignore_index", 0)), x, 0);
}

/// The weight of each label's class; labels that are ignored have 0.
Tensor weights_of(const Backward& step, const Tensor& labels) {
  Tensor weights = step.grad_output().detach().new_full(labels.shape(), 1);
  if (step.has_input(2)) {
    const Tensor rows = reshape(unless_ignored(step, labels, labels), {-1});
    weights = reshape(select_slices(step.input(2), 0, rows), labels.shape());
  }
  return unless_ignored(step, labels, weights);
}

/// What the gradient of each label's own loss is: weighted, and shared as `reduction` says.
Tensor of_labels(const Backward& step, const Tensor& labels) {
  const Tensor weights = weights_of(step, labels);
  Tensor share = step.grad_output();
  if (is_mean(step)) {
    const Tensor total = sum(weights);  // 0 where all labels are ignored
    share = div(share, where(eq(total, 0), 1, total));
  }
  return unless_ignored(step, labels, mul(weights, share));
}

/// Where the label of each position of [N, C, ...] is its class.
Mask hits(const Backward& step, const Tensor& labels) {
  const Dims& shape = step.input_shape(0);
  TensorOptions options = options_like(step.grad_output());
  options.dtype = labels.dtype();
  Dims column = Dims::filled(shape.size() - 1, 1);
  column[0] = shape[1];
  const Tensor classes = reshape(arange(shape[1], options), column);
  return eq(unsqueeze(labels, 1), classes);
}

/// The gradient of each class's weight: the losses of its labels, -logs there; where the mean is
/// taken, as far as they differ from it.
Tensor of_weights(const Backward& step, const Tensor& labels, const Tensor& logs) {
  Tensor losses =
      unless_ignored(step, labels, neg(sum(where(hits(step, labels), logs, 0), Dims{1})));
  Tensor shares = step.grad_output();
  if (is_mean(step)) {
    const Tensor weights = weights_of(step, labels);
    const Tensor total = sum(weights);
    losses = sub(losses, div(sum(mul(weights, losses)), total));
    shares = div(shares, total);
  }
  losses = unless_ignored(step, labels, mul(losses, shares));
  const Tensor rows = unless_ignored(step, labels, labels);
  const Tensor zeros = losses.new_full(step.input_shape(2), 0);
  return add_slices(zeros, 0, reshape(rows, {-1}), reshape(losses, {-1}));
}

void likelihood_rule(Backward& step) {
  const Tensor labels = step.input(1);
  if (step.needs_input_grad(2)) step.set_grad_input(2, of_weights(step, labels, step.input(0)));
  if (!step.needs_input_grad(0)) return;
  step.set_grad_input(0, where(hits(step, labels), unsqueeze(neg(of_labels(step, labels)), 1), 0));
}

/// Functions that record a gradient ask for the log-probabilities, too.
void cross_entropy_rule(Backward& step) {
  if (!step.has_output(1)) {
    throw Error(ErrorKind::unsupported,
                "[SoftmaxCrossEntropyLoss] has a gradient only where its log-probabilities are "
                "asked for, too");
  }
  const Tensor labels = step.input(1), logs = step.output(1);
  if (step.needs_input_grad(2)) step.set_grad_input(2, of_weights(step, labels, logs));
  if (!step.needs_input_grad(0)) return;
  const Tensor probabilities = exp(logs);
  const Tensor shares = unsqueeze(of_labels(step, labels), 1);
  const Tensor hit = hits(step, labels).to(step.input_dtype(0));
  Tensor gradient = mul(sub(probabilities, hit), shares);
  if (step.has_grad_output(1)) {
    const Tensor of_logs = step.grad_output(1);
    const Tensor total = sum(of_logs, Dims{1}, true);
    gradient = add(gradient, sub(of_logs, mul(probabilities, total)));
  }
  step.set_grad_input(0, gradient);
}

constexpr RuleRow kLossesRules[] = {
    {"NegativeLogLikelihoodLoss", likelihood_rule, saves(0, 1, 2)},
    {"SoftmaxCrossEntropyLoss", cross_entropy_rule, saves(1, 2), saves(1)},
};

}  // namespace

std::span<const RuleRow> loss_rules() { return kLossesRules; }

}  // namespace switchyard
