/// @file
/// Functions of elements. Tensors broadcast as in NumPy, and dtypes promote as in PyTorch, where a
/// contract does not say otherwise; results are new tensors, on the device of the tensors given.
/// Errors: Error(shape_mismatch) for shapes that do not broadcast; Error(invalid_argument) for a
/// dtype that is refused, for uint64 beside signed integers, and for a Tensor that holds nothing.
#pragma once

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The dtype that both become where they meet: PyTorch's result_type. No gradient; uint64 beside
/// signed integers is Error(invalid_argument).
[[nodiscard]] SWITCHYARD_API DType result_type(const Tensor& a, const Tensor& b);

/// a + alpha b, a - alpha b, and a b. Any numeric dtype; bools add as "or" and multiply as "and",
/// but do not subtract. Beside float16 and bfloat16 elements a number, or a tensor of rank 0,
/// counts as it is, also where they cannot hold it: both are computed with as float32, and the
/// result is rounded once. Beside integers an integer is taken in their dtype, where it wraps round
/// as in PyTorch: 300 beside uint8 is 44. `alpha`, 1 if left out, is a number or a tensor; a
/// floating-point one beside integers is Error(invalid_argument). Gradient: to both, and to
/// `alpha`, each summed to its shape.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor add(const Tensor& a, const Tensor& b,
                                        const Tensor& alpha = {});  // a + alpha b
[[nodiscard]] SWITCHYARD_API Tensor sub(const Tensor& a, const Tensor& b,
                                        const Tensor& alpha = {});  // a - alpha b
[[nodiscard]] SWITCHYARD_API Tensor mul(const Tensor& a, const Tensor& b);
/// @}
/// True division: integers and bools become float32; x / 0 is infinite or NaN. Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor div(const Tensor& a, const Tensor& b);
/// The quotient rounded down; the remainder with the sign of `b`, as in Python; and the remainder
/// with the sign of `a`, as in C. Any numeric dtype, kept: integers stay integers. Integers divided
/// by 0 are Error(invalid_argument) on a device that computes in the call, and give 0 on others;
/// the least integer divided by -1 is itself, as it wraps round, and leaves no remainder. Gradient:
/// zeros for floor_divide(), to both for the remainders.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor floor_divide(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor remainder(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor fmod(const Tensor& a, const Tensor& b);
/// @}
/// base^exponent. Integers stay integers: a negative number as exponent is Error(invalid_argument),
/// and negative elements of a tensor of exponents give what is left of the fraction (2^-1 is 0).
/// Two bools are refused. Gradient: to both; by the exponent 0 where the base is 0.
[[nodiscard]] SWITCHYARD_API Tensor pow(const Tensor& base, const Tensor& exponent);
/// The angle of the point (x, y), from -pi to pi. The signs of zeros count, as in C. Integers
/// become float32. Gradient: to both; the derivatives at (0, 0) are 0.
[[nodiscard]] SWITCHYARD_API Tensor atan2(const Tensor& y, const Tensor& x);
/// The square root of a^2 + b^2, also where the squares would overflow. It is infinite where either
/// is, even beside a NaN. Integers become float32. Gradient: to both; the derivatives at (0, 0) are
/// 0.
[[nodiscard]] SWITCHYARD_API Tensor hypot(const Tensor& a, const Tensor& b);
/// The logarithm of exp(a) + exp(b), also where the powers would overflow. Where both are the same
/// infinity it is that one, and the derivatives are 1/2. Integers become float32. Gradient: to
/// both.
[[nodiscard]] SWITCHYARD_API Tensor logaddexp(const Tensor& a, const Tensor& b);
/// The larger (smaller) of two elements; NaN where either is. Any numeric dtype, and bools.
/// Gradient: to the one that was taken; equal elements share it by halves. Error(invalid_argument)
/// for a number that an integer dtype does not hold.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor maximum(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor minimum(const Tensor& a, const Tensor& b);
/// @}
/// start + weight (end - start). `weight` is a number or a tensor, which broadcasts, too. Dtypes
/// promote; integers become floating-point with a weight that is, and bools are refused. Gradient:
/// to all three.
[[nodiscard]] SWITCHYARD_API Tensor lerp(const Tensor& start, const Tensor& end,
                                         const Tensor& weight);
/// input + value a b, and input + value a / b. Dtypes promote; addcdiv() of integers gives float32,
/// and so does addcmul() by a `value` with a fraction. Gradient: to `input`, `a` and `b`.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor addcmul(const Tensor& input, const Tensor& a, const Tensor& b,
                                            Real value = 1);
[[nodiscard]] SWITCHYARD_API Tensor addcdiv(const Tensor& input, const Tensor& a, const Tensor& b,
                                            Real value = 1);
/// @}

/// Bools of the broadcast shape. NaN equals nothing, and is neither less nor greater. Any numeric
/// dtype, and bools; dtypes promote, and a number that integers do not hold is compared as it is.
/// No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Mask eq(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask ne(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask lt(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask le(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask gt(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask ge(const Tensor& a, const Tensor& b);
/// @}
/// Whether |a - b| <= atol + rtol |b|: element by element; and whether that holds everywhere, for
/// which allclose() waits. Dtypes promote; differences of integers are exact. Equal infinities are
/// close, NaNs are with `equal_nan` alone. No gradient. Error(invalid_argument) for a negative
/// tolerance.
/// @{
[[nodiscard]] SWITCHYARD_API Mask isclose(const Tensor& a, const Tensor& b, Real rtol = 1e-5,
                                          Real atol = 1e-8, Flag equal_nan = false);
[[nodiscard]] SWITCHYARD_API bool allclose(const Tensor& a, const Tensor& b, Real rtol = 1e-5,
                                           Real atol = 1e-8, Flag equal_nan = false);
/// @}
/// Whether shapes, dtypes and all elements are equal; nothing broadcasts or promotes. Waits for the
/// elements. No gradient. Error(invalid_argument) for tensors on different devices.
[[nodiscard]] SWITCHYARD_API bool equal(const Tensor& a, const Tensor& b);

/// Bools of the broadcast shape. Elements of any dtype count as "is not zero". No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Mask logical_and(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask logical_or(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask logical_xor(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Mask logical_not(const Tensor& a);
/// @}
/// Bit by bit. Integers of any dtype, which promote, or bools, which stay bools; floating-point
/// elements are Error(invalid_argument). No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor bitwise_and(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor bitwise_or(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor bitwise_xor(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor bitwise_not(const Tensor& a);
/// @}

/// `a` where the condition is true, else `b`. All three broadcast. `condition`: any dtype, nonzero
/// is true; `a` and `b` promote. Gradient: to `a` and `b` where each was taken, none to the
/// condition.
[[nodiscard]] SWITCHYARD_API Tensor where(const Tensor& condition, const Tensor& a,
                                          const Tensor& b);
/// Elements within bounds, which are numbers or tensors that broadcast; a bound that holds nothing
/// does not bound, but one of both must. The dtypes promote: integers with a bound of 0.5 become
/// float32. NaN stays, and where `low` is above `high` the result is `high`. The gradient goes to
/// the elements within the bounds, those at them included, and to a tensor of bounds where an
/// element lies beyond. Error(invalid_argument) without a bound, or for one that an integer dtype
/// does not hold.
[[nodiscard]] SWITCHYARD_API Tensor clamp(const Tensor& x, const Tensor& low = {},
                                          const Tensor& high = {});
/// A copy of `x` with `value` where `mask` is true. All three broadcast together: a larger mask
/// enlarges the result. `mask`: any dtype, nonzero is true. `value` is converted to the dtype of
/// `x` (2.5 becomes 2 in int64), which the result has. Gradient: to `x` where the mask is false, to
/// `value`, summed to its shape, where it is true. Error(invalid_argument) for a number that an
/// integer dtype does not hold.
[[nodiscard]] SWITCHYARD_API Tensor masked_fill(const Tensor& x, const Tensor& mask,
                                                const Tensor& value);

/// Of the shape and dtype of `x`, any numeric one. abs() and sign() take bools, which stay as they
/// are, square() makes int64 of them, and neg() refuses them; neg() of unsigned integers wraps
/// round. The sign of NaN is NaN. Gradient: to `x`; that of sign() is zeros, and the derivative of
/// abs() at 0 is 0.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor abs(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor neg(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sign(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor square(const Tensor& x);
/// @}
/// Of the shape of `x`. Floating-point dtypes stay; integers and bools become float32. What is
/// outside of a function's domain gives NaN, and a pole infinity, as IEEE 754 has it. Gradient: to
/// `x`, by the derivative, which is infinite or NaN where that is.
/// @{
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
/// @}
/// 1 - erf(x), with the digits that would be lost where erf(x) is near 1. Integers become float32.
/// Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor erfc(const Tensor& x);
/// The number whose erf() is x: infinite at -1 and 1, NaN beyond. Integers become float32.
/// Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor erfinv(const Tensor& x);
/// The logarithm of the size of the gamma function. It is infinite at 0, at negative integers and
/// at both infinities. Integers become float32. Gradient: to `x`; its derivative is `digamma`.
[[nodiscard]] SWITCHYARD_API Tensor lgamma(const Tensor& x);
/// The derivative of `lgamma`. At 0 it is infinite with the other sign than the zero's, at negative
/// integers and at -infinity it is a NaN. Integers become float32. Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor digamma(const Tensor& x);
/// Rounded down, up, to the nearest integer (halves to even), and towards 0, in the dtype of `x`:
/// integers and bools are copied as they are. Gradient: zeros.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor floor(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor ceil(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor round(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor trunc(const Tensor& x);
/// @}
/// x - trunc(x), with the sign of `x` and its dtype; 0 of integers, and bools are refused.
/// Gradient: that of the result.
[[nodiscard]] SWITCHYARD_API Tensor frac(const Tensor& x);
/// Bools of the shape of `x`, of any numeric dtype; integers and bools are finite. No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Mask isnan(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Mask isinf(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Mask isfinite(const Tensor& x);
/// @}
/// `nan` in the place of NaN, and the largest and smallest finite numbers of the dtype in that of
/// infinities. Integers and bools are copied as they are. Gradient: to the elements that stay.
[[nodiscard]] SWITCHYARD_API Tensor nan_to_num(const Tensor& x, Real nan = 0);

/// add(), sub(), mul(), div() and remainder(), whose contracts hold: dtypes promote, and the
/// gradient goes to both. As in Python, `%` has the sign of `b`.
/// @{
[[nodiscard]] inline Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
[[nodiscard]] inline Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
[[nodiscard]] inline Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
[[nodiscard]] inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
[[nodiscard]] inline Tensor operator%(const Tensor& a, const Tensor& b) { return remainder(a, b); }
/// @}
/// `total += loss`, where `total` is a C++ number, makes it the sum: numbers have no elements that
/// could be written to. Tensors are written to, as by add_(), sub_(), mul_() and div_(), whose
/// dtypes, errors and gradients these have.
/// @{
SWITCHYARD_API Tensor& operator+=(Tensor& a, const Tensor& b);
SWITCHYARD_API Tensor& operator-=(Tensor& a, const Tensor& b);
SWITCHYARD_API Tensor& operator*=(Tensor& a, const Tensor& b);
SWITCHYARD_API Tensor& operator/=(Tensor& a, const Tensor& b);
/// @}
/// eq() and so on: bools of any dtypes, which promote. No gradient.
/// @{
[[nodiscard]] inline Mask operator==(const Tensor& a, const Tensor& b) { return eq(a, b); }
[[nodiscard]] inline Mask operator!=(const Tensor& a, const Tensor& b) { return ne(a, b); }
[[nodiscard]] inline Mask operator<(const Tensor& a, const Tensor& b) { return lt(a, b); }
[[nodiscard]] inline Mask operator<=(const Tensor& a, const Tensor& b) { return le(a, b); }
[[nodiscard]] inline Mask operator>(const Tensor& a, const Tensor& b) { return gt(a, b); }
[[nodiscard]] inline Mask operator>=(const Tensor& a, const Tensor& b) { return ge(a, b); }
/// @}
/// bitwise_and() and so on, of integers or bools; of masks logical_and() and so on, which give
/// masks. No gradient.
/// @{
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
/// @}

}  // namespace switchyard
