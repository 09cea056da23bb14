#pragma once

#include <optional>
#include <string_view>

#include <switchyard/real.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

// Activations.
[[nodiscard]] SWITCHYARD_API Tensor relu(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor relu6(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
[[nodiscard]] SWITCHYARD_API Tensor elu(const Tensor& x, double alpha = 1);
[[nodiscard]] SWITCHYARD_API Tensor selu(const Tensor& x);
enum class GeluApproximation { none, tanh };
/// x times the normal distribution's cumulative function at x: exact, by erf, or approximated.
[[nodiscard]] SWITCHYARD_API Tensor gelu(const Tensor& x,
                                         GeluApproximation approximation = GeluApproximation::none);
[[nodiscard]] SWITCHYARD_API Tensor silu(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor mish(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor softplus(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor softsign(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sigmoid(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor logsigmoid(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor hardsigmoid(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor hardswish(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor hardtanh(const Tensor& x, double low = -1, double high = 1);
/// The first half of a dimension, whose extent is even, times the sigmoid of the other half.
[[nodiscard]] SWITCHYARD_API Tensor glu(const Tensor& x, std::int64_t dim = -1);
[[nodiscard]] SWITCHYARD_API Tensor prelu(const Tensor& x, const Tensor& weight);
[[nodiscard]] SWITCHYARD_API Tensor softmax(const Tensor& x, std::int64_t dim);
[[nodiscard]] SWITCHYARD_API Tensor log_softmax(const Tensor& x, std::int64_t dim);

/// Extents of windows: one number for all spatial dimensions, or one each. Padding is the same at
/// both ends.
struct ConvOptions {
  Dims dilation = {1};
  std::int64_t groups = 1;
  Dims padding = {0};
  Dims stride = {1};
};
/// x [N, C, L], weight [out, C / groups, k], bias [out] or no tensor.
[[nodiscard]] SWITCHYARD_API Tensor conv1d(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {},
                                           const ConvOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv2d(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {},
                                           const ConvOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv3d(const Tensor& x, const Tensor& weight,
                                           const Tensor& bias = {},
                                           const ConvOptions& options = {});
/// Each of `output_padding` makes the end of a dimension longer; it is less than the stride or the
/// dilation.
struct ConvTransposeOptions {
  Dims dilation = {1};
  std::int64_t groups = 1;
  Dims output_padding = {0};
  Dims padding = {0};
  Dims stride = {1};
};
/// Transposed convolution, the gradient of a convolution with respect to its input: x [N, C, L],
/// weight [C, out / groups, k], bias [out] or no tensor. L becomes (L - 1) stride - 2 padding +
/// dilation (k - 1) + output_padding + 1.
[[nodiscard]] SWITCHYARD_API Tensor conv_transpose1d(const Tensor& x, const Tensor& weight,
                                                     const Tensor& bias = {},
                                                     const ConvTransposeOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv_transpose2d(const Tensor& x, const Tensor& weight,
                                                     const Tensor& bias = {},
                                                     const ConvTransposeOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor conv_transpose3d(const Tensor& x, const Tensor& weight,
                                                     const Tensor& bias = {},
                                                     const ConvTransposeOptions& options = {});
struct MaxPoolOptions {
  bool ceil_mode = false;
  Dims dilation = {1};
  Dims padding = {0};
  Dims stride = {};  // as the kernel, if empty
};
[[nodiscard]] SWITCHYARD_API Tensor max_pool1d(const Tensor& x, const Dims& kernel,
                                               const MaxPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor max_pool2d(const Tensor& x, const Dims& kernel,
                                               const MaxPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor max_pool3d(const Tensor& x, const Dims& kernel,
                                               const MaxPoolOptions& options = {});
struct AvgPoolOptions {
  bool ceil_mode = false;
  bool count_include_pad = true;
  Dims padding = {0};
  Dims stride = {};  // as the kernel, if empty
};
[[nodiscard]] SWITCHYARD_API Tensor avg_pool1d(const Tensor& x, const Dims& kernel,
                                               const AvgPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor avg_pool2d(const Tensor& x, const Dims& kernel,
                                               const AvgPoolOptions& options = {});
[[nodiscard]] SWITCHYARD_API Tensor avg_pool3d(const Tensor& x, const Dims& kernel,
                                               const AvgPoolOptions& options = {});
/// Averages over windows that cut each of the last one, two or three dimensions into that many:
/// window i of `out` goes from floor(i in / out) up to ceil((i + 1) in / out), as in PyTorch.
[[nodiscard]] SWITCHYARD_API Tensor adaptive_avg_pool1d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_avg_pool2d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_avg_pool3d(const Tensor& x, const Dims& output);
/// The greatest of each such window; its first one gets the gradient.
[[nodiscard]] SWITCHYARD_API Tensor adaptive_max_pool1d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_max_pool2d(const Tensor& x, const Dims& output);
[[nodiscard]] SWITCHYARD_API Tensor adaptive_max_pool3d(const Tensor& x, const Dims& output);

/// Over all but dimension 1. In training the batch's own mean and variance are used, and the
/// running ones, if they are tensors, move to them by `momentum`, in place.
[[nodiscard]] SWITCHYARD_API Tensor batch_norm(const Tensor& x, const Tensor& running_mean,
                                               const Tensor& running_var, const Tensor& weight = {},
                                               const Tensor& bias = {}, bool training = false,
                                               Real momentum = 0.1, Real eps = 1e-5);
/// Each channel of each sample by itself: x [N, C, ...]. With `use_input_stats` by its own mean and
/// variance, to whose averages over the batch the running ones, if they are tensors, move by
/// `momentum`, in place; there must be more than one value a channel. Without it, by the running
/// ones.
[[nodiscard]] SWITCHYARD_API Tensor instance_norm(const Tensor& x, const Tensor& running_mean = {},
                                                  const Tensor& running_var = {},
                                                  const Tensor& weight = {},
                                                  const Tensor& bias = {},
                                                  bool use_input_stats = true, Real momentum = 0.1,
                                                  Real eps = 1e-5);
/// Over the last dimensions, which are `shape`.
[[nodiscard]] SWITCHYARD_API Tensor layer_norm(const Tensor& x, const Dims& shape,
                                               const Tensor& weight = {}, const Tensor& bias = {},
                                               double eps = 1e-5);
[[nodiscard]] SWITCHYARD_API Tensor group_norm(const Tensor& x, std::int64_t groups,
                                               const Tensor& weight = {}, const Tensor& bias = {},
                                               double eps = 1e-5);
[[nodiscard]] SWITCHYARD_API Tensor rms_norm(const Tensor& x, const Dims& shape,
                                             const Tensor& weight = {},
                                             std::optional<double> eps = {});

/// softmax(q k^T scale + mask) v: q [..., L, E], k [..., S, E], v [..., S, Ev]. A mask of bools
/// says where to look; one of numbers is added. A row of which it leaves nothing, all false or all
/// -infinity, gives 0. `scale` is 1 / sqrt(E) if it is left out.
struct AttentionOptions {
  bool causal = false;
  double dropout = 0;
  Tensor mask = {};
  std::optional<double> scale = {};
};
[[nodiscard]] SWITCHYARD_API Tensor
scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const AttentionOptions& options = {});
/// In training, zeroes elements with probability `p` and scales the others by 1 / (1 - p).
[[nodiscard]] SWITCHYARD_API Tensor dropout(const Tensor& x, Real p = 0.5, bool training = true);
/// The same of whole channels: of x [N, C, L] or [C, L], of [N, C, H, W], of [N, C, D, H, W] or
/// [C, D, H, W].
[[nodiscard]] SWITCHYARD_API Tensor dropout1d(const Tensor& x, Real p = 0.5, bool training = true);
[[nodiscard]] SWITCHYARD_API Tensor dropout2d(const Tensor& x, Real p = 0.5, bool training = true);
[[nodiscard]] SWITCHYARD_API Tensor dropout3d(const Tensor& x, Real p = 0.5, bool training = true);

}  // namespace switchyard
