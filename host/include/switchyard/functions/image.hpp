#pragma once

#include <optional>
#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// What lies beyond an edge: one value, the elements behind the edge mirrored, the edge itself, or
/// the elements from the other end.
enum class PaddingMode { constant, reflect, replicate, circular };
/// "constant", "reflect", "replicate", "circular"
[[nodiscard]] SWITCHYARD_API std::string_view name_of(PaddingMode mode);

/// Before and after the last dimension, then before and after the one before it, and so on, as in
/// PyTorch. Negative numbers cut off. `value` is for PaddingMode::constant alone.
[[nodiscard]] SWITCHYARD_API Tensor pad(const Tensor& x, const Dims& padding,
                                        PaddingMode mode = PaddingMode::constant,
                                        const Tensor& value = {});

/// `nearest` is for any input, `linear` for [N, C, L], `bilinear` and `bicubic` for [N, C, H, W],
/// `trilinear` for [N, C, D, H, W].
enum class InterpolationMode { nearest, linear, bilinear, trilinear, bicubic };

/// Spatial dimensions resized to `size`, or by `scale_factor`, which must leave each an extent from
/// 1 to 2^31 - 1 (to 2^24 for float64 by a scale that no float32 is).
struct InterpolateOptions {
  bool align_corners = false;  // not for `nearest`
  InterpolationMode mode = InterpolationMode::nearest;
  std::optional<double> scale_factor = {};
  Dims size = {};
};
[[nodiscard]] SWITCHYARD_API Tensor interpolate(const Tensor& x, const InterpolateOptions& options);

}  // namespace switchyard
