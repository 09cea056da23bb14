/// @file
/// Activations, convolutions, pools, normalizations, attention and dropout. Results are new tensors
/// on the device of `x`, in its dtype where a contract does not say otherwise. Errors:
/// Error(shape_mismatch) for a rank or shape that does not fit, Error(invalid_argument) for a dtype
/// that is refused, for options out of their range and for a dimension that is not there.
#pragma once

#include <optional>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// @name Activations
/// Of the shape of `x`. Floating-point dtypes, which stay; integers are Error(invalid_argument)
/// where a function does not say otherwise. Gradient: to `x`.
/// @{
/// max(x, 0), of any numeric dtype but bool, which stays; the derivative at 0 is 0.
[[nodiscard]] SWITCHYARD_API Tensor relu(const Tensor& x);
/// min(max(x, 0), 6); integers become float32. The derivative at both bounds is 0.
[[nodiscard]] SWITCHYARD_API Tensor relu6(const Tensor& x);
/// x where it is above 0, else negative_slope x.
[[nodiscard]] SWITCHYARD_API Tensor leaky_relu(const Tensor& x, Real negative_slope = 0.01);
/// x where it is above 0, else alpha (exp(x) - 1).
[[nodiscard]] SWITCHYARD_API Tensor elu(const Tensor& x, Real alpha = 1);
/// 1.0507... elu(x, 1.6732...), with the numbers of Klambauer and others, 2017.
[[nodiscard]] SWITCHYARD_API Tensor selu(const Tensor& x);
/// How gelu() is computed: by erf, or by 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
enum class GeluApproximation { none, tanh };
/// x times the normal distribution's cumulative function at x: exact, by erf, or approximated.
[[nodiscard]] SWITCHYARD_API Tensor gelu(const Tensor& x,
                                         GeluApproximation approximation = GeluApproximation::none);
/// x sigmoid(x); integers become float32.
[[nodiscard]] SWITCHYARD_API Tensor silu(const Tensor& x);
/// x tanh(softplus(x))
[[nodiscard]] SWITCHYARD_API Tensor mish(const Tensor& x);
/// log(1 + exp(x)), exact for large x, too.
[[nodiscard]] SWITCHYARD_API Tensor softplus(const Tensor& x);
/// x / (1 + |x|); integers become float32.
[[nodiscard]] SWITCHYARD_API Tensor softsign(const Tensor& x);
/// 1 / (1 + exp(-x)); integers become float32.
[[nodiscard]] SWITCHYARD_API Tensor sigmoid(const Tensor& x);
/// log(sigmoid(x)), also where sigmoid(x) would be 0.
[[nodiscard]] SWITCHYARD_API Tensor logsigmoid(const Tensor& x);
/// min(max(x + 3, 0), 6) / 6; the derivative at both bounds is 0.
[[nodiscard]] SWITCHYARD_API Tensor hardsigmoid(const Tensor& x);
/// x hardsigmoid(x)
[[nodiscard]] SWITCHYARD_API Tensor hardswish(const Tensor& x);
/// min(max(x, low), high); integers become float32. The derivative at both bounds is 0.
[[nodiscard]] SWITCHYARD_API Tensor hardtanh(const Tensor& x, Real low = -1, Real high = 1);
/// The first half of a dimension, whose extent is even, times the sigmoid of the other half.
/// Error(shape_mismatch) for an odd extent, and for rank 0.
[[nodiscard]] SWITCHYARD_API Tensor glu(const Tensor& x, Dim dim = -1);
/// x where it is above 0, else weight x: `weight` has one element, or one for each index of
/// dimension 1, and a gradient, too. Error(shape_mismatch) for another number.
[[nodiscard]] SWITCHYARD_API Tensor prelu(const Tensor& x, const Tensor& weight);
/// exp(x) over its sum along `dim`, also where exp(x) would overflow.
[[nodiscard]] SWITCHYARD_API Tensor softmax(const Tensor& x, Dim dim);
/// The logarithm of softmax(), also where that would be 0.
[[nodiscard]] SWITCHYARD_API Tensor log_softmax(const Tensor& x, Dim dim);
/// @}

/// The windows of a convolution. Extents are one number for all spatial dimensions, or one each.
struct ConvOptions {
  Dims dilation = {1};      ///< from one element of a window to the next
  std::int64_t groups = 1;  ///< into which the channels are divided; each sees its own alone
  Dims padding = {0};       ///< zeros at both ends
  Dims stride = {1};        ///< from one window to the next
};
/// Cross-correlation, as in PyTorch: x [N, C, spatial...], or [C, spatial...] for one sample, with
/// weight [out, C / groups, k...] and bias [out], or no tensor, gives [N, out, spatial'...].
/// Floating-point tensors of one dtype, which the result has. Gradient: to all three.
/// Error(shape_mismatch) for channels that do not fit, and for a window larger than the input with
/// its padding; Error(invalid_argument) for different dtypes.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor conv1d(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {},
                                           const ConvOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv2d(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {},
                                           const ConvOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv3d(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {},
                                           const ConvOptions& options = {});
/// @}
/// The windows of the convolution whose gradient it is. Each of `output_padding` makes the end of a
/// dimension longer; it is less than the stride or the dilation.
struct ConvTransposeOptions {
  Dims dilation = {1};        ///< from one element of a window to the next
  std::int64_t groups = 1;    ///< into which the channels are divided
  Dims output_padding = {0};  ///< elements more at the end
  Dims padding = {0};         ///< elements less at both ends
  Dims stride = {1};          ///< from one window to the next
};
/// Transposed convolution, the gradient of a convolution with respect to its input: x [N, C,
/// spatial...], or [C, spatial...], with weight [C, out / groups, k...] and bias [out], or no
/// tensor, gives [N, out, spatial'...]. L becomes (L - 1) stride - 2 padding + dilation (k - 1) +
/// output_padding + 1. Floating-point tensors of one dtype, which the result has. Gradient: to all
/// three. Errors are those of conv1d().
/// @{
[[nodiscard]] SWITCHYARD_API Tensor conv_transpose1d(const Tensor& x, const Tensor& weight,
                                                     const Tensor& bias = {},
                                                     const ConvTransposeOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv_transpose2d(const Tensor& x, const Tensor& weight,
                                                     const Tensor& bias = {},
                                                     const ConvTransposeOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv_transpose3d(const Tensor& x, const Tensor& weight,
                                                     const Tensor& bias = {},
                                                     const ConvTransposeOptions& options = {});
/// @}
/// The windows of a pool. Extents are one number for all spatial dimensions, or one each.
struct MaxPoolOptions {
  bool ceil_mode = false;  ///< the last window may hang over the end
  Dims dilation = {1};     ///< from one element of a window to the next
  Dims padding = {0};      ///< of both ends, at most half of the kernel; it never is the greatest
  Dims stride = {};        ///< as the kernel, if empty
};
/// The greatest of each window: [N, C, spatial...], or [C, spatial...], to [N, C, spatial'...].
/// Floating-point dtypes alone. Gradient: to the greatest element of each window, the first of
/// equal ones. Error(shape_mismatch) for a window larger than the input, Error(invalid_argument)
/// for a padding of more than half of the kernel.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor max_pool1d(const Tensor& x, const Dims& kernel,
                                               const MaxPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor max_pool2d(const Tensor& x, const Dims& kernel,
                                               const MaxPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor max_pool3d(const Tensor& x, const Dims& kernel,
                                               const MaxPoolOptions& options = {});
/// @}
/// The windows of a pool. Extents are one number for all spatial dimensions, or one each.
struct AvgPoolOptions {
  bool ceil_mode = false;         ///< the last window may hang over the end
  bool count_include_pad = true;  ///< whether the padding counts as zeros, or not at all
  Dims padding = {0};             ///< of both ends, at most half of the kernel
  Dims stride = {};               ///< as the kernel, if empty
};
/// The average over each window: [N, C, spatial...], or [C, spatial...], to [N, C, spatial'...].
/// Floating-point dtypes alone. Gradient: to each element of a window. Errors are those of
/// max_pool1d().
/// @{
[[nodiscard]] SWITCHYARD_API Tensor avg_pool1d(const Tensor& x, const Dims& kernel,
                                               const AvgPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor avg_pool2d(const Tensor& x, const Dims& kernel,
                                               const AvgPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor avg_pool3d(const Tensor& x, const Dims& kernel,
                                               const AvgPoolOptions& options = {});
/// @}
/// Averages over windows that cut each of the last one, two or three dimensions into that many:
/// window i of `out` goes from floor(i in / out) up to ceil((i + 1) in / out), as in PyTorch. x is
/// [N, C, spatial...] or [C, spatial...], of a floating-point dtype. Gradient: to each element of a
/// window. Error(invalid_argument) for an input without elements.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor adaptive_avg_pool1d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_avg_pool2d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_avg_pool3d(const Tensor& x, const Dims& output);
/// @}
/// The greatest of each such window, of a floating-point dtype. Gradient: to the first greatest
/// one. Error(invalid_argument) for an input without elements.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor adaptive_max_pool1d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_max_pool2d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_max_pool3d(const Tensor& x, const Dims& output);
/// @}

/// (x - mean) / sqrt(var + eps) weight + bias of x [N, C, ...], over all but dimension 1; the last
/// four tensors are [C], weight and bias may be left out. In training the batch's own mean and
/// variance are used, and the running ones, if they are tensors, move to them by `momentum`, in
/// place. Floating-point dtypes alone. Gradient: to `x`, `weight` and `bias`, and outside of
/// training to the statistics. Error(shape_mismatch) in training with one value a channel;
/// Error(invalid_argument) outside of it without statistics.
[[nodiscard]] SWITCHYARD_API Tensor batch_norm(const Tensor& x, const Tensor& running_mean,
                                               const Tensor& running_var, const Tensor& weight = {},
                                               const Tensor& bias = {}, Flag training = false,
                                               Real momentum = 0.1, Real eps = 1e-5);
/// Each channel of each sample by itself: x [N, C, ...]. With `use_input_stats` by its own mean and
/// variance, to whose averages over the batch the running ones, if they are tensors, move by
/// `momentum`, in place. Without it, by the running ones. Floating-point dtypes alone. Gradient: to
/// `x`, `weight` and `bias`, and to the running ones where they are used. Error(invalid_argument)
/// with one value a channel, and without statistics that are needed.
[[nodiscard]] SWITCHYARD_API Tensor instance_norm(const Tensor& x, const Tensor& running_mean = {},
                                                  const Tensor& running_var = {},
                                                  const Tensor& weight = {},
                                                  const Tensor& bias = {},
                                                  Flag use_input_stats = true, Real momentum = 0.1,
                                                  Real eps = 1e-5);
/// (x - mean) / sqrt(var + eps) weight + bias over the last dimensions, which are `shape`, as are
/// weight and bias, if they are tensors. Floating-point dtypes alone. Gradient: to all three.
/// Error(shape_mismatch) where `x` does not end with `shape`.
[[nodiscard]] SWITCHYARD_API Tensor layer_norm(const Tensor& x, const Dims& shape,
                                               const Tensor& weight = {}, const Tensor& bias = {},
                                               Real eps = 1e-5);
/// The same over each of `groups` groups of channels of x [N, C, ...], with weight and bias [C].
/// Floating-point dtypes alone. Gradient: to all three. Error(shape_mismatch) for channels that do
/// not divide into the groups.
[[nodiscard]] SWITCHYARD_API Tensor group_norm(const Tensor& x, Int groups,
                                               const Tensor& weight = {}, const Tensor& bias = {},
                                               Real eps = 1e-5);
/// x / sqrt(mean(x^2) + eps) weight over the last dimensions, which are `shape`; `eps` is the
/// smallest step of the dtype above 1 if it is left out. Floating-point dtypes alone; 16-bit ones
/// are computed as float32. Gradient: to both. Error(shape_mismatch) where `x` does not end with
/// `shape`.
[[nodiscard]] SWITCHYARD_API Tensor rms_norm(const Tensor& x, const Dims& shape,
                                             const Tensor& weight = {},
                                             std::optional<Real> eps = {});

/// How scaled_dot_product_attention() looks at keys.
struct AttentionOptions {
  bool causal = false;  ///< query i looks at keys 0 to i alone; not beside a mask
  double dropout = 0;   ///< of the shares, with this probability
  Tensor mask = {};     ///< of bools, true where to look, or of numbers, which are added
  std::optional<double> scale = {};  ///< 1 / sqrt(E) if it is left out
};
/// softmax(q k^T scale + mask) v: q [..., L, E], k [..., S, E], v [..., S, Ev], whose leading
/// dimensions broadcast. A row of which the mask leaves nothing, all false or all -infinity, gives
/// 0. Floating-point dtypes, which promote. Gradient: to all three, and to a mask of numbers.
/// Error(shape_mismatch) for extents that do not fit, Error(invalid_argument) for both a mask and
/// `causal`.
[[nodiscard]] SWITCHYARD_API Tensor
scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const AttentionOptions& options = {});
/// In training, zeroes elements with probability `p` and scales the others by 1 / (1 - p); else,
/// and with a `p` of 0, `x` itself. Floating-point dtypes alone. Gradient: to `x`, by the same
/// factors. Error(invalid_argument) for a `p` outside of [0, 1].
[[nodiscard]] SWITCHYARD_API Tensor dropout(const Tensor& x, Real p = 0.5, Flag training = true);
/// The same of whole channels: of x [N, C, L] or [C, L], of [N, C, H, W], of [N, C, D, H, W] or [C,
/// D, H, W]. Floating-point dtypes alone. Gradient: to `x`. Error(shape_mismatch) for other ranks.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor dropout1d(const Tensor& x, Real p = 0.5, Flag training = true);
[[nodiscard]] SWITCHYARD_API Tensor dropout2d(const Tensor& x, Real p = 0.5, Flag training = true);
[[nodiscard]] SWITCHYARD_API Tensor dropout3d(const Tensor& x, Real p = 0.5, Flag training = true);
/// @}

}  // namespace switchyard
