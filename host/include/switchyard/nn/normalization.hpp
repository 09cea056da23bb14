/// @file
/// The normalizations of <switchyard/functions/neural.hpp> with their parameters. Floating-point
/// inputs alone; the result has their shape and dtype. Gradient: to the input and the parameters.
/// Errors are those of the functions: Error(shape_mismatch) for other ranks,
/// Error(invalid_argument) for other dtypes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Of BatchNorm1d, BatchNorm2d and BatchNorm3d.
struct BatchNormOptions {
  bool affine = true;  ///< with weight and bias
  double eps = 1e-5;   ///< added to variances
  /// How far running statistics move to those of a batch; without it they are averages of all.
  /// Where none are tracked, another one than 0.1 is Error(invalid_argument).
  std::optional<double> momentum = 0.1;
  bool track_running_stats = true;  ///< else batches are always normalized by their own
};

/// Every channel (dimension 1) to mean 0 and deviation 1, then scaled: by the batch's own
/// statistics in training, else by running_mean and running_var.
class SWITCHYARD_API BatchNorm : public Module {
 public:
  using Options = BatchNormOptions;
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
  /// Whether running statistics are averages of all batches, whatever `momentum` says: of this
  /// module and its copies, from now on.
  void average_all_batches(Flag averages) { *averages_all_ = averages; }

  Tensor weight, bias;                                    ///< [C], ones and zeros at first
  Tensor running_mean, running_var, num_batches_tracked;  ///< buffers; none unless they are tracked
  std::int64_t features;                                  ///< channels
  BatchNormOptions options;

 protected:
  BatchNorm(Int features, const BatchNormOptions& options, Int least_rank, Int most_rank);

 private:
  [[nodiscard]] double count_batch() const;
  std::int64_t least_rank_, most_rank_;
  std::shared_ptr<bool> averages_all_ = std::make_shared<bool>(false);  // shared by all copies
};

/// Of [N, C] or [N, C, L].
class SWITCHYARD_API BatchNorm1d : public BatchNorm {
 public:
  /// Of as many channels as `features`.
  explicit BatchNorm1d(Int features, const BatchNormOptions& options = {})
      : BatchNorm(features, options, 2, 3) {}
};
/// Of [N, C, H, W].
class SWITCHYARD_API BatchNorm2d : public BatchNorm {
 public:
  /// Of as many channels as `features`.
  explicit BatchNorm2d(Int features, const BatchNormOptions& options = {})
      : BatchNorm(features, options, 4, 4) {}
};
/// Of [N, C, D, H, W].
class SWITCHYARD_API BatchNorm3d : public BatchNorm {
 public:
  /// Of as many channels as `features`.
  explicit BatchNorm3d(Int features, const BatchNormOptions& options = {})
      : BatchNorm(features, options, 5, 5) {}
};

/// Of InstanceNorm1d, InstanceNorm2d and InstanceNorm3d.
struct InstanceNormOptions {
  bool affine = false;  ///< with weight and bias
  double eps = 1e-5;    ///< added to variances
  /// How far running statistics move to the averages of a batch. Where none are tracked, another
  /// one than 0.1 is Error(invalid_argument).
  double momentum = 0.1;
  bool track_running_stats = false;  ///< and use them after eval()
};

/// Each channel of each sample to mean 0 and deviation 1, then scaled. A single sample has no
/// dimension N. Throw Error(shape_mismatch) for inputs of other ranks, and Error(invalid_argument)
/// for other channels and for one value a channel.
class SWITCHYARD_API InstanceNorm : public Module {
 public:
  using Options = InstanceNormOptions;
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight, bias;                                    ///< [C], ones and zeros at first
  Tensor running_mean, running_var, num_batches_tracked;  ///< buffers; none unless they are tracked
  std::int64_t features;                                  ///< channels
  InstanceNormOptions options;

 protected:
  InstanceNorm(Int features, const InstanceNormOptions& options, Int rank);

 private:
  std::int64_t rank_;  // with N
};

/// Of [N, C, L] or [C, L].
class SWITCHYARD_API InstanceNorm1d : public InstanceNorm {
 public:
  /// Of as many channels as `features`.
  explicit InstanceNorm1d(Int features, const InstanceNormOptions& options = {})
      : InstanceNorm(features, options, 3) {}
};
/// Of [N, C, H, W] or [C, H, W].
class SWITCHYARD_API InstanceNorm2d : public InstanceNorm {
 public:
  /// Of as many channels as `features`.
  explicit InstanceNorm2d(Int features, const InstanceNormOptions& options = {})
      : InstanceNorm(features, options, 4) {}
};
/// Of [N, C, D, H, W] or [C, D, H, W].
class SWITCHYARD_API InstanceNorm3d : public InstanceNorm {
 public:
  /// Of as many channels as `features`.
  explicit InstanceNorm3d(Int features, const InstanceNormOptions& options = {})
      : InstanceNorm(features, options, 5) {}
};

/// Of LayerNorm.
struct LayerNormOptions {
  bool bias = true;                ///< whether there is a bias beside the weight
  bool elementwise_affine = true;  ///< with weight and bias
  double eps = 1e-5;               ///< added to variances
};
/// Over the last dimensions, which are `normalized_shape`.
class SWITCHYARD_API LayerNorm : public Module {
 public:
  using Options = LayerNormOptions;
  /// Extents of the last dimensions of what is normalized, in their order.
  /// @{
  explicit LayerNorm(const Dims& normalized_shape, const LayerNormOptions& options = {});
  template <Integer T>
  explicit LayerNorm(Extents<T> normalized_shape, const LayerNormOptions& options = {})
      : LayerNorm(detail::to_dims(normalized_shape), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight, bias;  ///< of normalized_shape: ones and zeros at first
  Dims normalized_shape;
  LayerNormOptions options;
};

/// Of GroupNorm.
struct GroupNormOptions {
  bool affine = true;  ///< with weight and bias
  double eps = 1e-5;   ///< added to variances
};
/// Groups of channels of each sample, each of [C / groups, ...], to mean 0 and deviation 1, then
/// scaled.
class SWITCHYARD_API GroupNorm : public Module {
 public:
  using Options = GroupNormOptions;
  /// Throws Error(invalid_argument) for groups that do not divide the channels.
  GroupNorm(Int groups, Int channels, const GroupNormOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight, bias;  ///< [C], ones and zeros at first
  std::int64_t groups, channels;
  GroupNormOptions options;
};

/// Of RMSNorm.
struct RMSNormOptions {
  bool elementwise_affine = true;  ///< with a weight
  std::optional<double> eps = {};  ///< the dtype's smallest step above 1, if it is left out
};
/// Over the root of the mean square of the last dimensions, then scaled.
class SWITCHYARD_API RMSNorm : public Module {
 public:
  using Options = RMSNormOptions;
  /// Extents of the last dimensions of what is normalized, in their order.
  /// @{
  explicit RMSNorm(const Dims& normalized_shape, const RMSNormOptions& options = {});
  template <Integer T>
  explicit RMSNorm(Extents<T> normalized_shape, const RMSNormOptions& options = {})
      : RMSNorm(detail::to_dims(normalized_shape), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight;  ///< of normalized_shape, ones at first
  Dims normalized_shape;
  RMSNormOptions options;
};

}  // namespace switchyard::nn
