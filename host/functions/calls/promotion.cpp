#include "functions/calls/promotion.hpp"

#include <array>
#include <switchyard/error.hpp>
#include <switchyard/functions/pointwise.hpp>

#include "error/called_function.hpp"
#include "functions/calls/autocast.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

/// How much a tensor's dtype counts: a number less than rank 0, that less than higher ranks.
int standing(const Tensor& tensor) {
  if (is_number(tensor)) return 0;
  return tensor.shape().empty() ? 1 : 2;
}

/// A number's own dtype counts as the usual one of its category.
DType usual(const Tensor& tensor) {
  return is_number(tensor) && is_floating(tensor.dtype()) ? DType::float32 : tensor.dtype();
}

bool gives_way(DType lower, DType higher) {
  if (is_floating(higher)) return true;
  return !is_floating(lower) && higher != DType::bool_;
}

/// Whether becoming `dtype` changes nothing that counts. Tensors of higher ranks are rounded where
/// they promote; those of rank 0 may hold what only a wider type tells.
bool is_kept(const Tensor& x, DType dtype) {
  if (wide_type(dtype) == dtype || x.dtype() == dtype || !x.shape().empty()) return true;
  if (!is_number(x)) return x.dtype() == DType::bool_ || bit_width(x.dtype()) == 8;
  return number_value(as_dtype(x, dtype)) == number_value(x);
}

Operands computed_as(const Tensor& a, const Tensor& b, DType result) {
  const DType dtype = is_kept(a, result) && is_kept(b, result) ? result : wide_type(result);
  return {as_dtype(a, dtype), as_dtype(b, dtype), result};
}

}  // namespace

DType common_type(std::initializer_list<Tensor> tensors) {
  std::array<DType, 3> by_standing{};  // undefined
  for (const Tensor& tensor : tensors) {
    impl_of(tensor);
    DType& known = by_standing[static_cast<std::size_t>(standing(tensor))];
    known = known == DType::undefined ? usual(tensor) : promote(known, usual(tensor));
  }
  DType common = by_standing[2];
  for (const DType lower : {by_standing[1], by_standing[0]}) {
    if (common == DType::undefined) {
      common = lower;
    } else if (lower != DType::undefined && !gives_way(lower, common)) {
      common = promote(common, lower);
    }
  }
  return common;
}

DType result_type(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  impl_of(a);
  impl_of(b);
  const int of_a = standing(a), of_b = standing(b);
  if (of_a == of_b) return promote(usual(a), usual(b));
  const DType higher = usual(of_a > of_b ? a : b);
  const DType lower = usual(of_a > of_b ? b : a);
  return gives_way(lower, higher) ? higher : promote(higher, lower);
}

Pair promoted(const Tensor& a, const Tensor& b) {
  const DType dtype = result_type(a, b);
  return {as_dtype(a, dtype), as_dtype(b, dtype)};
}

DType wide_type(DType dtype) {
  return dtype == DType::float16 || dtype == DType::bfloat16 ? DType::float32 : dtype;
}

Operands operands(const Tensor& a, const Tensor& b) { return computed_as(a, b, result_type(a, b)); }

Operands floating_operands(const Tensor& a, const Tensor& b) {
  const DType dtype = result_type(a, b);
  return computed_as(a, b, is_floating(dtype) ? dtype : DType::float32);
}

Tensor call_converted(const EagerOp& op, const Tensor& a, const Tensor& b) {
  const Operands given = operands(a, b);
  const Tensor made = op(given.a, given.b);
  return thread_context.autocast && chooses_dtype(op.op()) ? made : given.rounded(made);
}

Steps::Steps(std::initializer_list<Tensor> operands) : result_(common_type(operands)) {}

Tensor Steps::operand(const Tensor& given) const {
  return are_wide() ? as_dtype(given, wide_type(result_)) : given;
}

Tensor Steps::rounded(const Tensor& computed) const {
  return are_wide() ? as_dtype(computed, result_) : computed;
}

}  // namespace switchyard
