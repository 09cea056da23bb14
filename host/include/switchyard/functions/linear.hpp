#pragma once

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
[[nodiscard]] SWITCHYARD_API Tensor einsum(std::string_view equation,
                                           std::span<const Tensor> operands);
[[nodiscard]] SWITCHYARD_API Tensor einsum(std::string_view equation,
                                           std::initializer_list<Tensor> operands);
/// x weight^T + bias: x is [..., in], weight [out, in], bias [out] or no tensor.
[[nodiscard]] SWITCHYARD_API Tensor linear(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {});

}  // namespace switchyard
