// The gradient of Det: cofactors, which singular matrices have, too. Meant for small matrices.
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kDet("Det");

/// For each index of n all the others, one list after the other.
Tensor others(std::int64_t n) {
  std::vector<std::int64_t> indices;
  for (std::int64_t left_out = 0; left_out < n; ++left_out) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (i != left_out) indices.push_back(i);
    }
  }
  return host_tensor({n * (n - 1)}, indices);
}

Tensor signs(std::int64_t n, const Tensor& like) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < n * n; ++i) values.push_back((i / n + i % n) % 2 == 0 ? 1 : -1);
  return place(host_tensor({n, n}, values), options_like(like));
}

/// Signed determinants of the matrix without row i and column j.
Tensor cofactors(const Tensor& x) {
  const std::int64_t n = x.size(-1);
  if (n == 1) return x.new_full(x.shape(), 1);
  const Tensor picks = others(n);
  Dims shape(x.shape().span().first(x.shape().size() - 2));
  for (const std::int64_t extent : {n, n - 1, n, n - 1}) shape.push_back(extent);
  const Tensor picked = select_slices(select_slices(x, -2, picks), -1, picks);
  const Tensor minors = transpose(reshape(picked, shape), -3, -2);
  return mul(kDet({minors}), signs(n, x));
}

void det_rule(Backward& step) {
  const Tensor x = step.input(0);
  if (x.size() == 0) return step.set_grad_input(0, zeros_like(x));
  const Tensor g = unsqueeze(unsqueeze(step.grad_output(), -1), -1);
  step.set_grad_input(0, mul(g, cofactors(x)));
}

constexpr RuleRow kDeterminantRules[] = {{"Det", det_rule, saves(0)}};

}  // namespace

std::span<const RuleRow> determinant_rules() { return kDeterminantRules; }

}  // namespace switchyard
