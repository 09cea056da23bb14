// Gradients of arithmetic on tensors that broadcast.
#include <array>
#include <switchyard/functions.hpp>

#include "functions/calls/numbers.hpp"
#include "gradients/rules.hpp"

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

/// A number as a tensor whose type counts, as it does not beside another number.
Tensor counting(const Tensor& x) {
  if (!is_number(x)) return x;
  std::array<std::byte, 8> element;
  x.copy_to(element.data(), x.size_bytes());
  return Tensor::copy_of(x.dtype(), {}, element.data(), x.size_bytes());
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

/// Shared evenly among the inputs that hold the extremum. None equals a NaN: then all get the
/// gradient, as in PyTorch, and so do the inputs that `beyond` does not tell from it.
template <Mask (*beyond)(const Tensor&, const Tensor&)>
void extremum_rule(Backward& step) {
  const Tensor extremum = step.output().detach();
  Tensor holders;
  for (std::size_t i = 0; i < step.input_count(); ++i) {
    const Tensor here = eq(step.input(i), extremum).to(extremum.dtype());
    holders = holders ? add(holders, here) : here;
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
    inside = inside ? Tensor(logical_and(inside, below)) : below;
  }
  step.set_grad_input(0, inside ? where(inside, step.grad_output(), 0) : step.grad_output());
}

constexpr RuleRow kArithmeticRules[] = {
    {"Add", add_rule},
    {"Sub", sub_rule},
    {"Mul", mul_rule, saves(0, 1)},
    {"Div", div_rule, saves(0, 1)},
    {"Mod", mod_rule, saves(0, 1)},
    {"Pow", pow_rule, saves(0, 1)},
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
