// Gradients of arithmetic on tensors that broadcast.
#include <array>
#include <switchyard/functions.hpp>

#include "functions/calls/numbers.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

void give(Backward& step, std::size_t i, const Tensor& gradient) {
  step.set_grad_input(i, sum_to(gradient, step.input_shape(i)));
}

void add_rule(Backward& step) {
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    if (step.needs_input_grad(i)) give(step, i, step.grad_output());
  }
}

void sub_rule(Backward& step) {
  if (step.needs_input_grad(0)) give(step, 0, step.grad_output());
  if (step.needs_input_grad(1)) give(step, 1, neg(step.grad_output()));
}

void mul_rule(Backward& step) {
  if (step.needs_input_grad(0)) give(step, 0, mul(step.grad_output(), step.input(1)));
  if (step.needs_input_grad(1)) give(step, 1, mul(step.grad_output(), step.input(0)));
}

void div_rule(Backward& step) {
  const Tensor by_a = div(step.grad_output(), step.input(1));
  if (step.needs_input_grad(0)) give(step, 0, by_a);
  if (step.needs_input_grad(1)) give(step, 1, neg(mul(by_a, div(step.input(0), step.input(1)))));
}

/// a - b trunc(a / b), or with floor in place of trunc; its steps have no derivative.
void mod_rule(Backward& step) {
  if (step.needs_input_grad(0)) give(step, 0, step.grad_output());
  if (!step.needs_input_grad(1)) return;
  const Tensor quotient = div(step.input(0), step.input(1)).detach();
  const bool truncates = step.attributes().get_int("fmod", 0) != 0;
  give(step, 1, neg(mul(step.grad_output(), truncates ? trunc(quotient) : floor(quotient))));
}

/// a - b floor(a / b)
void remainder_rule(Backward& step) {
  if (step.needs_input_grad(0)) give(step, 0, step.grad_output());
  if (!step.needs_input_grad(1)) return;
  const Tensor quotient = floor_divide(step.input(0), step.input(1)).detach();
  give(step, 1, neg(mul(step.grad_output(), quotient)));
}

/// A number as a tensor whose type counts, as it does not beside another number.
Tensor counting(const Tensor& x) {
  if (!is_number(x)) return x;
  std::array<std::byte, 8> element;
  x.copy_to(element.data(), x.size_bytes());
  return host_tensor_from_bytes(
      x.dtype(), {reinterpret_cast<const std::byte*>(element.data()), x.size_bytes()}, {});
}

/// Where the exponent is 0 the base has no influence, and at 0^positive the exponent has none,
/// though the formulas have 0 times infinity there.
void pow_rule(Backward& step) {
  const Tensor base = counting(step.input(0)), exponent = counting(step.input(1));
  if (step.needs_input_grad(0)) {
    const Tensor derivative = mul(exponent, pow(base, sub(exponent, 1)));
    give(step, 0, where(eq(exponent, 0), 0, mul(step.grad_output(), derivative)));
  }
  if (step.needs_input_grad(1)) {
    const Tensor flat = logical_and(eq(base, 0), ge(exponent, 0));
    const Tensor rate = log(where(flat, 1, base));
    give(step, 1, where(flat, 0, mul(step.grad_output(), mul(pow(base, exponent), rate))));
  }
}

/// Steps: flat wherever there is a derivative at all.
void floor_divide_rule(Backward& step) {
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    if (step.needs_input_grad(i)) give(step, i, zeros_like(step.grad_output()));
  }
}

/// A distance to divide by; where it is 0 there is no direction, and what is divided is 0.
Tensor divisor(const Tensor& distance) { return where(eq(distance, 0), 1, distance); }

void atan2_rule(Backward& step) {
  const Tensor y = step.input(0), x = step.input(1);
  const Tensor distance = divisor(hypot(y, x));
  const Tensor rate = div(step.grad_output(), distance);
  if (step.needs_input_grad(0)) give(step, 0, mul(rate, div(x, distance)));
  if (step.needs_input_grad(1)) give(step, 1, neg(mul(rate, div(y, distance))));
}

void hypot_rule(Backward& step) {
  const Tensor distance = divisor(step.output());
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    if (!step.needs_input_grad(i)) continue;
    give(step, i, mul(step.grad_output(), div(step.input(i), distance)));
  }
}

/// Shares that add to 1; the difference of equal infinities is taken as 0.
void log_add_exp_rule(Backward& step) {
  const Tensor a = step.input(0), b = step.input(1);
  const Tensor apart = where(logical_and(isinf(a), eq(a, b)), 0, sub(a, b));
  if (step.needs_input_grad(0)) give(step, 0, mul(step.grad_output(), sigmoid(apart)));
  if (step.needs_input_grad(1)) give(step, 1, mul(step.grad_output(), sigmoid(neg(apart))));
}

/// Shared evenly among the inputs that hold the extremum. None equals a NaN: then all get the
/// gradient, as in PyTorch, and so do the inputs that `beyond` does not tell from it.
template <Mask (*beyond)(const Tensor&, const Tensor&)>
void extremum_rule(Backward& step) {
  const Tensor extremum = step.output().detach();
  Tensor holders;
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    const Tensor here = eq(step.input(i), extremum).to(extremum.dtype());
    holders = holders.defined() ? add(holders, here) : here;
  }
  const Tensor share = div(step.grad_output(), clamp(holders, 1));
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    if (step.needs_input_grad(i)) give(step, i, where(beyond(extremum, step.input(i)), 0, share));
  }
}

void mean_of_inputs_rule(Backward& step) {
  const Tensor share = div(step.grad_output(), static_cast<double>(step.input_count()));
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    if (step.needs_input_grad(i)) give(step, i, share);
  }
}

void where_rule(Backward& step) {
  if (step.needs_input_grad(1)) give(step, 1, where(step.input(0), step.grad_output(), 0));
  if (step.needs_input_grad(2)) give(step, 2, where(step.input(0), 0, step.grad_output()));
}

void clip_rule(Backward& step) {
  const Tensor x = step.input(0);
  Tensor inside;
  if (step.has_input(1)) inside = ge(x, step.input(1));
  if (step.has_input(2)) {
    const Tensor below = le(x, step.input(2));
    inside = inside.defined() ? Tensor(logical_and(inside, below)) : below;
  }
  step.set_grad_input(0,
                      inside.defined() ? where(inside, step.grad_output(), 0) : step.grad_output());
}

constexpr RuleRow kArithmeticRules[] = {
    {"Add", add_rule},
    {"Sub", sub_rule},
    {"Mul", mul_rule, saves(0, 1)},
    {"Div", div_rule, saves(0, 1)},
    {"Mod", mod_rule, saves(0, 1)},
    {"Pow", pow_rule, saves(0, 1)},
    {"FloorDivide", floor_divide_rule, kNothing, kNothing, "switchyard"},
    {"Remainder", remainder_rule, saves(0, 1), kNothing, "switchyard"},
    {"Atan2", atan2_rule, saves(0, 1), kNothing, "switchyard"},
    {"Hypot", hypot_rule, saves(0, 1), saves(0), "switchyard"},
    {"LogAddExp", log_add_exp_rule, saves(0, 1), kNothing, "switchyard"},
    {"Max", extremum_rule<gt>, kAll, saves(0)},
    {"Min", extremum_rule<lt>, kAll, saves(0)},
    {"Sum", add_rule},
    {"Mean", mean_of_inputs_rule},
    {"Where", where_rule, saves(0)},
    {"Clip", clip_rule, saves(0, 1, 2)},
};

}  // namespace

std::span<const RuleRow> arithmetic_rules() { return kArithmeticRules; }

}  // namespace switchyard
