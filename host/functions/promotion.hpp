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

/// An op of two tensors that promote.
inline Tensor call_promoted(const ContractOp& op, const Tensor& a, const Tensor& b) {
  if (a && b && a.impl()->dtype == b.impl()->dtype && !is_number(a) && !is_number(b)) [[likely]] {
    return op(a, b);
  }
  const Pair pair = promoted(a, b);
  return op(pair.a, pair.b);
}

}  // namespace switchyard
