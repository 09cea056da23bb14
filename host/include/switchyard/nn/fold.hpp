#pragma once

#include <string>

#include <switchyard/functions/image.hpp>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// The windows of images as columns: [N, C, H, W] to [N, C k, L], as the function unfold().
class SWITCHYARD_API Unfold : public Module {
 public:
  using Options = UnfoldOptions;
  /// Windows of that kernel; what fits is found by the first call.
  /// @{
  explicit Unfold(const Dims& kernel_size, const UnfoldOptions& options = {})
      : kernel_size(kernel_size), options(options) {}
  template <Integer T>
  explicit Unfold(Extents<T> kernel_size, const UnfoldOptions& options = {})
      : Unfold(detail::to_dims(kernel_size), options) {}
  /// @}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Dims kernel_size;
  UnfoldOptions options;
};

/// Images of the sums of columns: [N, C k, L] to [N, C, H, W], as the function fold().
class SWITCHYARD_API Fold : public Module {
 public:
  using Options = UnfoldOptions;
  /// Images of that size of windows of that kernel; what fits is found by the first call.
  Fold(const Dims& output_size, const Dims& kernel_size, const UnfoldOptions& options = {})
      : output_size(output_size), kernel_size(kernel_size), options(options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Dims output_size, kernel_size;
  UnfoldOptions options;
};

}  // namespace switchyard::nn
