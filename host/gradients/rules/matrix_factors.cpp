// Gradients of factors of matrices. Products of factors are not written as inverses but solved for.
#include <switchyard/functions.hpp>

#include "functions/calls/options_like.hpp"
#include "functions/linalg/matrices.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

/// Columns, or rows, each times one of the numbers.
Tensor scaled_columns(const Tensor& x, const Tensor& numbers) {
  return mul(x, unsqueeze(numbers, -2));
}
Tensor scaled_rows(const Tensor& x, const Tensor& numbers) {
  return mul(x, unsqueeze(numbers, -1));
}

/// values[j] - values[i] at row i and column j; on the diagonal 1, to divide by.
Tensor gaps(const Tensor& values) {
  const Tensor unit = eye(values.size(-1), {}, options_like(values));
  return add(sub(unsqueeze(values, -2), unsqueeze(values, -1)), unit);
}

Tensor antisymmetric(const Tensor& x) { return sub(x, turned(x)); }

/// x triangle^-1
Tensor divided_by_triangle(const Tensor& x, const Tensor& triangle, bool upper) {
  return linalg::solve_triangular(triangle, x, {.left = false, .upper = upper});
}

/// Murray, Differentiation of the Cholesky decomposition, 2016, formula 9: with P the lower
/// triangle of L^T dL whose diagonal is halved, L^-T P L^-1, made symmetric.
void cholesky_rule(Backward& step) {
  const Tensor l = step.output(), back = turned(l);
  const Tensor product = matmul(back, tril(step.grad_output()));
  const Tensor halved = mul(add(tril(product), tril(product, -1)), 0.5);
  const Tensor left = linalg::solve_triangular(back, halved, {.upper = true});
  const Tensor whole = divided_by_triangle(left, l, false);
  step.set_grad_input(0, mul(add(whole, turned(whole)), 0.5));
}

/// Of as many columns as Q has: Walter and Lehmann, Algorithmic differentiation of linear algebra
/// functions with application in optimum experimental design, 2010; (dQ + Q M) R^-T, where M is
/// R dR^T - dQ^T Q with its lower triangle in place of the upper one, too.
Tensor of_square(const Tensor& of_q, const Tensor& of_r, const Tensor& q, const Tensor& r) {
  const Tensor m = sub(matmul(r, turned(triu(of_r))), matmul(turned(of_q), q));
  const Tensor mirrored_m = add(tril(m), turned(tril(m, -1)));
  return divided_by_triangle(add(of_q, matmul(q, mirrored_m)), turned(r), false);
}

/// The columns behind, of more columns than rows, are Q times those of R: Roberts and Roberts, QR
/// and LQ decomposition matrix backpropagation algorithms for square, wide, and deep matrices,
/// 2020.
void qr_rule(Backward& step) {
  const Tensor q = step.output(0), r = step.output(1);
  const Tensor of_q = step.grad_output(0), of_r = step.grad_output(1);
  const std::int64_t least = q.size(-1), more = r.size(-1) - least;
  if (more == 0) return step.set_grad_input(0, of_square(of_q, of_r, q, r));
  const Tensor behind = narrow(step.input(0), -1, least, more);
  const Tensor of_behind = narrow(of_r, -1, least, more);
  const Tensor first = of_square(add(of_q, matmul(behind, turned(of_behind))),
                                 narrow(of_r, -1, 0, least), q, narrow(r, -1, 0, least));
  step.set_grad_input(0, cat({first, matmul(q, of_behind)}, -1));
}

struct Singular {
  Tensor s, u, vh;
};

/// Vectors that the call was not asked for are computed now.
Singular singular_of(const Backward& step) {
  if (step.has_output(1) && step.has_output(2)) {
    return {step.output(0), step.output(1), step.output(2)};
  }
  const linalg::SingularDecomposition made = linalg::svd(step.input(0));
  return {made.s, made.u, made.vh};
}

/// Townsend, Differentiating the singular value decomposition, 2016.
void svd_rule(Backward& step) {
  const auto [s, u, vh] = singular_of(step);
  const bool has_u = step.has_grad_output(1), has_v = step.has_grad_output(2);
  Tensor gradient = matmul(scaled_columns(u, step.grad_output(0)), vh);
  if (!has_u && !has_v) return step.set_grad_input(0, gradient);
  const Tensor apart = gaps(square(s)), inverse_s = reciprocal(s);
  const auto add_between = [&](const Tensor& left, const Tensor& right) {
    gradient = add(gradient, matmul(left, right));
  };
  if (has_u) {
    const Tensor of_u = step.grad_output(1), along_u = matmul(turned(u), of_u);
    add_between(u, matmul(scaled_columns(div(antisymmetric(along_u), apart), s), vh));
    if (u.size(-2) > u.size(-1)) {
      add_between(scaled_columns(sub(of_u, matmul(u, along_u)), inverse_s), vh);
    }
  }
  if (has_v) {
    const Tensor of_vh = step.grad_output(2), along_v = matmul(of_vh, turned(vh));
    add_between(u, matmul(scaled_rows(div(antisymmetric(turned(along_v)), apart), s), vh));
    if (vh.size(-1) > vh.size(-2)) {
      add_between(u, scaled_rows(sub(of_vh, matmul(along_v, vh)), inverse_s));
    }
  }
  step.set_grad_input(0, gradient);
}

/// Giles, An extended collection of matrix derivative results, 2008, section 3.1, made symmetric.
void eigh_rule(Backward& step) {
  const bool has_vectors = step.has_output(1);
  const linalg::Eigen made =
      has_vectors ? linalg::Eigen{step.output(0), step.output(1)} : linalg::eigh(step.input(0));
  const Tensor v = made.vectors;
  Tensor rows = scaled_rows(turned(v), step.grad_output(0));
  if (step.has_grad_output(1)) {
    const Tensor along = matmul(turned(v), step.grad_output(1));
    rows = add(rows, matmul(div(mul(antisymmetric(along), 0.5), gaps(made.values)), turned(v)));
  }
  step.set_grad_input(0, matmul(v, rows));
}

constexpr RuleRow kMatrixFactorRules[] = {
    {"Cholesky", cholesky_rule, kNothing, saves(0), "switchyard"},
    {"Qr", qr_rule, saves(0), saves(0, 1), "switchyard"},
    {"Svd", svd_rule, saves(0), saves(0, 1, 2), "switchyard"},
    {"Eigh", eigh_rule, saves(0), saves(0, 1), "switchyard"},
};

}  // namespace

std::span<const RuleRow> matrix_factor_rules() { return kMatrixFactorRules; }

}  // namespace switchyard
