// Gradients of functions of one tensor, element by element.
#include <numbers>
#include <switchyard/functions.hpp>

#include "gradients/rules.hpp"

namespace switchyard {
namespace {

/// The gradient times the derivative at the input, or at the output where that is simpler.
template <Tensor (*derivative)(const Tensor&)>
void by_input(Backward& step) {
  step.set_grad_input(0, mul(step.grad_output(), derivative(step.input(0))));
}
template <Tensor (*derivative)(const Tensor&)>
void by_output(Backward& step) {
  step.set_grad_input(0, mul(step.grad_output(), derivative(step.output())));
}

Tensor one_over_root(const Tensor& y) { return div(0.5, y); }
Tensor minus_square(const Tensor& y) { return neg(square(y)); }
Tensor itself(const Tensor& y) { return y; }
Tensor plus_one(const Tensor& y) { return add(y, 1); }
Tensor by_ln2(const Tensor& y) { return mul(y, std::numbers::ln2); }
Tensor minus_half_cube(const Tensor& y) { return mul(mul(square(y), y), -0.5); }
Tensor of_log1p(const Tensor& x) { return reciprocal(add(x, 1)); }
Tensor of_log2(const Tensor& x) { return reciprocal(mul(x, std::numbers::ln2)); }
Tensor of_log10(const Tensor& x) { return reciprocal(mul(x, std::numbers::ln10)); }
Tensor minus_sine(const Tensor& x) { return neg(sin(x)); }
Tensor one_plus_square(const Tensor& y) { return add(square(y), 1); }
Tensor of_asin(const Tensor& x) { return rsqrt(sub(1, square(x))); }
Tensor of_acos(const Tensor& x) { return neg(of_asin(x)); }
Tensor of_atan(const Tensor& x) { return reciprocal(add(square(x), 1)); }
Tensor of_tanh(const Tensor& y) { return sub(1, square(y)); }
Tensor of_asinh(const Tensor& x) { return rsqrt(add(square(x), 1)); }
Tensor of_acosh(const Tensor& x) { return rsqrt(sub(square(x), 1)); }
Tensor of_atanh(const Tensor& x) { return reciprocal(sub(1, square(x))); }
Tensor of_sigmoid(const Tensor& y) { return mul(y, sub(1, y)); }
Tensor of_erf(const Tensor& x) { return mul(exp(neg(square(x))), 2 * std::numbers::inv_sqrtpi); }
Tensor of_erfc(const Tensor& x) { return neg(of_erf(x)); }
Tensor of_erfinv(const Tensor& y) { return mul(exp(square(y)), 0.5 / std::numbers::inv_sqrtpi); }

/// For x from 1/2 on: six steps up, then the asymptotic series.
Tensor trigamma_of_large(const Tensor& x) {
  Tensor steps = reciprocal(square(x));
  for (int i = 1; i < 6; ++i) steps = add(steps, reciprocal(square(add(x, i))));
  const Tensor r = reciprocal(add(x, 6)), t = square(r);
  Tensor series = mul(t, -1.0 / 30);
  for (const double factor : {1.0 / 42, -1.0 / 30, 1.0 / 6}) series = mul(t, add(series, factor));
  return add(steps, mul(r, add(add(series, mul(r, 0.5)), 1)));
}

/// Below 1/2 by the mirror's: pi^2 / sin(pi x)^2 minus that of 1 - x.
Tensor of_digamma(const Tensor& x) {
  const Mask is_low = lt(x, 0.5);
  const Tensor plain = trigamma_of_large(where(is_low, sub(1, x), x));
  const Tensor low = where(is_low, x, 0.5);
  const Tensor sine = sin(mul(sub(low, round(low)), std::numbers::pi));
  const Tensor turn = square(div(std::numbers::pi, sine));
  return where(is_low, sub(turn, plain), plain);
}

void frac_rule(Backward& step) { step.set_grad_input(0, step.grad_output()); }

void neg_rule(Backward& step) { step.set_grad_input(0, neg(step.grad_output())); }

/// Steps: flat wherever there is a derivative at all.
void flat_rule(Backward& step) { step.set_grad_input(0, zeros_like(step.grad_output())); }

void cast_rule(Backward& step) {
  step.set_grad_input(0, step.grad_output().to(step.input_dtype(0)));
}

constexpr RuleRow kUnaryRules[] = {
    {"Abs", by_input<sign>, saves(0)},
    {"Neg", neg_rule},
    {"Sign", flat_rule},
    {"Floor", flat_rule},
    {"Ceil", flat_rule},
    {"Round", flat_rule},
    {"Sqrt", by_output<one_over_root>, kNothing, saves(0)},
    {"Reciprocal", by_output<minus_square>, kNothing, saves(0)},
    {"Exp", by_output<itself>, kNothing, saves(0)},
    {"Log", by_input<reciprocal>, saves(0)},
    {"Sin", by_input<cos>, saves(0)},
    {"Cos", by_input<minus_sine>, saves(0)},
    {"Tan", by_output<one_plus_square>, kNothing, saves(0)},
    {"Asin", by_input<of_asin>, saves(0)},
    {"Acos", by_input<of_acos>, saves(0)},
    {"Atan", by_input<of_atan>, saves(0)},
    {"Sinh", by_input<cosh>, saves(0)},
    {"Cosh", by_input<sinh>, saves(0)},
    {"Tanh", by_output<of_tanh>, kNothing, saves(0)},
    {"Asinh", by_input<of_asinh>, saves(0)},
    {"Acosh", by_input<of_acosh>, saves(0)},
    {"Atanh", by_input<of_atanh>, saves(0)},
    {"Sigmoid", by_output<of_sigmoid>, kNothing, saves(0)},
    {"Erf", by_input<of_erf>, saves(0)},
    {"Exp2", by_output<by_ln2>, kNothing, saves(0), "switchyard"},
    {"Expm1", by_output<plus_one>, kNothing, saves(0), "switchyard"},
    {"Log1p", by_input<of_log1p>, saves(0), kNothing, "switchyard"},
    {"Log2", by_input<of_log2>, saves(0), kNothing, "switchyard"},
    {"Log10", by_input<of_log10>, saves(0), kNothing, "switchyard"},
    {"Rsqrt", by_output<minus_half_cube>, kNothing, saves(0), "switchyard"},
    {"Trunc", flat_rule, kNothing, kNothing, "switchyard"},
    {"Frac", frac_rule, kNothing, kNothing, "switchyard"},
    {"Erfc", by_input<of_erfc>, saves(0), kNothing, "switchyard"},
    {"Erfinv", by_output<of_erfinv>, kNothing, saves(0), "switchyard"},
    {"Lgamma", by_input<digamma>, saves(0), kNothing, "switchyard"},
    {"Digamma", by_input<of_digamma>, saves(0), kNothing, "switchyard"},
    {"Cast", cast_rule},
    {"CastLike", cast_rule},
};

}  // namespace

std::span<const RuleRow> unary_rules() { return kUnaryRules; }

}  // namespace switchyard
