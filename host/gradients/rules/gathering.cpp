// Gradients of reading and writing at positions that tensors name: what one writes the other reads.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/scatter_reduction.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kGatherND("GatherND"), kScatterND("ScatterND"), kOneHot("OneHot");

std::int64_t normalized_axis_of(const Backward& step, std::int64_t rank) {
  const std::int64_t axis = step.attributes().get_int("axis", 0);
  return axis < 0 ? axis + rank : axis;
}

Tensor zeros_of_input(const Backward& step, std::size_t i) {
  return step.grad_output().new_full(step.input_shape(i), 0);
}

/// Whole slices: those that were read more than once add up.
void gather_rule(Backward& step) {
  const Dims& shape = step.input_shape(0);
  const std::int64_t axis = normalized_axis_of(step, static_cast<std::int64_t>(shape.size()));
  const Tensor indices = reshape(step.input(1), {-1});
  Dims slices = shape;
  slices[static_cast<std::size_t>(axis)] = indices.size();
  step.set_grad_input(
      0, add_slices(zeros_of_input(step, 0), axis, indices, reshape(step.grad_output(), slices)));
}

void gather_elements_rule(Backward& step) {
  const auto rank = static_cast<std::int64_t>(step.input_shape(0).size());
  step.set_grad_input(0, scatter_elements(zeros_of_input(step, 0), normalized_axis_of(step, rank),
                                          step.input(1), step.grad_output(), "add"));
}

/// The tuples with the indices of the batch dimensions in front.
Tensor with_batch(const Tensor& tuples, std::int64_t batch_dims) {
  Dims single = tuples.shape();
  single[single.size() - 1] = 1;
  std::vector<Tensor> parts;
  for (std::int64_t d = 0; d < batch_dims; ++d) {
    const auto position = static_cast<std::size_t>(d);
    Dims along = Dims::filled(single.size(), 1);
    along[position] = single[position];
    const Tensor counted = cumsum(tuples.new_full(along, 1), d);
    parts.push_back(expand(sub(counted, 1), single));
  }
  parts.push_back(tuples);
  return cat(parts, -1);
}

void gather_nd_rule(Backward& step) {
  const std::int64_t batch_dims = step.attributes().get_int("batch_dims", 0);
  const Tensor tuples = batch_dims > 0 ? with_batch(step.input(1), batch_dims) : step.input(1);
  step.set_grad_input(0, kScatterND({zeros_of_input(step, 0), tuples, step.grad_output()},
                                    attributes({{"reduction", std::string("add")}})));
}

/// Whether the updates are added; otherwise they are written over what was there.
bool adds(const Backward& step) { return step.attributes().get_text("reduction", "none") == "add"; }

/// Of two updates of one position both get its gradient, as nobody knows which of them stayed.
void scatter_elements_rule(Backward& step) {
  const auto rank = static_cast<std::int64_t>(step.input_shape(0).size());
  const std::int64_t axis = normalized_axis_of(step, rank);
  const bool added = adds(step);
  const Tensor gradient = step.grad_output();
  if (step.needs_input_grad(0)) {
    step.set_grad_input(0, added ? gradient
                                 : scatter_elements(gradient, axis, step.input(1),
                                                    zeros_of_input(step, 2), "none"));
  }
  if (step.needs_input_grad(2))
    step.set_grad_input(2, gather_elements(gradient, axis, step.input(1)));
}

void scatter_nd_rule(Backward& step) {
  const bool added = adds(step);
  const Tensor gradient = step.grad_output(), tuples = step.input(1);
  if (step.needs_input_grad(0)) {
    step.set_grad_input(0,
                        added ? gradient : kScatterND({gradient, tuples, zeros_of_input(step, 2)}));
  }
  if (step.needs_input_grad(2)) step.set_grad_input(2, kGatherND({gradient, tuples}));
}

/// A flat condition without an axis; it may end before the dimension does.
void compress_rule(Backward& step) {
  const Dims& shape = step.input_shape(0);
  const bool flat = !step.attributes().has("axis");
  const std::int64_t axis =
      flat ? 0 : normalized_axis_of(step, static_cast<std::int64_t>(shape.size()));
  const Dims whole = flat ? Dims{element_count(shape)} : shape;
  const Tensor taken = reshape(nonzero(step.input(1)), {-1});
  const Tensor zeros = step.grad_output().new_full(whole, 0);
  step.set_grad_input(0, reshape(add_slices(zeros, axis, taken, step.grad_output()), shape));
}

/// `values` are what stands where the index is not, and where it is.
void one_hot_rule(Backward& step) {
  if (!step.needs_input_grad(2)) return;
  const Tensor gradient = step.grad_output();
  const Tensor on = kOneHot({step.input(0), step.input(1), int64s(Dims{0, 1})},
                            attributes({{"axis", step.attributes().get_int("axis", -1)}}));
  const Mask is_on = eq(on, 1);
  step.set_grad_input(2, stack({sum(where(is_on, 0, gradient)), sum(where(is_on, gradient, 0))}));
}

constexpr RuleRow kGatheringRules[] = {
    {"Gather", gather_rule, saves(1)},
    {"GatherElements", gather_elements_rule, saves(1)},
    {"GatherND", gather_nd_rule, saves(1)},
    {"Scatter", scatter_elements_rule, saves(1)},
    {"ScatterElements", scatter_elements_rule, saves(1), kNothing, "", scatter_reduction_row},
    {"ScatterND", scatter_nd_rule, saves(1), kNothing, "", scatter_reduction_nd_row},
    {"Compress", compress_rule, saves(1)},
    {"OneHot", one_hot_rule, saves(0, 1)},
};

}  // namespace

std::span<const RuleRow> gathering_rules() { return kGatheringRules; }

}  // namespace switchyard
