#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// Products of vectors, matrices and batches of them, as PyTorch's matmul.
[[nodiscard]] SWITCHYARD_API Tensor matmul(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor mm(const Tensor& a, const Tensor& b);  // of two matrices
[[nodiscard]] SWITCHYARD_API Tensor bmm(const Tensor& a,
                                        const Tensor& b);  // of two batches of matrices
[[nodiscard]] SWITCHYARD_API Tensor mv(const Tensor& a, const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor dot(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor outer(const Tensor& a, const Tensor& b);
/// beta input + alpha a b
[[nodiscard]] SWITCHYARD_API Tensor addmm(const Tensor& input, const Tensor& a, const Tensor& b,
                                          double beta = 1, double alpha = 1);
/// The same of batches of matrices, [batch, rows, inner] and [batch, inner, columns]. The input
/// broadcasts; where `beta` is 0 it does not count, NaN included.
[[nodiscard]] SWITCHYARD_API Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b,
                                            double beta = 1, double alpha = 1);
/// The sum of products over the last `dims` dimensions of `a` and the first of `b`. The dimensions
/// of `a` that are left come before those of `b`; with `dims` 0 these are all.
[[nodiscard]] SWITCHYARD_API Tensor tensordot(const Tensor& a, const Tensor& b,
                                              std::int64_t dims = 2);
/// The same over dimension dims_a[i] of `a` and dims_b[i] of `b`, which have one extent.
[[nodiscard]] SWITCHYARD_API Tensor tensordot(const Tensor& a, const Tensor& b, const Dims& dims_a,
                                              const Dims& dims_b);
/// The Kronecker product: each element of `a` times all of `b`, in blocks of the shape of `b`. The
/// lower rank gets dimensions of 1 in front.
[[nodiscard]] SWITCHYARD_API Tensor kron(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor einsum(std::string_view equation,
                                           std::span<const Tensor> operands);
[[nodiscard]] SWITCHYARD_API Tensor einsum(std::string_view equation,
                                           std::initializer_list<Tensor> operands);
/// x weight^T + bias: x is [..., in], weight [out, in], bias [out] or no tensor.
[[nodiscard]] SWITCHYARD_API Tensor linear(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {});

}  // namespace switchyard
