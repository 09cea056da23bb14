#include "functions/promotion.hpp"

#include <array>
#include <switchyard/error.hpp>
#include <switchyard/functions/pointwise.hpp>

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

void require(const Tensor& tensor) {
  if (!tensor) {
    throw Error(ErrorKind::usage, "a function got a Tensor that holds nothing; give it a value");
  }
}

Pair as_type(const Tensor& a, const Tensor& b, DType dtype) {
  return {as_dtype(a, dtype), as_dtype(b, dtype)};
}

}  // namespace

DType common_type(std::initializer_list<Tensor> tensors) {
  std::array<DType, 3> by_standing{};  // undefined
  for (const Tensor& tensor : tensors) {
    require(tensor);
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
  require(a);
  require(b);
  const int of_a = standing(a), of_b = standing(b);
  if (of_a == of_b) return promote(usual(a), usual(b));
  const DType higher = usual(of_a > of_b ? a : b);
  const DType lower = usual(of_a > of_b ? b : a);
  return gives_way(lower, higher) ? higher : promote(higher, lower);
}

Pair promoted(const Tensor& a, const Tensor& b) { return as_type(a, b, result_type(a, b)); }

Pair promoted_floating(const Tensor& a, const Tensor& b) {
  const DType dtype = result_type(a, b);
  return as_type(a, b, is_floating(dtype) ? dtype : DType::float32);
}

}  // namespace switchyard
