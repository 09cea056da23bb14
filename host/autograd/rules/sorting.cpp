// Gradients of order among elements.
#include <switchyard/functions.hpp>

#include "autograd/rules.hpp"

namespace switchyard {
namespace {

/// Back to the places that the elements came from, each of which gave at most one.
void top_k_rule(Backward& step) {
  if (!step.arrives(0)) return;
  const Tensor zeros = full_like(step.arriving(), step.input_shape(0), 0);
  step.give(0, scatter(zeros, step.attributes().get_int("axis", -1), step.output(1).detach(),
                       step.arriving()));
}

constexpr RuleRow kRows[] = {
    {"TopK", top_k_rule, kNothing, saves(1)},
    {"Unique", none},
};

}  // namespace

std::span<const RuleRow> sorting_rules() { return kRows; }

}  // namespace switchyard
