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

/// Extents of windows of two dimensions, as those of conv2d.
struct UnfoldOptions {
  Dims dilation = {1};
  Dims padding = {0};
  Dims stride = {1};
};
/// The windows of images as columns: [N, C, H, W] to [N, C k, L], of L windows of k elements each,
/// both in row-major order; [C, H, W] to [C k, L]. A copy, of any type.
[[nodiscard]] SWITCHYARD_API Tensor unfold(const Tensor& x, const Dims& kernel_size,
                                           const UnfoldOptions& options = {});
/// Images [N, C, H, W] of columns [N, C k, L], or [C, H, W] of [C k, L], elements of several
/// windows being summed: the gradient of unfold(). `output_size` is H and W. Floating-point only.
[[nodiscard]] SWITCHYARD_API Tensor fold(const Tensor& x, const Dims& output_size,
                                         const Dims& kernel_size,
                                         const UnfoldOptions& options = {});

/// [..., C r r, H, W] to [..., C, H r, W r]: channels become r times r pixels of each position.
[[nodiscard]] SWITCHYARD_API Tensor pixel_shuffle(const Tensor& x, std::int64_t upscale_factor);
/// The inverse: [..., C, H r, W r] to [..., C r r, H, W].
[[nodiscard]] SWITCHYARD_API Tensor pixel_unshuffle(const Tensor& x, std::int64_t downscale_factor);

/// How a position between pixels is read; `bicubic` is for [N, C, H, W] alone.
enum class GridSampleMode { bilinear, nearest, bicubic };
/// What lies beyond the edge: zeros, the edge itself, or the picture mirrored.
enum class GridSamplePaddingMode { zeros, border, reflection };
struct GridSampleOptions {
  bool align_corners = false;  // -1 and 1 are the middles of the corner pixels, not their edges
  GridSampleMode mode = GridSampleMode::bilinear;
  GridSamplePaddingMode padding_mode = GridSamplePaddingMode::zeros;
};
/// Images [N, C, H, W] read at positions [N, rows, columns, 2] of which each has x and y from -1 to
/// 1, as [N, C, rows, columns]; or volumes, with three of each, where `bilinear` is trilinear. Both
/// are of one floating-point type. Gradients by both; `nearest` has none by positions, but zeros.
[[nodiscard]] SWITCHYARD_API Tensor grid_sample(const Tensor& x, const Tensor& grid,
                                                const GridSampleOptions& options = {});
/// Positions for grid_sample(): for an image of `size` [N, C, H, W], theta [N, 2, 3] times
/// [x, y, 1] of each pixel, as [N, H, W, 2]; for volumes theta is [N, 3, 4].
[[nodiscard]] SWITCHYARD_API Tensor affine_grid(const Tensor& theta, const Dims& size,
                                                bool align_corners = false);

}  // namespace switchyard
