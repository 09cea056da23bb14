#pragma once

#include <switchyard/real.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The dtype that both become where they meet: PyTorch's result_type.
[[nodiscard]] SWITCHYARD_API DType result_type(const Tensor& a, const Tensor& b);

// Of two tensors, which broadcast and promote. Beside float16 and bfloat16 elements a number, or a
// tensor of rank 0, counts as it is, also where they cannot hold it: both are computed with as
// float32, and the result is rounded once.
[[nodiscard]] SWITCHYARD_API Tensor add(const Tensor& a, const Tensor& b,
                                        const Tensor& alpha = {});  // a + alpha b
[[nodiscard]] SWITCHYARD_API Tensor sub(const Tensor& a, const Tensor& b,
                                        const Tensor& alpha = {});  // a - alpha b
[[nodiscard]] SWITCHYARD_API Tensor mul(const Tensor& a, const Tensor& b);
/// True division: integers become float32.
[[nodiscard]] SWITCHYARD_API Tensor div(const Tensor& a, const Tensor& b);
// Integers divided by 0 are an error on a device that computes in the call, and give 0 on others;
// the least integer divided by -1 is itself, as it wraps round, and leaves no remainder.
[[nodiscard]] SWITCHYARD_API Tensor floor_divide(const Tensor& a, const Tensor& b);
/// The remainder has the sign of `b`, as in Python.
[[nodiscard]] SWITCHYARD_API Tensor remainder(const Tensor& a, const Tensor& b);
/// The remainder has the sign of `a`, as in C.
[[nodiscard]] SWITCHYARD_API Tensor fmod(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor pow(const Tensor& base, const Tensor& exponent);
/// The angle of the point (x, y), from -pi to pi. The signs of zeros count, as in C. The
/// derivatives at (0, 0) are 0.
[[nodiscard]] SWITCHYARD_API Tensor atan2(const Tensor& y, const Tensor& x);
/// The square root of a^2 + b^2, also where the squares would overflow. It is infinite where either
/// is, even beside a NaN. The derivatives at (0, 0) are 0.
[[nodiscard]] SWITCHYARD_API Tensor hypot(const Tensor& a, const Tensor& b);
/// The logarithm of exp(a) + exp(b), also where the powers would overflow. Where both are the same
/// infinity it is that one, and the derivatives are 1/2.
[[nodiscard]] SWITCHYARD_API Tensor logaddexp(const Tensor& a, const Tensor& b);
/// NaN where either is; the gradient of equal elements is shared by halves.
[[nodiscard]] SWITCHYARD_API Tensor maximum(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor minimum(const Tensor& a, const Tensor& b);
/// start + weight (end - start)
[[nodiscard]] SWITCHYARD_API Tensor lerp(const Tensor& start, const Tensor& end,
                                         const Tensor& weight);
/// input + value a b
[[nodiscard]] SWITCHYARD_API Tensor addcmul(const Tensor& input, const Tensor& a, const Tensor& b,
                                            double value = 1);
/// input + value a / b
[[nodiscard]] SWITCHYARD_API Tensor addcdiv(const Tensor& input, const Tensor& a, const Tensor& b,
                                            double value = 1);

// Comparisons; NaN equals nothing.
[[nodiscard]] SWITCHYARD_API Mask eq(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask ne(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask lt(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask le(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask gt(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask ge(const Tensor& a, const Tensor& b);
/// |a - b| <= atol + rtol |b|, element by element; and whether that holds everywhere.
[[nodiscard]] SWITCHYARD_API Mask isclose(const Tensor& a, const Tensor& b, Real rtol = 1e-5,
                                          Real atol = 1e-8, bool equal_nan = false);
[[nodiscard]] SWITCHYARD_API bool allclose(const Tensor& a, const Tensor& b, Real rtol = 1e-5,
                                           Real atol = 1e-8, bool equal_nan = false);
/// Whether shapes, dtypes and all elements are equal.
[[nodiscard]] SWITCHYARD_API bool equal(const Tensor& a, const Tensor& b);

// Of bools; other types count as "is not zero".
[[nodiscard]] SWITCHYARD_API Mask logical_and(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask logical_or(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask logical_xor(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask logical_not(const Tensor& a);
// Of integers and bools, bit by bit.
[[nodiscard]] SWITCHYARD_API Tensor bitwise_and(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor bitwise_or(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor bitwise_xor(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor bitwise_not(const Tensor& a);

/// `a` where the condition is true, else `b`.
[[nodiscard]] SWITCHYARD_API Tensor where(const Tensor& condition, const Tensor& a,
                                          const Tensor& b);
/// Bounds that hold nothing do not bound. NaN stays. The gradient goes to the elements within the
/// bounds, those at them included, and to a tensor of bounds where an element lies beyond.
[[nodiscard]] SWITCHYARD_API Tensor clamp(const Tensor& x, const Tensor& low = {},
                                          const Tensor& high = {});
[[nodiscard]] SWITCHYARD_API Tensor masked_fill(const Tensor& x, const Tensor& mask,
                                                const Tensor& value);

// Of one tensor. Integers become float32 where the result is not an integer.
[[nodiscard]] SWITCHYARD_API Tensor abs(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor neg(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sign(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor square(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sqrt(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor rsqrt(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor reciprocal(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor exp(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor exp2(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor expm1(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor log(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor log2(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor log10(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor log1p(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sin(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor cos(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor tan(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor asin(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor acos(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor atan(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sinh(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor cosh(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor tanh(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor asinh(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor acosh(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor atanh(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor erf(const Tensor& x);
/// 1 - erf(x), with the digits that would be lost where erf(x) is near 1.
[[nodiscard]] SWITCHYARD_API Tensor erfc(const Tensor& x);
/// The number whose erf() is x: infinite at -1 and 1, NaN beyond.
[[nodiscard]] SWITCHYARD_API Tensor erfinv(const Tensor& x);
/// The logarithm of the size of the gamma function. It is infinite at 0, at negative integers
/// and at both infinities. Its derivative is `digamma`.
[[nodiscard]] SWITCHYARD_API Tensor lgamma(const Tensor& x);
/// The derivative of `lgamma`. At 0 it is infinite with the other sign than the zero's, at negative
/// integers and at -infinity it is a NaN.
[[nodiscard]] SWITCHYARD_API Tensor digamma(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor floor(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor ceil(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor round(const Tensor& x);  // halves to even
[[nodiscard]] SWITCHYARD_API Tensor trunc(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor frac(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Mask isnan(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Mask isinf(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Mask isfinite(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor nan_to_num(const Tensor& x, double nan = 0);

[[nodiscard]] inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
[[nodiscard]] inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
[[nodiscard]] inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
[[nodiscard]] inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
[[nodiscard]] inline Tensor operator%(const Tensor& a, const Tensor& b) { return remainder(a, b); }
/// `total += loss`, where `total` is a C++ number, makes it the sum: numbers have no elements that
/// could be written to. Tensors are written to, as by add_, sub_, mul_ and div_.
SWITCHYARD_API Tensor& operator+=(Tensor& a, const Tensor& b);
SWITCHYARD_API Tensor& operator-=(Tensor& a, const Tensor& b);
SWITCHYARD_API Tensor& operator*=(Tensor& a, const Tensor& b);
SWITCHYARD_API Tensor& operator/=(Tensor& a, const Tensor& b);
[[nodiscard]] inline Mask operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
[[nodiscard]] inline Mask operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
[[nodiscard]] inline Mask operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
[[nodiscard]] inline Mask operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
[[nodiscard]] inline Mask operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
[[nodiscard]] inline Mask operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
[[nodiscard]] inline Tensor operator&(const Tensor& a, const Tensor& b) {
  return bitwise_and(a, b);
}
[[nodiscard]] inline Tensor operator|(const Tensor& a, const Tensor& b) { return bitwise_or(a, b); }
[[nodiscard]] inline Tensor operator^(const Tensor& a, const Tensor& b) {
  return bitwise_xor(a, b);
}
[[nodiscard]] inline Tensor operator~(const Tensor& a) { return bitwise_not(a); }
[[nodiscard]] inline Mask operator&(const Mask& a, const Mask& b) { return logical_and(a, b); }
[[nodiscard]] inline Mask operator|(const Mask& a, const Mask& b) { return logical_or(a, b); }
[[nodiscard]] inline Mask operator^(const Mask& a, const Mask& b) { return logical_xor(a, b); }
[[nodiscard]] inline Mask operator~(const Mask& a) { return logical_not(a); }
[[nodiscard]] inline Mask operator!(const Mask& a) { return logical_not(a); }

}  // namespace switchyard
