#pragma once

#include <cstdint>

#include <switchyard/functions/creation.hpp>
#include <switchyard/real.hpp>

namespace switchyard {

/// A stream of random numbers, Philox 4x32-10: what it gives depends on the seed and on how many
/// were drawn before, on every device alike. Any thread may draw.
struct RandomState {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;  // blocks drawn, of four 32-bit words each
};
/// Seeds the process's stream, which all functions here draw from; at first its seed is random.
SWITCHYARD_API void manual_seed(std::uint64_t seed);
/// Where the stream is; setting it makes the same numbers come again.
[[nodiscard]] SWITCHYARD_API RandomState random_state();
SWITCHYARD_API void set_random_state(const RandomState& state);

/// Uniform in [0, 1).
[[nodiscard]] SWITCHYARD_API Tensor rand(const Dims& shape, const TensorOptions& options = {});
/// Normal with mean 0 and deviation 1.
[[nodiscard]] SWITCHYARD_API Tensor randn(const Dims& shape, const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor rand_like(const Tensor& like,
                                              const TensorOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor randn_like(const Tensor& like,
                                               const TensorOptions& options = {});
/// Integers, uniform in [low, high); int64 unless the options say.
[[nodiscard]] SWITCHYARD_API Tensor randint(std::int64_t low, std::int64_t high, const Dims& shape,
                                            const TensorOptions& options = {});
/// 0 to n - 1 in random order, as int64.
[[nodiscard]] SWITCHYARD_API Tensor randperm(std::int64_t n, const TensorOptions& options = {});
/// 1 with probability p, else 0, of the dtype of `p`. Waits for `p`, to check it: throws
/// Error(invalid_argument) for what does not lie in [0, 1].
[[nodiscard]] SWITCHYARD_API Tensor bernoulli(const Tensor& p);

/// `count` indices of the last dimension for each row of weights, [C] or [rows, C], which need not
/// add up to 1: drawn by their weights, as int64 [count] or [rows, count]. Without `replacement`
/// none comes twice. Waits for the weights, to check them: throws Error(invalid_argument) for one
/// that is negative, infinite or NaN, and for a row with too few that are not 0.
[[nodiscard]] SWITCHYARD_API Tensor multinomial(const Tensor& weights, std::int64_t count,
                                                bool replacement = false);

struct GumbelSoftmaxOptions {
  std::int64_t dim = -1;
  bool hard = false;  // ones where the shares are largest, else zeros, with the gradient of shares
  Real tau = 1;       // above 0: the less, the nearer to ones and zeros
};
/// Shares that add up to 1 along a dimension, drawn by logarithms of weights, which need not add up
/// to 1: softmax((logits + noise) / tau), with noise of the Gumbel distribution.
[[nodiscard]] SWITCHYARD_API Tensor gumbel_softmax(const Tensor& logits,
                                                   const GumbelSoftmaxOptions& options = {});

}  // namespace switchyard
