#include <switchyard/nn/normalization.hpp>

#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions/neural.hpp>
#include <switchyard/functions/shaping.hpp>

#include "functions/calls/require.hpp"
#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"
#include "types/describe.hpp"

namespace switchyard::nn {
namespace {

std::string with_dimensions(const char* layer, std::int64_t rank) {
  return fmt::format("{}{}d", layer, rank - 2);
}

const Dims& require_shape(const char* layer, const Dims& normalized_shape) {
  for (const std::int64_t extent : normalized_shape)
    require_at_least(layer, "an extent of normalized_shape", extent, 0);
  return normalized_shape;
}

/// A momentum moves running statistics alone.
template <typename Options>
void check_momentum(const std::string& layer, const Options& options) {
  if (options.track_running_stats || options.momentum == Options{}.momentum) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] momentum is for track_running_stats alone; leave it out", layer));
}

}  // namespace

BatchNorm::BatchNorm(Int features, const BatchNormOptions& options, Int least_rank, Int most_rank)
    : weight(register_parameter(
          "weight", filled_parameter({require_at_least(with_dimensions("BatchNorm", most_rank),
                                                       "num_features", features, 0)},
                                     1, options.affine))),
      bias(register_parameter("bias", filled_parameter({features}, 0, options.affine))),
      features(features),
      options(options),
      least_rank_(least_rank),
      most_rank_(most_rank) {
  check_momentum(with_dimensions("BatchNorm", most_rank), options);
  if (!options.track_running_stats) return;
  running_mean = register_buffer("running_mean", zeros({features}));
  running_var = register_buffer("running_var", ones({features}));
  num_batches_tracked = register_buffer("num_batches_tracked", zeros({}, {.dtype = DType::int64}));
}

/// Counts the batch; how far the running statistics move.
double BatchNorm::count_batch() const {
  num_batches_tracked.add_(1);
  if (options.momentum && !*averages_all_) return *options.momentum;
  return 1 / static_cast<double>(num_batches_tracked.item<std::int64_t>());
}

Tensor BatchNorm::forward(const Tensor& x) {
  require_rank(with_dimensions("BatchNorm", most_rank_), x, least_rank_, most_rank_);
  const bool moves = is_training() && options.track_running_stats;
  const double momentum = moves ? count_batch() : 0;
  return batch_norm(x, running_mean, running_var, weight, bias,
                    is_training() || !options.track_running_stats, momentum, options.eps);
}

InstanceNorm::InstanceNorm(Int features, const InstanceNormOptions& options, Int rank)
    : weight(register_parameter(
          "weight", filled_parameter({require_at_least(with_dimensions("InstanceNorm", rank),
                                                       "num_features", features, 0)},
                                     1, options.affine))),
      bias(register_parameter("bias", filled_parameter({features}, 0, options.affine))),
      features(features),
      options(options),
      rank_(rank) {
  check_momentum(with_dimensions("InstanceNorm", rank), options);
  if (!options.track_running_stats) return;
  running_mean = register_buffer("running_mean", zeros({features}));
  running_var = register_buffer("running_var", ones({features}));
  num_batches_tracked = register_buffer("num_batches_tracked", zeros({}, {.dtype = DType::int64}));
}

/// num_batches_tracked stays 0, as in PyTorch: momentum does not depend on it.
Tensor InstanceNorm::forward(const Tensor& x) {
  const std::string name = with_dimensions("InstanceNorm", rank_);
  require_rank(name, x, rank_ - 1, rank_);
  const Tensor batch = x.dim() == rank_ ? x : unsqueeze(x, 0);
  if (batch.size(1) != features) {
    throw Error(ErrorKind::shape_mismatch, fmt::format("[{}] needs an input of {} channels, got {}",
                                                       name, features, describe(x.shape())));
  }
  const bool own = is_training() || !options.track_running_stats;
  const Tensor y = instance_norm(batch, running_mean, running_var, weight, bias, own,
                                 options.momentum, options.eps);
  return x.dim() == rank_ ? y : squeeze(y, 0);
}

LayerNorm::LayerNorm(const Dims& normalized_shape, const LayerNormOptions& options)
    : weight(register_parameter("weight",
                                filled_parameter(require_shape("LayerNorm", normalized_shape), 1,
                                                 options.elementwise_affine))),
      bias(register_parameter(
          "bias",
          filled_parameter(normalized_shape, 0, options.elementwise_affine && options.bias))),
      normalized_shape(normalized_shape),
      options(options) {}

Tensor LayerNorm::forward(const Tensor& x) {
  return layer_norm(x, normalized_shape, weight, bias, options.eps);
}

GroupNorm::GroupNorm(Int groups, Int channels, const GroupNormOptions& options)
    : weight(register_parameter(
          "weight", filled_parameter({require_at_least("GroupNorm", "num_channels", channels, 0)},
                                     1, options.affine))),
      bias(register_parameter("bias", filled_parameter({channels}, 0, options.affine))),
      groups(groups),
      channels(channels),
      options(options) {
  if (groups >= 1 && channels % groups == 0) return;
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("[GroupNorm] {} channels cannot be cut into {} groups", channels, groups));
}

Tensor GroupNorm::forward(const Tensor& x) {
  return group_norm(x, groups, weight, bias, options.eps);
}

RMSNorm::RMSNorm(const Dims& normalized_shape, const RMSNormOptions& options)
    : weight(
          register_parameter("weight", filled_parameter(require_shape("RMSNorm", normalized_shape),
                                                        1, options.elementwise_affine))),
      normalized_shape(normalized_shape),
      options(options) {}

Tensor RMSNorm::forward(const Tensor& x) {
  return rms_norm(x, normalized_shape, weight, options.eps);
}

std::string BatchNorm::extra_repr() const {
  return fmt::format("{}, eps={}, momentum={}, affine={}, track_running_stats={}", features,
                     python_text(options.eps),
                     options.momentum ? python_text(*options.momentum) : "None",
                     python_text(options.affine), python_text(options.track_running_stats));
}

std::string InstanceNorm::extra_repr() const {
  return fmt::format("{}, eps={}, momentum={}, affine={}, track_running_stats={}", features,
                     python_text(options.eps), python_text(options.momentum),
                     python_text(options.affine), python_text(options.track_running_stats));
}

std::string LayerNorm::extra_repr() const {
  return fmt::format("{}, eps={}, elementwise_affine={}", python_tuple(normalized_shape),
                     python_text(options.eps), python_text(options.elementwise_affine));
}

std::string GroupNorm::extra_repr() const {
  return fmt::format("{}, {}, eps={}, affine={}", groups, channels, python_text(options.eps),
                     python_text(options.affine));
}

std::string RMSNorm::extra_repr() const {
  return fmt::format("{}, eps={}, elementwise_affine={}", python_tuple(normalized_shape),
                     options.eps ? python_text(*options.eps) : "None",
                     python_text(options.elementwise_affine));
}

}  // namespace switchyard::nn
