// Gradients of order among elements.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kUnique("Unique");

/// Back to the positions that the elements came from, each of which gave at most one.
void top_k_rule(Backward& step) {
  if (!step.has_grad_output(0)) return;
  const Tensor zeros = step.grad_output().new_full(step.input_shape(0), 0);
  step.set_grad_input(0, scatter_elements(zeros, step.attributes().get_int("axis", -1),
                                          step.output(1).detach(), step.grad_output(), "none"));
}

/// Each element that stayed was read where it stands first; the call may not have asked where.
void unique_rule(Backward& step) {
  if (!step.has_grad_output(0)) return;
  const Tensor x = step.input(0).detach();
  const Tensor first = kUnique.outputs(2, {x}, step.attributes())[1];
  const bool flat = !step.attributes().has("axis");
  const Dims whole = flat ? Dims{x.size()} : x.shape();
  const std::int64_t axis = flat ? 0 : step.attributes().get_int("axis", 0);
  const Tensor zeros = step.grad_output().new_full(whole, 0);
  step.set_grad_input(0, reshape(add_slices(zeros, axis, first, step.grad_output()), x.shape()));
}

constexpr RuleRow kSortingRules[] = {
    {"TopK", top_k_rule, kNothing, saves(1)},
    {"Unique", unique_rule, saves(0)},
};

}  // namespace

std::span<const RuleRow> sorting_rules() { return kSortingRules; }

}  // namespace switchyard
