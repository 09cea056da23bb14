#include <cmath>

#include "gemm/matrices.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/products/plain_products.hpp"
#include "loops/tensor_copy.hpp"

namespace cpu {
namespace {

bool is_integer(sy_dtype dtype) { return (sy::integer_dtypes & SY_DTYPE_BIT(dtype)) != 0; }

struct GemmAttributes {
  double alpha, beta;
  bool left_turned, right_turned;
};

GemmAttributes read_attributes(const sy::Node& node) {
  return {node.real("alpha", 1.0f), node.real("beta", 1.0f), node.flag("transA"),
          node.flag("transB")};
}

void check_gemm(const sy::Node& node) {
  const GemmAttributes given = read_attributes(node);
  const bool whole = std::trunc(given.alpha) == given.alpha && std::trunc(given.beta) == given.beta;
  if (is_integer(node.required_input(0).dtype) && !whole) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "alpha ", given.alpha, " and beta ", given.beta,
                          " of integers must be whole");
  }
}

ConstMatrix matrix_of(const ConstTensor& tensor, bool turned) {
  return {tensor.dtype, tensor.data, tensor.strides[turned ? 1 : 0],
          tensor.strides[turned ? 0 : 1]};
}

}  // namespace

Prepared plain_gemm(const sy::Node& node) {
  const GemmAttributes given = read_attributes(node);
  const sy_value& right = node.required_input(1);
  Prepared made;
  PackedMatrix packed;
  if (sy::is_constant(right) && sy::has_known_shape(right)) {
    const int64_t rows = right.shape[0];
    const int64_t columns = right.shape[1];
    packed = given.right_turned ? pack_constant(right, columns, rows, 1, columns)
                                : pack_constant(right, rows, columns, columns, 1);
  }
  if (packed.data != nullptr) {
    made.packed = {{1, packed.data, static_cast<uint64_t>(packed.size_bytes)}};
  }
  const bool adds = node.input(2) != nullptr && given.beta != 0;
  made.outputs = {{.may_alias_inputs = adds ? 4u : 0u}};
  made.kernel = function_kernel([given, adds, panels = packed.data](Call& call) {
    const ConstTensor& a = call.input(0);
    const Tensor& y = call.output(0);
    if (adds) copy_tensor(call.input(2), y);
    MatrixProduct product;
    product.m = y.shape[0];
    product.n = y.shape[1];
    product.k = a.shape[given.left_turned ? 0 : 1];
    product.a = matrix_of(a, given.left_turned);
    product.b = matrix_of(call.input(1), given.right_turned);
    product.c = {y.dtype, y.data, y.strides[0], y.strides[1]};
    product.panels = panels.get();
    product.alpha = given.alpha;
    product.accumulate = adds;
    product.beta = given.beta;
    multiply(product);
  });
  return made;
}

namespace {

constexpr KernelRow linear_rows[] = {
    {"Gemm", numeric_types, numeric_types, plain_gemm, check_gemm, any_strides},
};

}  // namespace

KernelTable linear_kernels() { return linear_rows; }

}  // namespace cpu
