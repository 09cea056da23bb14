/// @file
/// Random numbers, all from one stream of the process. Results are new tensors on the device of the
/// options, else of the tensor given, else the current one. What is drawn has no gradient. Errors:
/// Error(invalid_argument) for a dtype that is refused, and for a negative extent.
#pragma once

#include <concepts>
#include <cstdint>

#include <switchyard/functions/creation.hpp>
#include <switchyard/number.hpp>

namespace switchyard {

/// A stream of random numbers, Philox 4x32-10: what it gives depends on the seed and on how many
/// were drawn before, on every device alike. Any thread may draw.
struct RandomState {
  std::uint64_t seed = 0;    ///< of the process, at random at first
  std::uint64_t offset = 0;  ///< blocks drawn, of four 32-bit words each
};
/// Seeds the process's stream, which all functions here draw from, at its begin; at first its seed
/// is random. Any thread may call it.
SWITCHYARD_API void manual_seed(std::uint64_t seed);
/// Where the stream is; setting it makes the same numbers come again. Any thread may call both.
/// @{
[[nodiscard]] SWITCHYARD_API RandomState random_state();
SWITCHYARD_API void set_random_state(const RandomState& state);
/// @}

/// Uniform in [0, 1). Floating-point dtypes alone, float32 unless the options say. No gradient
/// flows through it; with `requires_grad` the result is a leaf.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor rand(const Dims& shape, const TensorOptions& options = {});
template <std::same_as<DType> Type>
[[nodiscard]] Tensor rand(const Dims& shape, Type dtype) {
  return rand(shape, TensorOptions{.dtype = dtype});
}
/// @}
/// Normal with mean 0 and deviation 1. Floating-point dtypes alone, float32 unless the options say.
/// No gradient flows through it.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor randn(const Dims& shape, const TensorOptions& options = {});
template <std::same_as<DType> Type>
[[nodiscard]] Tensor randn(const Dims& shape, Type dtype) {
  return randn(shape, TensorOptions{.dtype = dtype});
}
/// @}
/// rand() and randn() of the shape and, unless the options say, of the dtype and device of `like`:
/// that of integers is Error(invalid_argument). No gradient flows through them.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor rand_like(const Tensor& like,
                                              const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor randn_like(const Tensor& like,
                                               const TensorOptions& options = {});
/// @}
/// Integers, uniform in [low, high), as int64 unless the options name another dtype. No gradient.
/// Error(invalid_argument) where no integer lies between, and for an integer dtype that does not
/// hold all of them.
[[nodiscard]] SWITCHYARD_API Tensor randint(Int low, Int high, const Dims& shape,
                                            const TensorOptions& options = {});
/// 0 to n - 1 in random order, as int64 unless the options name another dtype. No gradient.
/// Error(invalid_argument) for a negative `n`.
[[nodiscard]] SWITCHYARD_API Tensor randperm(Int n, const TensorOptions& options = {});
/// 1 with probability p, else 0, of the shape and the floating-point dtype of `p`. Waits for `p`,
/// to check it. No gradient. Error(invalid_argument) for what does not lie in [0, 1], and for
/// integers.
[[nodiscard]] SWITCHYARD_API Tensor bernoulli(const Tensor& p);

/// `count` indices of the last dimension for each row of weights, [C] or [rows, C], of a
/// floating-point dtype, which need not add up to 1: drawn by their weights, as int64 [count] or
/// [rows, count]. Without `replacement` none comes twice. Waits for the weights, to check them. No
/// gradient. Error(shape_mismatch) for another rank; Error(invalid_argument) for a `count` below 1,
/// for no weights, for one that is negative, infinite or NaN, and for a row with too few that are
/// not 0.
[[nodiscard]] SWITCHYARD_API Tensor multinomial(const Tensor& weights, Int count,
                                                Flag replacement = false);

/// How gumbel_softmax() draws.
struct GumbelSoftmaxOptions {
  std::int64_t dim = -1;  ///< along which the shares add up to 1
  bool hard =
      false;       ///< ones where the shares are largest, else zeros, with the gradient of shares
  double tau = 1;  ///< above 0: the less, the nearer to ones and zeros
};
/// Shares that add up to 1 along a dimension, drawn by logarithms of weights, which need not add up
/// to 1: softmax((logits + noise) / tau), with noise of the Gumbel distribution. Of the shape and
/// the floating-point dtype of the logits. Gradient: to the logits, that of the shares also with
/// `hard`. Error(invalid_argument) for a `tau` of 0 or less, and for integers.
[[nodiscard]] SWITCHYARD_API Tensor gumbel_softmax(const Tensor& logits,
                                                   const GumbelSoftmaxOptions& options = {});

}  // namespace switchyard
