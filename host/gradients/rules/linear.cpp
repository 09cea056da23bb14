// Gradients of products.
#include <switchyard/functions.hpp>

#include "functions/linalg/matrices.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

/// All matrices of a batch below each other.
Tensor stacked(const Tensor& batch) {
  const std::int64_t columns = batch.shape().back();
  Dims rows = batch.shape();
  rows.erase(rows.size() - 1);
  return reshape(batch, {element_count(rows), columns});
}

/// The gradient of `b` in `matmul(a, b)`. One matrix for the whole batch is one product, not a sum
/// of as many matrices as the batch has.
Tensor gradient_of_right(const Tensor& a, const Tensor& b, const Tensor& gradient) {
  if (b.shape().size() == 2) return matmul(turned(stacked(a)), stacked(gradient));
  return sum_to(matmul(turned(a), gradient), b.shape());
}

/// With vectors as matrices of one row or one column.
void matmul_rule(Backward& step) {
  const bool row = step.input_shape(0).size() == 1, column = step.input_shape(1).size() == 1;
  const Tensor a = row ? unsqueeze(step.input(0), 0) : step.input(0);
  const Tensor b = column ? unsqueeze(step.input(1), 1) : step.input(1);
  Tensor gradient = step.grad_output();
  if (column) gradient = unsqueeze(gradient, -1);
  if (row) gradient = unsqueeze(gradient, -2);
  if (step.needs_input_grad(0)) {
    Dims shape = a.shape();
    const Tensor of_a = sum_to(matmul(gradient, turned(b)), shape);
    step.set_grad_input(0, reshape(of_a, step.input_shape(0)));
  }
  if (step.needs_input_grad(1)) {
    step.set_grad_input(1, reshape(gradient_of_right(a, b, gradient), step.input_shape(1)));
  }
}

/// alpha A' B' + beta C, where A' may be A turned, and B' B turned.
void gemm_rule(Backward& step) {
  const Attributes& attributes = step.attributes();
  const double alpha = attributes.get_float("alpha", 1), beta = attributes.get_float("beta", 1);
  const bool turn_a = attributes.get_int("transA", 0) != 0;
  const bool turn_b = attributes.get_int("transB", 0) != 0;
  const Tensor gradient = alpha == 1 ? step.grad_output() : mul(step.grad_output(), alpha);
  if (step.needs_input_grad(0)) {
    const Tensor b = turn_b ? step.input(1) : turned(step.input(1));
    step.set_grad_input(0, turn_a ? matmul(turned(b), turned(gradient)) : matmul(gradient, b));
  }
  if (step.needs_input_grad(1)) {
    const Tensor a = turn_a ? step.input(0) : turned(step.input(0));
    step.set_grad_input(1, turn_b ? matmul(turned(gradient), turned(a)) : matmul(a, gradient));
  }
  if (step.needs_input_grad(2)) {
    const Tensor of_c = sum_to(step.grad_output(), step.input_shape(2));
    step.set_grad_input(2, beta == 1 ? of_c : mul(of_c, beta));
  }
}

constexpr RuleRow kLinearRules[] = {
    {"MatMul", matmul_rule, saves(0, 1)},
    {"Gemm", gemm_rule, saves(0, 1)},
};

}  // namespace

std::span<const RuleRow> linear_rules() { return kLinearRules; }

}  // namespace switchyard
