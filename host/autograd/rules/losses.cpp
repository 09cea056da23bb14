// Gradients of losses of classes.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/rules.hpp"
#include "functions/beside.hpp"

namespace switchyard {
namespace {

/// What the gradient of each label's own loss is: weighted, and shared as `reduction` says. Labels
/// that are ignored have 0.
Tensor of_labels(const Backward& step, const Tensor& labels, std::string_view op) {
  if (step.wants(2)) {
    throw Error(ErrorKind::unsupported,
                fmt::format("[{}] has no gradient by the weights of classes", op));
  }
  const DType dtype = step.input_dtype(0);
  Tensor weights;
  if (step.attributes().has("ignore_index")) {
    const Mask counts = ne(labels, step.attributes().get_int("ignore_index", 0));
    weights = counts.to(dtype);
    if (step.has_input(2)) {
      const Tensor rows = reshape(where(counts, labels, 0), {-1});
      weights = mul(weights, reshape(index_select(step.input(2), 0, rows), labels.shape()));
    }
  } else if (step.has_input(2)) {
    weights = reshape(index_select(step.input(2), 0, reshape(labels, {-1})), labels.shape());
  } else {
    weights = full_like(step.arriving(), labels.shape(), 1);
  }
  const bool mean = step.attributes().get_text("reduction", "mean") == "mean";
  return mul(weights, mean ? div(step.arriving(), sum(weights)) : step.arriving());
}

/// Where the label of each place of [N, C, ...] is its class.
Mask hits(const Backward& step, const Tensor& labels) {
  const Dims& shape = step.input_shape(0);
  TensorOptions options = beside(step.arriving());
  options.dtype = labels.dtype();
  Dims column(shape.size() - 1, 1);
  column[0] = shape[1];
  const Tensor classes = reshape(arange(shape[1], options), column);
  return eq(unsqueeze(labels, 1), classes);
}

void likelihood_rule(Backward& step) {
  const Tensor labels = step.input(1);
  const Tensor shares = unsqueeze(neg(of_labels(step, labels, "NegativeLogLikelihoodLoss")), 1);
  step.give(0, where(hits(step, labels), shares, 0));
}

/// Functions that note a gradient ask for the log-probabilities, too.
void cross_entropy_rule(Backward& step) {
  const Tensor labels = step.input(1), logs = step.output(1);
  const Tensor probabilities = exp(logs);
  const Tensor shares = unsqueeze(of_labels(step, labels, "SoftmaxCrossEntropyLoss"), 1);
  const Tensor hit = hits(step, labels).to(step.input_dtype(0));
  Tensor gradient = mul(sub(probabilities, hit), shares);
  if (step.arrives(1)) {
    const Tensor of_logs = step.arriving(1);
    const Tensor total = sum(of_logs, Dims{1}, true);
    gradient = add(gradient, sub(of_logs, mul(probabilities, total)));
  }
  step.give(0, gradient);
}

constexpr RuleRow kRows[] = {
    {"NegativeLogLikelihoodLoss", likelihood_rule, saves(1, 2)},
    {"SoftmaxCrossEntropyLoss", cross_entropy_rule, saves(1, 2), saves(1)},
};

}  // namespace

std::span<const RuleRow> loss_rules() { return kRows; }

}  // namespace switchyard
