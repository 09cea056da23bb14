// Functions that write over the tensor they are called on. An op's result goes straight to the
// elements where its kernel can do that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kAdd("Add"), kSub("Sub"), kMul("Mul"), kDiv("Div"), kPow("Pow"),
    kAbs("Abs"), kNeg("Neg"), kExp("Exp"), kLog("Log"), kSqrt("Sqrt"), kRelu("Relu"),
    kSigmoid("Sigmoid"), kTanh("Tanh"), kAnd("And"), kOr("Or");

/// Throws unless elements of the target's dtype can take the result.
void check_result(std::string_view name, const Tensor& target, DType result) {
  const bool fits = result == target.dtype() ||
                    (is_floating(result) && is_floating(target.dtype())) ||
                    (is_integer(result) && is_integer(target.dtype()));
  if (fits) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] the result is {}, which {} elements cannot take; convert the "
                          "tensor with to() first",
                          name, name_of(result), name_of(target.dtype())));
}

/// Computed in the dtype that the function of two tensors computes in.
Tensor write(std::string_view name, const EagerOp& op, const Tensor& target, const Tensor& other) {
  const Operands given = operands(target, other);
  check_result(name, target, given.result);
  if (given.a.dtype() != target.dtype()) return target.copy_(op(given.a, given.b));
  op.write_to(target, {target, given.b});
  return target;
}

bool are_bools(const Tensor& a, const Tensor& b) {
  return a.dtype() == DType::bool_ && b.defined() && b.dtype() == DType::bool_;
}

/// Whether a function of several steps computes the elements as a wider type.
bool is_narrow(const Tensor& target) { return wide_type(target.dtype()) != target.dtype(); }

Tensor write(std::string_view name, const EagerOp& op, const Tensor& target) {
  if (!is_floating(target.dtype())) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("[{}] needs a floating-point tensor, got {}", name, name_of(target.dtype())));
  }
  op.write_to(target, {target});
  return target;
}

/// The largest number of a floating-point dtype below `end`.
double largest_below(double end, DType dtype) {
  const int digits = dtype == DType::float16    ? 11
                     : dtype == DType::bfloat16 ? 8
                     : dtype == DType::float32  ? 24
                                                : 53;
  const int least = dtype == DType::float16    ? -24
                    : dtype == DType::bfloat16 ? -133
                    : dtype == DType::float32  ? -149
                                               : -1074;
  if (end == 0) return -std::ldexp(1, least);
  int exponent = 0;
  const bool is_power = std::frexp(end, &exponent) == 0.5;  // below it the numbers lie closer
  const double unit = std::ldexp(1, std::max(exponent - digits - (is_power ? 1 : 0), least));
  return (std::ceil(end / unit) - 1) * unit;
}

using Function = Tensor(const Tensor&, const Tensor&);

/// A number becomes the result: of numbers again a number, as in Python.
template <template <typename> class Of>
void assign_number(Tensor& a, const Tensor& b, Function* function) {
  if (!is_number(b)) {
    a = function(a, b);
  } else if (is_floating(a.dtype()) || is_floating(b.dtype()) || function == switchyard::div) {
    a = Of<double>{}(number_value(a), number_value(b));
  } else {  // integers wrap round
    using Bits = std::uint64_t;
    const bool is_unsigned = a.dtype() == DType::uint64 || b.dtype() == DType::uint64;
    const Bits result =
        Of<Bits>{}(static_cast<Bits>(integer_value(a)), static_cast<Bits>(integer_value(b)));
    a = is_unsigned ? Tensor(result) : Tensor(static_cast<std::int64_t>(result));
  }
}

Tensor sum_of(const Tensor& a, const Tensor& b) { return switchyard::add(a, b); }
Tensor difference_of(const Tensor& a, const Tensor& b) { return switchyard::sub(a, b); }

}  // namespace

Tensor& operator+=(Tensor& a, const Tensor& b) {
  if (is_number(a)) {
    assign_number<std::plus>(a, b, sum_of);
  } else {
    a.add_(b);
  }
  return a;
}
Tensor& operator-=(Tensor& a, const Tensor& b) {
  if (is_number(a)) {
    assign_number<std::minus>(a, b, difference_of);
  } else {
    a.sub_(b);
  }
  return a;
}
Tensor& operator*=(Tensor& a, const Tensor& b) {
  if (is_number(a)) {
    assign_number<std::multiplies>(a, b, switchyard::mul);
  } else {
    a.mul_(b);
  }
  return a;
}
Tensor& operator/=(Tensor& a, const Tensor& b) {
  if (is_number(a)) {
    assign_number<std::divides>(a, b, switchyard::div);
  } else {
    a.div_(b);
  }
  return a;
}

Tensor Tensor::add_(const Tensor& other, const Tensor& alpha) const {
  const CalledFunction here;
  if (is_narrow(*this) && !is_one(alpha)) return copy_(switchyard::add(*this, other, alpha));
  const Tensor more = scaled("add_", *this, other, alpha);
  if (are_bools(*this, other)) return write("add_", kOr, *this, more.to(DType::bool_));
  return write("add_", kAdd, *this, more);
}
Tensor Tensor::sub_(const Tensor& other, const Tensor& alpha) const {
  const CalledFunction here;
  if (are_bools(*this, other)) {
    throw Error(ErrorKind::invalid_argument,
                "[sub_] does not subtract bools; use logical_xor, or convert one of them");
  }
  if (is_narrow(*this) && !is_one(alpha)) return copy_(switchyard::sub(*this, other, alpha));
  return write("sub_", kSub, *this, scaled("sub_", *this, other, alpha));
}
Tensor Tensor::mul_(const Tensor& other) const {
  const CalledFunction here;
  return write("mul_", are_bools(*this, other) ? kAnd : kMul, *this, other);
}
Tensor Tensor::div_(const Tensor& other) const {
  const CalledFunction here;
  if (!is_floating(dtype())) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[div_] the result is float32, which {} elements "
                            "cannot take; convert the tensor with to() first",
                            name_of(dtype())));
  }
  return write("div_", kDiv, *this, other);
}
Tensor Tensor::pow_(const Tensor& exponent) const {
  const CalledFunction here;
  return write("pow_", kPow, *this, exponent);
}
Tensor Tensor::addcmul_(const Tensor& a, const Tensor& b, Real value) const {
  const CalledFunction here;
  if (is_narrow(*this)) return copy_(switchyard::addcmul(*this, a, b, value));
  const DType common = common_type({*this, a, b});
  return add_(scaled(mul(as_dtype(a, common), as_dtype(b, common)), value));
}
Tensor Tensor::addcdiv_(const Tensor& a, const Tensor& b, Real value) const {
  const CalledFunction here;
  if (is_narrow(*this)) return copy_(switchyard::addcdiv(*this, a, b, value));
  const DType common = common_type({*this, a, b});
  return add_(switchyard::div(scaled(as_dtype(a, common), value), as_dtype(b, common)));
}
Tensor Tensor::lerp_(const Tensor& end, Real weight) const {
  const CalledFunction here;
  if (is_narrow(*this)) return copy_(switchyard::lerp(*this, end, double{weight}));
  const Tensor apart = switchyard::sub(end, *this);
  if (std::abs(weight) < 0.5) return add_(mul(apart, double{weight}));
  return copy_(switchyard::sub(end, mul(apart, 1 - double{weight})));  // as lerp does
}
Tensor Tensor::clamp_(const Tensor& low, const Tensor& high) const {
  const CalledFunction here;
  if (low.defined()) check_result("clamp_", *this, result_type(*this, low));
  if (high.defined()) check_result("clamp_", *this, result_type(*this, high));
  const bool must_record =
      requires_grad() || (low.defined() && low.requires_grad()) ||
      (high.defined() && high.requires_grad());  // gradients ask for what was here
  return copy_(switchyard::clamp(must_record ? clone() : *this, low, high));
}
Tensor Tensor::abs_() const {
  const CalledFunction here;
  kAbs.write_to(*this, {*this});
  return *this;
}
Tensor Tensor::neg_() const {
  if (is_unsigned(dtype())) return copy_(neg(*this));
  kNeg.write_to(*this, {*this});
  return *this;
}
Tensor Tensor::exp_() const {
  const CalledFunction here;
  return write("exp_", kExp, *this);
}
Tensor Tensor::log_() const { return write("log_", kLog, *this); }
Tensor Tensor::sqrt_() const { return write("sqrt_", kSqrt, *this); }
Tensor Tensor::relu_() const {
  kRelu.write_to(*this, {*this});
  return *this;
}
Tensor Tensor::sigmoid_() const { return write("sigmoid_", kSigmoid, *this); }
Tensor Tensor::tanh_() const { return write("tanh_", kTanh, *this); }
Tensor Tensor::masked_fill_(const Tensor& mask, const Tensor& value) const {
  const CalledFunction here;
  return copy_(switchyard::masked_fill(*this, mask, as_element("masked_fill_", value, dtype())));
}
Tensor Tensor::uniform_(Real low, Real high) const {
  const CalledFunction here;
  if (!(low <= high)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[uniform_] {} is above {}", double{low}, double{high}));
  }
  const Tensor drawn = add(mul(rand_like(*this), high - low), double{low});
  return copy_(low < high ? minimum(drawn, largest_below(high, dtype())) : drawn);
}
Tensor Tensor::normal_(Real mean, Real deviation) const {
  const CalledFunction here;
  if (!(deviation >= 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[normal_] the deviation {} is negative", double{deviation}));
  }
  return copy_(add(mul(randn_like(*this), double{deviation}), double{mean}));
}

}  // namespace switchyard
