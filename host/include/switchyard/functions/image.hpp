#pragma once

#include <optional>
#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// Before and after the last dimension, then before and after the one before it, and so on, as in
/// PyTorch. Negative numbers cut off. Modes: constant, reflect, replicate, circular.
SWITCHYARD_API Tensor pad(const Tensor& x, const Dims& padding, std::string_view mode = "constant",
                          const Tensor& value = 0);

/// Spatial dimensions resized to `size`, or by `scale_factor`, which must leave each an extent from
/// 1 to 2^31 - 1 (to 2^24 for float64 by a scale that no float32 is). Modes: nearest, linear,
/// bilinear, bicubic.
struct InterpolateOptions {
  Dims size = {};
  std::optional<double> scale_factor = {};
  std::string_view mode = "nearest";
  bool align_corners = false;
};
SWITCHYARD_API Tensor interpolate(const Tensor& x, const InterpolateOptions& options);

}  // namespace switchyard
