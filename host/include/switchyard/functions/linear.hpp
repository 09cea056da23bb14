/// @file
/// Products of vectors, matrices and tensors. Dtypes promote where a contract does not say
/// otherwise; results are new tensors on the device of the factors. Errors: Error(shape_mismatch)
/// for ranks and inner extents that do not fit, Error(invalid_argument) for a dtype that is
/// refused.
#pragma once

#include <initializer_list>
#include <span>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// Products of vectors, matrices and batches of them, as PyTorch's matmul: [..., n, k] and [..., k,
/// m] give [..., n, m], and leading dimensions broadcast; of a vector [k] the dimension goes. Any
/// numeric dtype; integers wrap round, bools are refused. Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor matmul(const Tensor& a, const Tensor& b);
/// matmul() of two matrices, of two batches [N, n, k] and [N, k, m], of a matrix and a vector, and
/// of two vectors: its dtypes and gradients. Error(shape_mismatch) for other ranks.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor mm(const Tensor& a, const Tensor& b);  // of two matrices
[[nodiscard]] SWITCHYARD_API Tensor bmm(const Tensor& a,
                                        const Tensor& b);  // of two batches of matrices
[[nodiscard]] SWITCHYARD_API Tensor mv(const Tensor& a, const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor dot(const Tensor& a, const Tensor& b);
/// @}
/// a[i] b[j] of two vectors, [n, m]. The dtypes promote as those of mul(). Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor outer(const Tensor& a, const Tensor& b);
/// beta input + alpha a b of matrices [n, k] and [k, m]. The input broadcasts to [n, m]; where
/// `beta` is 0 it does not count, NaN included. Dtypes promote. Gradient: to all three.
[[nodiscard]] SWITCHYARD_API Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b,
                                          Real beta = 1, Real alpha = 1);
/// The same of batches of matrices, [batch, rows, inner] and [batch, inner, columns]. Dtypes
/// promote. Gradient: to all three. Error(shape_mismatch) for extents that do not fit.
[[nodiscard]] SWITCHYARD_API Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b,
                                            Real beta = 1, Real alpha = 1);
/// The sum of products over the last `dims` dimensions of `a` and the first of `b`. The dimensions
/// of `a` that are left come before those of `b`; with `dims` 0 these are all. Dtypes promote.
/// Gradient: to both. Error(shape_mismatch) for extents that differ, Error(invalid_argument)
/// for more dimensions than there are.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor tensordot(const Tensor& a, const Tensor& b, Int dims = 2);
template <Integer D>
[[nodiscard]] Tensor tensordot(const Tensor& a, const Tensor& b,
                               std::initializer_list<D> dims) = delete;
/// @}
/// The same over dimension dims_a[i] of `a` and dims_b[i] of `b`, which have one extent. Dtypes
/// promote. Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor tensordot(const Tensor& a, const Tensor& b, const Dims& dims_a,
                                              const Dims& dims_b);
/// The Kronecker product: each element of `a` times all of `b`, in blocks of the shape of `b`. The
/// lower rank gets dimensions of 1 in front. Dtypes promote. Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor kron(const Tensor& a, const Tensor& b);
/// Products summed as the equation says: "ij,jk->ik"; "..." is for dimensions that broadcast, and
/// without "->" subscripts that come once are kept, in their order. All operands are of one numeric
/// dtype, which the result has. Gradient: to all. Error(invalid_argument) for different dtypes and
/// for an equation that makes no sense, Error(shape_mismatch) for extents that do not fit it.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor einsum(Text equation, std::span<const Tensor> operands);
[[nodiscard]] SWITCHYARD_API Tensor einsum(Text equation, std::initializer_list<Tensor> operands);
/// @}
/// x weight^T + bias: x is [..., in], weight [out, in], bias [out] or no tensor. Dtypes promote;
/// any numeric one. Gradient: to all three.
[[nodiscard]] SWITCHYARD_API Tensor linear(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {});

}  // namespace switchyard
