// Products of vectors and matrices.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kMatMul("MatMul"), kGemm("Gemm"), kEinsum("Einsum");

void require_inner(std::string_view function, const Tensor& a, const Tensor& b) {
  const std::int64_t of_a = a.shape().back();
  const std::int64_t of_b = b.shape()[b.dim() == 1 ? 0 : b.shape().size() - 2];
  if (of_a == of_b) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] the inner extents of {} and {} differ: {} and {}", function,
                          describe(a.shape()), describe(b.shape()), of_a, of_b));
}

struct Ranked {
  const Tensor& tensor;
  std::int64_t rank;
};
void require_ranks(std::string_view function, const Ranked& a, const Ranked& b) {
  for (const Ranked& one : {a, b}) require_rank(function, one.tensor, one.rank, one.rank);
}

/// The dtype that products are computed in: narrow integers as int32, which wraps to the same.
DType product_type(DType dtype) {
  return is_integer(dtype) && bit_width(dtype) < 32 ? DType::int32 : dtype;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  require_rank("matmul", a, 1, 64);
  require_rank("matmul", b, 1, 64);
  require_inner("matmul", a, b);
  const DType dtype = result_type(a, b), wide = product_type(dtype);
  if (wide == dtype) return call_promoted(kMatMul, a, b);
  return as_dtype(kMatMul(as_dtype(a, wide), as_dtype(b, wide)), dtype);
}

Tensor mm(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  require_ranks("mm", {a, 2}, {b, 2});
  return matmul(a, b);
}
Tensor bmm(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  require_ranks("bmm", {a, 3}, {b, 3});
  return matmul(a, b);
}
Tensor mv(const Tensor& a, const Tensor& x) {
  const CalledFunction here;
  require_ranks("mv", {a, 2}, {x, 1});
  return matmul(a, x);
}
Tensor dot(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  require_ranks("dot", {a, 1}, {b, 1});
  return matmul(a, b);
}
Tensor outer(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  require_ranks("outer", {a, 1}, {b, 1});
  return mul(unsqueeze(a, 1), unsqueeze(b, 0));
}

Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b, Real beta, Real alpha) {
  const CalledFunction here;
  require_ranks("addmm", {a, 2}, {b, 2});
  require_inner("addmm", a, b);
  const Dims shape{a.shape()[0], b.shape()[1]};
  if (broadcast_shapes("addmm", input.shape(), shape) != shape) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[addmm] the input {} does not broadcast to the product's shape {}",
                            describe(input.shape()), describe(shape)));
  }
  const DType result = promote(input.dtype(), result_type(a, b)), dtype = product_type(result);
  const Tensor left = as_dtype(a, dtype), right = as_dtype(b, dtype);
  const bool fits = fits_attribute(dtype, alpha) && fits_attribute(dtype, beta);
  if (beta == 0 && (!fits || !is_floating(dtype))) {
    return scaled(matmul(as_dtype(a, result), as_dtype(b, result)), alpha);
  }
  if (!fits) return add(mul(input, double{beta}), mul(matmul(left, right), double{alpha}));
  const Attributes factors =
      attributes({{"alpha", static_cast<float>(alpha)}, {"beta", static_cast<float>(beta)}});
  const Tensor added = beta == 0 ? Tensor() : as_dtype(input, dtype);  // whose NaN does not count
  const Tensor made = kGemm({left, right, added}, factors);
  return dtype == result ? made : as_dtype(made, result);
}

Tensor einsum(Text equation, std::span<const Tensor> operands) {
  const CalledFunction here;
  return kEinsum(operands, attributes({{"equation", std::string(equation)}}));
}
Tensor einsum(Text equation, std::initializer_list<Tensor> operands) {
  const CalledFunction here;
  return einsum(equation, std::span(operands.begin(), operands.size()));
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const CalledFunction here;
  require_rank("linear", x, 1, 64);
  require_rank("linear", weight, 1, 2);
  if (x.dim() == 2 && weight.dim() == 2 && bias.defined()) {
    if (x.shape()[1] == weight.shape()[1] && x.dtype() == weight.dtype() &&
        x.dtype() == bias.dtype() && is_floating(x.dtype())) {
      return kGemm({x, weight, bias}, attributes({{"transB", std::int64_t{1}}}));
    }
  }
  const Tensor product = matmul(x, weight.t());
  return bias.defined() ? add(product, bias) : product;
}

}  // namespace switchyard
