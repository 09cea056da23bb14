#pragma once

#include <switchyard/tensor.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Two tensors as one dtype, their `result_type`.
struct Pair {
  Tensor a, b;
};
Pair promoted(const Tensor& a, const Tensor& b);

/// The dtype that any number of tensors promote to together.
DType common_type(std::initializer_list<Tensor> tensors);

/// float32 in place of float16 and bfloat16, else the dtype itself.
DType wide_type(DType dtype);

/// Two operands of arithmetic as they are computed with, and the dtype of the result. A number, or
/// a tensor of rank 0, that a result of 16 bits would round makes float32 of both, so that the
/// result alone is rounded: x / 70000 is not 0.
struct Operands {
  Tensor a, b;
  DType result;

  Tensor rounded(const Tensor& computed) const {
    return a.dtype() == result ? computed : as_dtype(computed, result);
  }
};
Operands operands(const Tensor& a, const Tensor& b);
/// The same, with float32 in place of integers.
Operands floating_operands(const Tensor& a, const Tensor& b);

/// The operands of a function of several steps, which computes 16-bit elements as float32 and
/// rounds the result alone. Others stay as they are.
class Steps {
 public:
  explicit Steps(std::initializer_list<Tensor> operands);
  Tensor operand(const Tensor& given) const;
  Tensor rounded(const Tensor& computed) const;
  bool are_wide() const { return wide_type(result_) != result_; }

 private:
  DType result_;
};

/// Whether a factor may be left out.
inline bool is_one(const Tensor& factor) {
  return !factor.defined() || (is_number(factor) && number_value(factor) == 1);
}

/// `b` times `alpha` in the dtype that it is added to `a` in; `alpha` may be left out.
Tensor scaled(std::string_view function, const Tensor& a, const Tensor& b, const Tensor& alpha);
/// By a number of the same category, so that integers stay integers.
Tensor scaled(const Tensor& product, double value);

Tensor call_converted(const EagerOp& op, const Tensor& a, const Tensor& b);

/// An op of two tensors that promote.
inline Tensor call_promoted(const EagerOp& op, const Tensor& a, const Tensor& b) {
  if (a.defined() && b.defined() && a.impl()->dtype == b.impl()->dtype && !is_number(a) &&
      !is_number(b)) [[likely]] {
    return op(a, b);
  }
  return call_converted(op, a, b);
}

}  // namespace switchyard
