// Gradients of inverses and of what solves systems of equations.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/linalg/matrices.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kSolve("Solve", "switchyard"),
    kTriangularSolve("TriangularSolve", "switchyard");

/// Giles, An extended collection of matrix derivative results, 2008, section 2.2.3.
void inverse_rule(Backward& step) {
  const Tensor back = turned(step.output());
  step.set_grad_input(0, neg(matmul(matmul(back, step.grad_output()), back)));
}

/// What the matrix of A X = B gets of what B gets: section 2.3.1 of the same.
Tensor of_matrix(const Tensor& of_sides, const Tensor& solution) {
  return neg(matmul(of_sides, turned(solution)));
}

void solve_rule(Backward& step) {
  const Tensor of_sides = kSolve(turned(step.input(0)), step.grad_output());
  if (step.needs_input_grad(0)) {
    step.set_grad_input(0, sum_to(of_matrix(of_sides, step.output()), step.input_shape(0)));
  }
  if (step.needs_input_grad(1)) step.set_grad_input(1, sum_to(of_sides, step.input_shape(1)));
}

/// A diagonal that counts as 1 has no part in it.
void triangular_solve_rule(Backward& step) {
  const std::int64_t upper = step.attributes().get_int("upper", 0);
  const std::int64_t unit = step.attributes().get_int("unit", 0);
  const Tensor of_sides = kTriangularSolve({turned(step.input(0)), step.grad_output()},
                                           attributes({{"upper", 1 - upper}, {"unit", unit}}));
  if (step.needs_input_grad(0)) {
    const Tensor whole = sum_to(of_matrix(of_sides, step.output()), step.input_shape(0));
    step.set_grad_input(0, upper != 0 ? triu(whole, unit) : tril(whole, -unit));
  }
  if (step.needs_input_grad(1)) step.set_grad_input(1, sum_to(of_sides, step.input_shape(1)));
}

/// The sign does not change by small steps. Petersen and Pedersen, The Matrix Cookbook, 2012, 57.
void slog_det_rule(Backward& step) {
  if (!step.has_grad_output(1)) return;
  const Tensor g = unsqueeze(unsqueeze(step.grad_output(1), -1), -1);
  step.set_grad_input(0, mul(g, turned(linalg::inv(step.input(0)))));
}

/// For a rank that stays: Golub and Pereyra, The differentiation of pseudo-inverses and nonlinear
/// least squares problems whose variables separate, 1973, formula 4.12, turned.
void pseudo_inverse_rule(Backward& step) {
  const Tensor x = step.input(0), y = step.output(), g = turned(step.grad_output());
  const Tensor back = turned(y);
  const Tensor beside_columns = sub(g, matmul(x, matmul(y, g)));
  const Tensor beside_rows = sub(g, matmul(matmul(g, y), x));
  step.set_grad_input(
      0, sub(add(matmul(matmul(beside_columns, y), back), matmul(back, matmul(y, beside_rows))),
             matmul(matmul(back, turned(g)), back)));
}

constexpr RuleRow kLinearSystemRules[] = {
    {"Inverse", inverse_rule, kNothing, saves(0), "switchyard"},
    {"Solve", solve_rule, saves(0), saves(0), "switchyard"},
    {"TriangularSolve", triangular_solve_rule, saves(0), saves(0), "switchyard"},
    {"SlogDet", slog_det_rule, saves(0), kNothing, "switchyard"},
    {"PseudoInverse", pseudo_inverse_rule, saves(0), saves(0), "switchyard"},
};

}  // namespace

std::span<const RuleRow> linear_system_rules() { return kLinearSystemRules; }

}  // namespace switchyard
