// Gradients of views: the same elements under other shapes.
#include <algorithm>
#include <numeric>
#include <switchyard/functions.hpp>

#include "functions/indexing/indexed_elements.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

/// Reshape, Squeeze, Unsqueeze, Flatten, Identity.
void shape_rule(Backward& step) {
  step.set_grad_input(0, reshape(step.grad_output(), step.input_shape(0)));
}

void expand_rule(Backward& step) {
  step.set_grad_input(0, sum_to(step.grad_output(), step.input_shape(0)));
}

void transpose_rule(Backward& step) {
  const std::vector<std::int64_t> order = step.attributes().get_ints("perm");
  const std::size_t rank = step.input_shape(0).size();
  Dims back = Dims::filled(rank, 0);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t from = order.empty() ? rank - 1 - i : static_cast<std::size_t>(order[i]);
    back[from] = static_cast<std::int64_t>(i);
  }
  step.set_grad_input(0, permute(step.grad_output(), back));
}

std::vector<std::int64_t> integers(const Tensor& list) {
  return list.to(DType::int64).to_vector<std::int64_t>();
}

/// One dimension of a slice: which indices of the input it shows.
struct Cut {
  std::int64_t dim, start, step, count;
};

/// The gradient of a cut in one dimension: zeros around, and between where it steps.
Tensor uncut(const Tensor& gradient, const Cut& cut, std::int64_t extent) {
  Dims whole = gradient.shape();
  whole[static_cast<std::size_t>(cut.dim)] = extent;
  if (cut.step == 1) {
    Dims before = whole, after = whole;
    before[static_cast<std::size_t>(cut.dim)] = cut.start;
    after[static_cast<std::size_t>(cut.dim)] = extent - cut.start - cut.count;
    std::vector<Tensor> parts;
    if (cut.start > 0) parts.push_back(gradient.new_full(before, 0));
    parts.push_back(gradient);
    if (cut.start + cut.count < extent) parts.push_back(gradient.new_full(after, 0));
    return parts.size() == 1 ? gradient : cat(parts, cut.dim);
  }
  std::vector<std::int64_t> indices(static_cast<std::size_t>(cut.count));
  for (std::int64_t i = 0; i < cut.count; ++i) {
    indices[static_cast<std::size_t>(i)] = cut.start + i * cut.step;
  }
  return add_slices(gradient.new_full(whole, 0), cut.dim, host_tensor({cut.count}, indices),
                    gradient);
}

std::vector<Cut> cuts_of(const Backward& step) {
  const Dims& shape = step.input_shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto starts = integers(step.input(1)), ends = integers(step.input(2));
  std::vector<std::int64_t> axes(starts.size()), steps(starts.size(), 1);
  std::iota(axes.begin(), axes.end(), 0);
  if (step.has_input(3)) axes = integers(step.input(3));
  if (step.has_input(4)) steps = integers(step.input(4));
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t dim = axes[i] < 0 ? axes[i] + rank : axes[i];
    const std::int64_t extent = shape[static_cast<std::size_t>(dim)];
    const auto bounded = [&](std::int64_t at) {
      const std::int64_t from_start = at < 0 ? at + extent : at;
      return steps[i] > 0 ? std::clamp<std::int64_t>(from_start, 0, extent)
                          : std::clamp<std::int64_t>(from_start, -1, extent - 1);
    };
    const std::int64_t start = bounded(starts[i]), end = bounded(ends[i]);
    const std::int64_t distance = steps[i] > 0 ? end - start : start - end;
    // A step beyond the extent takes one element, like the extent itself.
    const std::int64_t most = std::max<std::int64_t>(1, extent);
    const std::int64_t stride = std::clamp(steps[i], -most, most);
    cuts.push_back(
        {dim, start, stride, ceil_div(std::max<std::int64_t>(0, distance), std::abs(stride))});
  }
  return cuts;
}

void slice_rule(Backward& step) {
  Tensor gradient = step.grad_output();
  for (const Cut& cut : cuts_of(step)) {
    gradient = uncut(gradient, cut, step.input_shape(0)[static_cast<std::size_t>(cut.dim)]);
  }
  step.set_grad_input(0, gradient);
}

void concat_rule(Backward& step) {
  const auto rank = static_cast<std::int64_t>(step.input_shape(0).size());
  const std::int64_t axis = step.attributes().get_int("axis", 0);
  const std::int64_t dim = axis < 0 ? axis + rank : axis;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    const std::int64_t length = step.input_shape(i)[static_cast<std::size_t>(dim)];
    if (step.needs_input_grad(i))
      step.set_grad_input(i, narrow(step.grad_output(), dim, start, length));
    start += length;
  }
}

constexpr RuleRow kViewsRules[] = {
    {"Identity", shape_rule},      {"Reshape", shape_rule},
    {"Flatten", shape_rule},       {"Squeeze", shape_rule},
    {"Unsqueeze", shape_rule},     {"Expand", expand_rule},
    {"Transpose", transpose_rule}, {"Slice", slice_rule, saves(1, 2, 3, 4)},
    {"Concat", concat_rule},
};

}  // namespace

std::span<const RuleRow> view_rules() { return kViewsRules; }

}  // namespace switchyard
