#pragma once

#include <switchyard/functions/neural.hpp>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// Windows of `kernel_size`, one number or one a dimension; they follow each other without a gap or
/// an overlap unless the options have a stride.
class SWITCHYARD_API Pooling : public Module {
 public:
  Dims kernel_size;
  PoolOptions options;

 protected:
  Pooling(const Dims& kernel_size, const PoolOptions& options)
      : kernel_size(kernel_size), options(options) {}
};

class SWITCHYARD_API MaxPool1d : public Pooling {
 public:
  explicit MaxPool1d(const Dims& kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  explicit MaxPool1d(Extents kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
class SWITCHYARD_API MaxPool2d : public Pooling {
 public:
  explicit MaxPool2d(const Dims& kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  explicit MaxPool2d(Extents kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
class SWITCHYARD_API AvgPool1d : public Pooling {
 public:
  explicit AvgPool1d(const Dims& kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  explicit AvgPool1d(Extents kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
class SWITCHYARD_API AvgPool2d : public Pooling {
 public:
  explicit AvgPool2d(const Dims& kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  explicit AvgPool2d(Extents kernel_size, const PoolOptions& options = {})
      : Pooling(kernel_size, options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};

/// Averages over windows that cut the last two dimensions into `output_size`.
class SWITCHYARD_API AdaptiveAvgPool2d : public Module {
 public:
  explicit AdaptiveAvgPool2d(const Dims& output_size) : output_size(output_size) {}
  explicit AdaptiveAvgPool2d(Extents output_size) : output_size(output_size) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Dims output_size;
};

}  // namespace switchyard::nn
