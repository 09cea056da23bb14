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

/// Averages over windows that cut the last two dimensions into `output_size`.
class SWITCHYARD_API AdaptiveAvgPool2d : public Module {
 public:
  explicit AdaptiveAvgPool2d(const Dims& output_size) : output_size(output_size) {}
  template <Extent T>
  explicit AdaptiveAvgPool2d(Extents<T> output_size) : output_size(detail::to_dims(output_size)) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Dims output_size;
};

}  // namespace switchyard::nn
