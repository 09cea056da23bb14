// Gradients of reductions, and of sums on the way.
#include <algorithm>
#include <limits>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kCumSum("CumSum");

std::vector<std::int64_t> axes_of(const Backward& step) {
  if (!step.has_input(1)) return {};
  return step.input(1).to_vector<std::int64_t>();
}

bool is_copy(const Backward& step) {
  return step.attributes().get_int("noop_with_empty_axes", 0) != 0 && axes_of(step).empty();
}

/// What a reduction gave, or its gradient, with the reduced dimensions kept as 1.
Dims kept_shape(const Backward& step) {
  const Dims& shape = step.input_shape(0);
  if (is_copy(step)) return shape;
  const std::vector<std::int64_t> axes = axes_of(step);
  if (axes.empty()) return Dims::filled(shape.size(), 1);
  Dims kept = shape;
  for (const std::int64_t axis : axes) {
    const std::int64_t at = axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis;
    kept[static_cast<std::size_t>(at)] = 1;
  }
  return kept;
}

Tensor kept(const Backward& step, const Tensor& reduced) {
  return reshape(reduced, kept_shape(step));
}

Tensor spread(const Backward& step, const Tensor& gradient) {
  return expand(kept(step, gradient), step.input_shape(0));
}

void sum_rule(Backward& step) { step.set_grad_input(0, spread(step, step.grad_output())); }

void mean_rule(Backward& step) {
  const auto count =
      static_cast<double>(element_count(step.input_shape(0))) /
      static_cast<double>(std::max<std::int64_t>(element_count(kept_shape(step)), 1));
  step.set_grad_input(0, spread(step, div(step.grad_output(), count)));
}

/// Shared evenly among the elements that hold the extremum. None equals a NaN: then the gradient of
/// all is NaN.
void extremum_rule(Backward& step) {
  const Tensor extremum = kept(step, step.output().detach());
  const Tensor holders = eq(step.input(0), extremum);
  const Tensor grad_output = kept(step, step.grad_output());
  const Tensor share = div(grad_output, sum_to(holders, kept_shape(step)));
  const Tensor nan = extremum.new_full(Dims{}, std::numeric_limits<double>::quiet_NaN());
  const Mask hides_nan = logical_and(isnan(extremum), ne(grad_output, 0));
  step.set_grad_input(0, where(holders, share, where(hides_nan, nan, 0)));
}

/// The product of all other elements of each row of [rows, count]: that of the neighbour in its
/// pair, times that of all other pairs. Nothing is divided by, so zeros are like other numbers.
Tensor product_of_others(const Tensor& x) {
  const std::int64_t rows = x.shape()[0], count = x.shape()[1];
  if (count == 1) return ones_like(x);
  if (count % 2 == 1) {
    const Tensor even = cat({x, x.new_full({rows, 1}, 1)}, 1);
    return narrow(product_of_others(even), 1, 0, count);
  }
  const Tensor pairs = reshape(x, {rows, count / 2, 2});
  const Tensor first = narrow(pairs, 2, 0, 1), second = narrow(pairs, 2, 1, 1);
  const Tensor of_pairs = product_of_others(squeeze(mul(first, second), 2));
  return reshape(mul(cat({second, first}, 2), unsqueeze(of_pairs, 2)), {rows, count});
}

void product_rule(Backward& step) {
  const Tensor x = step.input(0);
  if (x.size() == 0) return step.set_grad_input(0, zeros_like(x));
  const Dims whole = kept_shape(step);
  Dims order;
  Dims back = Dims::filled(whole.size(), 0);
  for (const bool goes : {false, true}) {
    for (std::size_t d = 0; d < whole.size(); ++d) {
      if ((whole[d] == 1) == goes) order.push_back(static_cast<std::int64_t>(d));
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  const Tensor turned = permute(x, order);
  const Tensor others = product_of_others(reshape(turned, {element_count(whole), -1}));
  const Tensor derivative = permute(reshape(others, turned.shape()), back);
  step.set_grad_input(0, mul(kept(step, step.grad_output()), derivative));
}

void l1_rule(Backward& step) {
  step.set_grad_input(0, mul(kept(step, step.grad_output()), sign(step.input(0))));
}

/// No gradient at 0, where the derivative is not defined.
void l2_rule(Backward& step) {
  const Tensor length = kept(step, step.output());
  const Mask flat = eq(length, 0);
  const Tensor rate = div(kept(step, step.grad_output()), where(flat, 1, length));
  step.set_grad_input(0, mul(step.input(0), where(flat, 0, rate)));
}

void sum_square_rule(Backward& step) {
  step.set_grad_input(0, mul(mul(kept(step, step.grad_output()), 2), step.input(0)));
}

void log_sum_rule(Backward& step) {
  step.set_grad_input(0, spread(step, div(step.grad_output(), exp(step.output()))));
}

/// Where all elements are -infinity none has a share.
void log_sum_exp_rule(Backward& step) {
  const Tensor total = kept(step, step.output());
  const Tensor shift = where(eq(total, -std::numeric_limits<double>::infinity()), 0, total);
  step.set_grad_input(0, mul(kept(step, step.grad_output()), exp(sub(step.input(0), shift))));
}

void cumulative_sum_rule(Backward& step) {
  const std::int64_t reverse = step.attributes().get_int("reverse", 0);
  const std::int64_t exclusive = step.attributes().get_int("exclusive", 0);
  step.set_grad_input(0, kCumSum({step.grad_output(), step.input(1)},
                                 attributes({{"exclusive", exclusive}, {"reverse", 1 - reverse}})));
}

/// `x` moved on by `positions` along dimension 0, with ones in front.
Tensor moved_on(const Tensor& x, std::int64_t positions) {
  Dims front = x.shape();
  front[0] = positions;
  return cat({x.detach().new_full(front, 1), narrow(x, 0, 0, x.size(0) - positions)}, 0);
}

/// The products of 1, 2, 4, ... elements up to each: nothing is divided by, so zeros are like other
/// numbers.
std::vector<Tensor> cumulative_product(const Backward& step, std::span<const Tensor> in) {
  const std::int64_t axis = in[1].to(DType::int64).to_vector<std::int64_t>()[0];
  const bool is_reverse = step.attributes().get_int("reverse", 0) != 0;
  if (in[0].size() == 0) return {in[0]};
  Tensor y = movedim(widened(in[0]), axis, 0);
  if (is_reverse) y = flip(y, {0});
  const std::int64_t extent = y.size(0);
  if (step.attributes().get_int("exclusive", 0) != 0) y = moved_on(y, 1);
  for (std::int64_t positions = 1; positions < extent; positions *= 2)
    y = mul(y, moved_on(y, positions));
  if (is_reverse) y = flip(y, {0});
  return {movedim(y, 0, axis).to(in[0].dtype())};
}

constexpr RuleRow kReductionsRules[] = {
    {"ReduceSum", sum_rule, saves(1)},
    {"ReduceMean", mean_rule, saves(1)},
    {"ReduceMax", extremum_rule, saves(0, 1), saves(0)},
    {"ReduceMin", extremum_rule, saves(0, 1), saves(0)},
    {"ReduceProd", product_rule, saves(0, 1)},
    {"ReduceL1", l1_rule, saves(0, 1)},
    {"ReduceL2", l2_rule, saves(0, 1), saves(0)},
    {"ReduceSumSquare", sum_square_rule, saves(0, 1)},
    {"ReduceLogSum", log_sum_rule, saves(1), saves(0)},
    {"ReduceLogSumExp", log_sum_exp_rule, saves(0, 1), saves(0)},
    {"CumSum", cumulative_sum_rule, saves(1)},
    {"CumProd", composite_gradient<cumulative_product>, kAll},
};

}  // namespace

std::span<const RuleRow> reduction_rules() { return kReductionsRules; }

}  // namespace switchyard
