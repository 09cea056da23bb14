#pragma once

#include <cstdint>
#include <string>

#include <switchyard/functions/image.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Spatial dimensions resized as interpolate() does it: `nn::Upsample({.scale_factor = 2})`. The
/// options need either a size or a scale_factor.
class SWITCHYARD_API Upsample : public Module {
 public:
  using Options = InterpolateOptions;
  /// What fits is found by the first call.
  explicit Upsample(const InterpolateOptions& options) : options(options) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  InterpolateOptions options;
};

/// [..., C r r, H, W] to [..., C, H r, W r], r being the factor, as pixel_shuffle().
class SWITCHYARD_API PixelShuffle : public Module {
 public:
  /// A factor below 1 is found by the first call.
  explicit PixelShuffle(Int upscale_factor) : upscale_factor(upscale_factor) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t upscale_factor;
};

/// The inverse: [..., C, H r, W r] to [..., C r r, H, W].
class SWITCHYARD_API PixelUnshuffle : public Module {
 public:
  /// A factor below 1 is found by the first call.
  explicit PixelUnshuffle(Int downscale_factor) : downscale_factor(downscale_factor) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t downscale_factor;
};

}  // namespace switchyard::nn
