// Gradients of reductions.
#include <switchyard/functions.hpp>

#include "autograd/rules.hpp"

namespace switchyard {
namespace {

/// What a reduction gave, or its gradient, with the reduced dimensions kept as 1.
Dims kept_shape(const Backward& step) {
  const Dims& shape = step.input_shape(0);
  std::vector<std::int64_t> axes;
  if (step.has_input(1)) axes = step.input(1).to_vector<std::int64_t>();
  if (axes.empty() && step.attributes().get_int("noop_with_empty_axes", 0) != 0) return shape;
  Dims kept = shape;
  for (std::size_t d = 0; axes.empty() && d < kept.size(); ++d) kept[d] = 1;
  for (const std::int64_t axis : axes) {
    kept[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis)] = 1;
  }
  return kept;
}

Tensor spread(const Backward& step, const Tensor& gradient) {
  return expand(reshape(gradient, kept_shape(step)), step.input_shape(0));
}

void sum_rule(Backward& step) { step.give(0, spread(step, step.arriving())); }

void mean_rule(Backward& step) {
  const auto count = static_cast<double>(element_count(step.input_shape(0))) /
                     static_cast<double>(std::max<std::int64_t>(element_count(kept_shape(step)), 1));
  step.give(0, spread(step, div(step.arriving(), count)));
}

constexpr RuleRow kRows[] = {
    {"ReduceSum", sum_rule, saves(1)},
    {"ReduceMean", mean_rule, saves(1)},
};

}  // namespace

std::span<const RuleRow> reduction_rules() { return kRows; }

}  // namespace switchyard
