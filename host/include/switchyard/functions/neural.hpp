#pragma once

#include <optional>
#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

// Activations.
SWITCHYARD_API Tensor relu(const Tensor& x);
SWITCHYARD_API Tensor relu6(const Tensor& x);
SWITCHYARD_API Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01);
SWITCHYARD_API Tensor elu(const Tensor& x, double alpha = 1);
SWITCHYARD_API Tensor selu(const Tensor& x);
/// Exact (by erf), or with approximate = "tanh".
SWITCHYARD_API Tensor gelu(const Tensor& x, std::string_view approximate = "none");
SWITCHYARD_API Tensor silu(const Tensor& x);
SWITCHYARD_API Tensor mish(const Tensor& x);
SWITCHYARD_API Tensor softplus(const Tensor& x);
SWITCHYARD_API Tensor softsign(const Tensor& x);
SWITCHYARD_API Tensor sigmoid(const Tensor& x);
SWITCHYARD_API Tensor logsigmoid(const Tensor& x);
SWITCHYARD_API Tensor hardsigmoid(const Tensor& x);
SWITCHYARD_API Tensor hardswish(const Tensor& x);
SWITCHYARD_API Tensor hardtanh(const Tensor& x, double low = -1, double high = 1);
SWITCHYARD_API Tensor prelu(const Tensor& x, const Tensor& weight);
SWITCHYARD_API Tensor softmax(const Tensor& x, std::int64_t dim);
SWITCHYARD_API Tensor log_softmax(const Tensor& x, std::int64_t dim);

/// Extents of windows: one number for all spatial dimensions, or one each. Padding is the same at
/// both ends.
struct ConvOptions {
  Dims stride = {1};
  Dims padding = {0};
  Dims dilation = {1};
  std::int64_t groups = 1;
};
/// x [N, C, L], weight [out, C / groups, k], bias [out] or no tensor.
SWITCHYARD_API Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                             const ConvOptions& options = {});
SWITCHYARD_API Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {},
                             const ConvOptions& options = {});
/// Each of `output_padding` makes the end of a dimension longer; it is less than the stride or the
/// dilation.
struct ConvTransposeOptions {
  Dims stride = {1};
  Dims padding = {0};
  Dims output_padding = {0};
  Dims dilation = {1};
  std::int64_t groups = 1;
};
/// Transposed convolution, the gradient of a convolution with respect to its input: x [N, C, L],
/// weight [C, out / groups, k], bias [out] or no tensor. L becomes (L - 1) stride - 2 padding +
/// dilation (k - 1) + output_padding + 1.
SWITCHYARD_API Tensor conv_transpose1d(const Tensor& x, const Tensor& weight,
                                       const Tensor& bias = {},
                                       const ConvTransposeOptions& options = {});
SWITCHYARD_API Tensor conv_transpose2d(const Tensor& x, const Tensor& weight,
                                       const Tensor& bias = {},
                                       const ConvTransposeOptions& options = {});
struct PoolOptions {
  Dims stride = {};  // as the kernel, if empty
  Dims padding = {0};
  Dims dilation = {1};  // of max pools
  bool ceil_mode = false;
  bool count_include_pad = true;  // of average pools
};
SWITCHYARD_API Tensor max_pool1d(const Tensor& x, const Dims& kernel,
                                 const PoolOptions& options = {});
SWITCHYARD_API Tensor max_pool2d(const Tensor& x, const Dims& kernel,
                                 const PoolOptions& options = {});
SWITCHYARD_API Tensor avg_pool1d(const Tensor& x, const Dims& kernel,
                                 const PoolOptions& options = {});
SWITCHYARD_API Tensor avg_pool2d(const Tensor& x, const Dims& kernel,
                                 const PoolOptions& options = {});
/// Averages over windows that cut each of the last two dimensions into that many.
SWITCHYARD_API Tensor adaptive_avg_pool2d(const Tensor& x, const Dims& output);

/// Over all but dimension 1. In training the batch's own mean and variance are used, and the
/// running ones, if they are tensors, move to them by `momentum`, in place.
SWITCHYARD_API Tensor batch_norm(const Tensor& x, const Tensor& running_mean,
                                 const Tensor& running_var, const Tensor& weight = {},
                                 const Tensor& bias = {}, bool training = false,
                                 double momentum = 0.1, double eps = 1e-5);
/// Over the last dimensions, which are `shape`.
SWITCHYARD_API Tensor layer_norm(const Tensor& x, const Dims& shape, const Tensor& weight = {},
                                 const Tensor& bias = {}, double eps = 1e-5);
SWITCHYARD_API Tensor group_norm(const Tensor& x, std::int64_t groups, const Tensor& weight = {},
                                 const Tensor& bias = {}, double eps = 1e-5);
SWITCHYARD_API Tensor rms_norm(const Tensor& x, const Dims& shape, const Tensor& weight = {},
                               std::optional<double> eps = {});

/// softmax(q k^T scale + mask) v: q [..., L, E], k [..., S, E], v [..., S, Ev]. A mask of bools
/// says where to look; one of numbers is added. A row of which it leaves nothing, all false or all
/// -infinity, gives 0. `scale` is 1 / sqrt(E) if it is left out.
struct AttentionOptions {
  Tensor mask = {};
  double dropout = 0;
  bool causal = false;
  std::optional<double> scale = {};
};
SWITCHYARD_API Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key,
                                                   const Tensor& value,
                                                   const AttentionOptions& options = {});
/// In training, zeroes elements with probability `p` and scales the others by 1 / (1 - p).
SWITCHYARD_API Tensor dropout(const Tensor& x, double p = 0.5, bool training = true);

}  // namespace switchyard
