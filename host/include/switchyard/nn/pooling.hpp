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

class SWITCHYARD_API MaxPool1d : public MaxPool {
 public:
  explicit MaxPool1d(const Dims& kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(kernel_size, options) {}
  template <Extent T>
  explicit MaxPool1d(Extents<T> kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(detail::to_dims(kernel_size), options) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API MaxPool2d : public MaxPool {
 public:
  explicit MaxPool2d(const Dims& kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(kernel_size, options) {}
  template <Extent T>
  explicit MaxPool2d(Extents<T> kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(detail::to_dims(kernel_size), options) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API MaxPool3d : public MaxPool {
 public:
  explicit MaxPool3d(const Dims& kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(kernel_size, options) {}
  template <Extent T>
  explicit MaxPool3d(Extents<T> kernel_size, const MaxPoolOptions& options = {})
      : MaxPool(detail::to_dims(kernel_size), options) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API AvgPool1d : public AvgPool {
 public:
  explicit AvgPool1d(const Dims& kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(kernel_size, options) {}
  template <Extent T>
  explicit AvgPool1d(Extents<T> kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(detail::to_dims(kernel_size), options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
class SWITCHYARD_API AvgPool2d : public AvgPool {
 public:
  explicit AvgPool2d(const Dims& kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(kernel_size, options) {}
  template <Extent T>
  explicit AvgPool2d(Extents<T> kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(detail::to_dims(kernel_size), options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
class SWITCHYARD_API AvgPool3d : public AvgPool {
 public:
  explicit AvgPool3d(const Dims& kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(kernel_size, options) {}
  template <Extent T>
  explicit AvgPool3d(Extents<T> kernel_size, const AvgPoolOptions& options = {})
      : AvgPool(detail::to_dims(kernel_size), options) {}
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

/// The average of each.
class SWITCHYARD_API AdaptiveAvgPool1d : public AdaptivePool {
 public:
  explicit AdaptiveAvgPool1d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Extent T>
  explicit AdaptiveAvgPool1d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API AdaptiveAvgPool2d : public AdaptivePool {
 public:
  explicit AdaptiveAvgPool2d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Extent T>
  explicit AdaptiveAvgPool2d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API AdaptiveAvgPool3d : public AdaptivePool {
 public:
  explicit AdaptiveAvgPool3d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Extent T>
  explicit AdaptiveAvgPool3d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
};

/// The greatest of each such window.
class SWITCHYARD_API AdaptiveMaxPool1d : public AdaptivePool {
 public:
  explicit AdaptiveMaxPool1d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Extent T>
  explicit AdaptiveMaxPool1d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API AdaptiveMaxPool2d : public AdaptivePool {
 public:
  explicit AdaptiveMaxPool2d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Extent T>
  explicit AdaptiveMaxPool2d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API AdaptiveMaxPool3d : public AdaptivePool {
 public:
  explicit AdaptiveMaxPool3d(const Dims& output_size) : AdaptivePool(output_size) {}
  template <Extent T>
  explicit AdaptiveMaxPool3d(Extents<T> output_size) : AdaptivePool(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
};

}  // namespace switchyard::nn
