#pragma once

#include <switchyard/tensor.hpp>

#include "functions/call.hpp"
#include "functions/numbers.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Two tensors as one dtype: `result_type`, or float32 in place of an integer one.
struct Pair {
  Tensor a, b;
};
Pair promoted(const Tensor& a, const Tensor& b);
Pair promoted_floating(const Tensor& a, const Tensor& b);

/// The dtype that any number of tensors promote to together.
DType common_type(std::initializer_list<Tensor> tensors);

/// `b` times `alpha` in the dtype that it is added to `a` in; `alpha` may be left out.
Tensor scaled(std::string_view function, const Tensor& a, const Tensor& b, const Tensor& alpha);
/// By a number of the same category, so that whole numbers stay whole.
Tensor scaled(const Tensor& product, double value);

/// An op of two tensors that promote.
inline Tensor call_promoted(const ContractOp& op, const Tensor& a, const Tensor& b) {
  if (a && b && a.impl()->dtype == b.impl()->dtype && !is_number(a) && !is_number(b)) [[likely]] {
    return op(a, b);
  }
  const Pair pair = promoted(a, b);
  return op(pair.a, pair.b);
}

}  // namespace switchyard
