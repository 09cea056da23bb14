/// @file
/// The pools of <switchyard/functions/neural.hpp> as modules, of [N, C, spatial...] or [C,
/// spatial...]. Kernels and sizes are one number for all spatial dimensions or one each. The
/// functions say which dtypes they take, what gradients they have, and what is an error;
/// constructors check nothing.
#pragma once

#include <switchyard/functions/neural.hpp>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// Windows of `kernel_size`, one number or one a dimension; they follow each other without a gap or
/// an overlap unless the options have a stride.
class SWITCHYARD_API MaxPool : public Module {
 public:
  using Options = MaxPoolOptions;
  std::string extra_repr() const override;

  Dims kernel_size;
  MaxPoolOptions options;

 protected:
  MaxPool(const Dims& kernel_size, const MaxPoolOptions& options)
      : kernel_size(kernel_size), options(options) {}
};

/// The same for averages.
class SWITCHYARD_API AvgPool : public Module {
 public:
  using Options = AvgPoolOptions;

  Dims kernel_size;
  AvgPoolOptions options;

 protected:
  AvgPool(const Dims& kernel_size, const AvgPoolOptions& options)
      : kernel_size(kernel_size), options(options) {}
};

/// The greatest of each window of [N, C, L] or [C, L], as max_pool1d().
class SWITCHYARD_API MaxPool1d : public MaxPool {
 public:
  /// Windows of that kernel.
  /// @{
  explicit MaxPool1d(const Dims& kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(kernel_size, options) {}
  template <Integer T>
  explicit MaxPool1d(Extents<T> kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The greatest of each window of [N, C, H, W] or [C, H, W], as max_pool2d().
class SWITCHYARD_API MaxPool2d : public MaxPool {
 public:
  /// Windows of that kernel.
  /// @{
  explicit MaxPool2d(const Dims& kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(kernel_size, options) {}
  template <Integer T>
  explicit MaxPool2d(Extents<T> kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The greatest of each window of [N, C, D, H, W] or [C, D, H, W], as max_pool3d().
class SWITCHYARD_API MaxPool3d : public MaxPool {
 public:
  /// Windows of that kernel.
  /// @{
  explicit MaxPool3d(const Dims& kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(kernel_size, options) {}
  template <Integer T>
  explicit MaxPool3d(Extents<T> kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The average over each window of [N, C, L] or [C, L], as avg_pool1d().
class SWITCHYARD_API AvgPool1d : public AvgPool {
 public:
  /// Windows of that kernel.
  /// @{
  explicit AvgPool1d(const Dims& kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(kernel_size, options) {}
  template <Integer T>
  explicit AvgPool1d(Extents<T> kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
/// The average over each window of [N, C, H, W] or [C, H, W], as avg_pool2d().
class SWITCHYARD_API AvgPool2d : public AvgPool {
 public:
  /// Windows of that kernel.
  /// @{
  explicit AvgPool2d(const Dims& kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(kernel_size, options) {}
  template <Integer T>
  explicit AvgPool2d(Extents<T> kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
/// The average over each window of [N, C, D, H, W] or [C, D, H, W], as avg_pool3d().
class SWITCHYARD_API AvgPool3d : public AvgPool {
 public:
  /// Windows of that kernel.
  /// @{
  explicit AvgPool3d(const Dims& kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(kernel_size, options) {}
  template <Integer T>
  explicit AvgPool3d(Extents<T> kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};

/// Pools over windows that cut each of the last dimensions into as many as `output_size` says, one
/// number for all of them or one each.
class SWITCHYARD_API AdaptivePool : public Module {
 public:
  std::string extra_repr() const override;

  Dims output_size;

 protected:
  explicit AdaptivePool(const Dims& output_size) : output_size(output_size) {}
};

/// The average of each such window, as adaptive_avg_pool1d().
class SWITCHYARD_API AdaptiveAvgPool1d : public AdaptivePool {
 public:
  /// Into that many windows.
  /// @{
  explicit AdaptiveAvgPool1d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Integer T>
  explicit AdaptiveAvgPool1d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The average of each such window, as adaptive_avg_pool2d().
class SWITCHYARD_API AdaptiveAvgPool2d : public AdaptivePool {
 public:
  /// Into that many windows.
  /// @{
  explicit AdaptiveAvgPool2d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Integer T>
  explicit AdaptiveAvgPool2d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The average of each such window, as adaptive_avg_pool3d().
class SWITCHYARD_API AdaptiveAvgPool3d : public AdaptivePool {
 public:
  /// Into that many windows.
  /// @{
  explicit AdaptiveAvgPool3d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Integer T>
  explicit AdaptiveAvgPool3d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};

/// The greatest of each such window, as adaptive_max_pool1d().
class SWITCHYARD_API AdaptiveMaxPool1d : public AdaptivePool {
 public:
  /// Into that many windows.
  /// @{
  explicit AdaptiveMaxPool1d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Integer T>
  explicit AdaptiveMaxPool1d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The greatest of each such window, as adaptive_max_pool2d().
class SWITCHYARD_API AdaptiveMaxPool2d : public AdaptivePool {
 public:
  /// Into that many windows.
  /// @{
  explicit AdaptiveMaxPool2d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Integer T>
  explicit AdaptiveMaxPool2d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};
/// The greatest of each such window, as adaptive_max_pool3d().
class SWITCHYARD_API AdaptiveMaxPool3d : public AdaptivePool {
 public:
  /// Into that many windows.
  /// @{
  explicit AdaptiveMaxPool3d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Integer T>
  explicit AdaptiveMaxPool3d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  /// @}
  Tensor forward(const Tensor& x) override;
};

}  // namespace switchyard::nn
