/// @file
/// Many elements become one: over all dimensions, also where `dims` names none, or over `dims`,
/// which go, or stay as 1 with `keepdim`. A tensor of rank 0 counts as one element of dimension 0.
/// Results are new tensors on the device of `x`. Errors: Error(invalid_argument) for a dimension
/// that `x` does not have, or one that is named twice, and for a dtype that is refused.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The sum; 0 of nothing. Integers and bools sum as int64, which wraps round; floating-point dtypes
/// stay. Gradient: to each element.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor sum(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sum(const Tensor& x, const Dims& dims, Flag keepdim = false);
/// @}
/// The sum over the number of elements; NaN of nothing. Floating-point dtypes alone. Gradient: to
/// each element.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor mean(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor mean(const Tensor& x, const Dims& dims, Flag keepdim = false);
/// @}
/// The product; 1 of nothing. Integers and bools multiply as int64, which wraps round;
/// floating-point dtypes stay. Gradient: to each element, also where there are zeros.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor prod(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor prod(const Tensor& x, const Dims& dims, Flag keepdim = false);
/// @}
/// The sum of squares of distances from the mean, over n - correction; NaN or infinite where that
/// is 0 or less. Floating-point dtypes alone; float16 and bfloat16 are computed as float32.
/// Gradient: to each element.
[[nodiscard]] SWITCHYARD_API Tensor var(const Tensor& x, const Dims& dims = {}, Real correction = 1,
                                        Flag keepdim = false);
/// The square root of var(), with its dtypes; its derivative counts as 0 where all elements are
/// equal. Gradient: to each element. Beside `using namespace switchyard` write x.std(): `std` alone
/// may mean the standard library.
[[nodiscard]] SWITCHYARD_API Tensor std(const Tensor& x, const Dims& dims = {}, Real correction = 1,
                                        Flag keepdim = false);
/// The logarithm of the sum of exponentials, also where these would overflow; no `dims` means all.
/// Integers and bools become float32. Gradient: to each element; zeros where all are -infinity.
[[nodiscard]] SWITCHYARD_API Tensor logsumexp(const Tensor& x, const Dims& dims,
                                              Flag keepdim = false);
/// (sum |x|^p)^(1/p); INFINITY is the largest absolute value, -INFINITY the smallest, and 0 how
/// many are not 0. Floating-point dtypes alone. Gradient: to each element; zeros at a norm of 0.
/// Error(shape_mismatch) for an infinite order of nothing.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor norm(const Tensor& x, Real p = 2);
[[nodiscard]] SWITCHYARD_API Tensor norm(const Tensor& x, Real p, const Dims& dims,
                                         Flag keepdim = false);
template <Integer D>
[[nodiscard]] Tensor norm(const Tensor& x, std::initializer_list<D> dims) = delete;
/// @}

/// The largest (smallest) element; NaN if there is one. Any numeric dtype, and bools. Gradient:
/// shared by equal elements. Error(shape_mismatch) for nothing to choose from.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor amax(const Tensor& x, const Dims& dims = {},
                                         Flag keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor amin(const Tensor& x, const Dims& dims = {},
                                         Flag keepdim = false);
/// @}
/// What functions give that choose elements: those, and where each stood in its dimension.
struct ValuesAndIndices {
  /// Of one shape. The dtype of the values is that of the tensor given, that of the indices int64.
  Tensor values, indices;
};
/// The largest (smallest) of all elements; NaN if there is one. Any numeric dtype, and bools.
/// Gradient: shared by equal elements, or by the NaNs. Error(shape_mismatch) for nothing to choose
/// from.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor max(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor min(const Tensor& x);
/// @}
/// The largest (smallest) element of a dimension, and the first index that has it; NaN if there is
/// one. Any numeric dtype, and bools. Gradient: to the element at the index. Error(shape_mismatch)
/// for nothing to choose from.
/// @{
[[nodiscard]] SWITCHYARD_API ValuesAndIndices max(const Tensor& x, std::int64_t dim,
                                                  Flag keepdim = false);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices min(const Tensor& x, std::int64_t dim,
                                                  Flag keepdim = false);
/// @}
/// maximum() and minimum() of two tensors: their dtypes, gradients and errors.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor max(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor min(const Tensor& a, const Tensor& b);
/// @}
/// Of two C++ numbers: std::max and std::min.
template <Number A, Number B>
[[nodiscard]] Tensor max(A a, B b) = delete;
template <Number A, Number B>
[[nodiscard]] Tensor min(A a, B b) = delete;
/// With a number that is no dimension: maximum() and minimum().
template <NotInteger B>
[[nodiscard]] Tensor max(const Tensor& x, B b) = delete;
template <NotInteger B>
[[nodiscard]] Tensor min(const Tensor& x, B b) = delete;
/// The index of the largest (smallest) element as int64, the first of equal ones; over all elements
/// in row-major order without `dim`. NaN is the largest, and the smallest. Any numeric dtype, and
/// bools. No gradient. Error(shape_mismatch) for nothing to choose from.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor argmax(const Tensor& x, std::optional<Dim> dim = {},
                                           Flag keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor argmin(const Tensor& x, std::optional<Dim> dim = {},
                                           Flag keepdim = false);
/// @}
/// Whether any, or each, element is not zero: one bool, which `if (all(a == b))` asks for. Of
/// nothing any() is false, all() true. Any numeric dtype, and bools. No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor any(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor all(const Tensor& x);
/// @}
/// The same along dimensions: bools of any dtype. No gradient.
/// @{
[[nodiscard]] SWITCHYARD_API Mask any(const Tensor& x, const Dims& dims, Flag keepdim = false);
[[nodiscard]] SWITCHYARD_API Mask all(const Tensor& x, const Dims& dims, Flag keepdim = false);
/// @}
/// How many of all elements are not zero, NaNs included: int64, of rank 0, of any numeric dtype. No
/// gradient.
[[nodiscard]] SWITCHYARD_API Tensor count_nonzero(const Tensor& x);
/// The sums of the elements up to each, that one included, in the shape of `x`. Integers and bools
/// sum as int64. Gradient: to each element.
[[nodiscard]] SWITCHYARD_API Tensor cumsum(const Tensor& x, Dim dim);

}  // namespace switchyard
