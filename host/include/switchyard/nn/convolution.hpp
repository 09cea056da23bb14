#pragma once

#include <cstdint>
#include <string>

#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

/// Extents are one number for all spatial dimensions, or one each.
struct ConvLayerOptions {
  Dims stride = {1};
  Dims padding = {0};  // the same at both ends
  Dims dilation = {1};
  std::int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";  // or reflect, replicate, circular
};

/// What convolutions share: weight [out, in / groups, kernel...], which starts uniform within
/// 1 / sqrt(in / groups * kernel), like bias [out].
class SWITCHYARD_API Convolution : public Module {
 public:
  Tensor weight, bias;
  Dims kernel_size;
  ConvLayerOptions options;

 protected:
  Convolution(std::size_t spatial, std::int64_t in_channels, std::int64_t out_channels,
              const Dims& kernel_size, const ConvLayerOptions& options);
  /// The padding of modes other than zeros, and what is left to the convolution itself.
  Tensor padded(const Tensor& x) const;
  Dims remaining_padding() const;
};

/// [N, C, L] to [N, out, L']: `nn::Conv1d(16, 33, {3}, {.stride = {2}})`
class SWITCHYARD_API Conv1d : public Convolution {
 public:
  Conv1d(std::int64_t in_channels, std::int64_t out_channels, const Dims& kernel_size,
         const ConvLayerOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

/// [N, C, H, W] to [N, out, H', W']: `nn::Conv2d(1, 6, {5}, {.padding = {2}})`
class SWITCHYARD_API Conv2d : public Convolution {
 public:
  Conv2d(std::int64_t in_channels, std::int64_t out_channels, const Dims& kernel_size,
         const ConvLayerOptions& options = {});
  Tensor forward(const Tensor& x) override;
};

}  // namespace switchyard::nn
