/// @file
/// Images: padded, resized, cut into windows, and read at positions. Results are new tensors where
/// a contract does not say otherwise, on the device of `x`. Errors: Error(shape_mismatch) for a
/// rank or shape that does not fit, Error(invalid_argument) for options that do not fit each other
/// or the input.
#pragma once

#include <optional>
#include <string_view>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// What lies beyond an edge: one value, the elements behind the edge mirrored, the edge itself, or
/// the elements from the other end.
enum class PaddingMode { constant, reflect, replicate, circular };
/// "constant", "reflect", "replicate", "circular": valid for ever.
[[nodiscard]] SWITCHYARD_API std::string_view name_of(PaddingMode mode);

/// More elements at the ends of dimensions, in a copy, or a view where none are added: `padding`
/// has pairs, before and after the last dimension, then before and after the one before it, and so
/// on, as in PyTorch. Negative numbers cut off. `value`, 0 if left out, is for
/// PaddingMode::constant alone, and is converted to the dtype of `x`: any numeric one, or bool.
/// Gradient: to `x`, in the other modes summed over what was copied, and to `value`.
/// Error(shape_mismatch) for a padding that is not made of pairs, and for more than there is to
/// mirror, repeat or cut off.
[[nodiscard]] SWITCHYARD_API Tensor pad(const Tensor& x, const Dims& padding,
                                        PaddingMode mode = PaddingMode::constant,
                                        const Tensor& value = {});

/// `nearest` is for any input, `linear` for [N, C, L], `bilinear` and `bicubic` for [N, C, H, W],
/// `trilinear` for [N, C, D, H, W].
enum class InterpolationMode { nearest, linear, bilinear, trilinear, bicubic };

/// Spatial dimensions resized to `size`, or by `scale_factor`, which must leave each an extent from
/// 1 to 2^31 - 1 (to 2^24 for float64 by a scale that no float32 is).
struct InterpolateOptions {
  bool align_corners = false;  ///< corners of both images lie on each other; not for `nearest`
  InterpolationMode mode = InterpolationMode::nearest;  ///< how a position between elements is read
  std::optional<double> scale_factor = {};              ///< in place of `size`, for all dimensions
  Dims size = {};  ///< one extent for all spatial dimensions, or one each
};
/// A copy of `x` [N, C, ...] with other spatial extents, without antialiasing. Any numeric dtype,
/// kept. Gradient: to `x`, of floating-point dtypes. Error(invalid_argument) for both or none of
/// `size` and `scale_factor`; Error(shape_mismatch) for a mode that is for other ranks.
[[nodiscard]] SWITCHYARD_API Tensor interpolate(const Tensor& x, const InterpolateOptions& options);

/// Extents of windows of two dimensions, as those of conv2d.
struct UnfoldOptions {
  Dims dilation = {1};  ///< between the elements of a window
  Dims padding = {0};   ///< zeros at both ends
  Dims stride = {1};    ///< from one window to the next
};
/// The windows of images as columns: [N, C, H, W] to [N, C k, L], of L windows of k elements each,
/// both in row-major order; [C, H, W] to [C k, L]. A copy, of any dtype. Gradient: to `x`, summed
/// over its windows. Error(shape_mismatch) for a window that is larger than the image.
[[nodiscard]] SWITCHYARD_API Tensor unfold(const Tensor& x, const Dims& kernel_size,
                                           const UnfoldOptions& options = {});
/// Images [N, C, H, W] of columns [N, C k, L], or [C, H, W] of [C k, L], elements of several
/// windows being summed: the gradient of unfold(). `output_size` is H and W. Floating-point dtypes
/// alone. Gradient: to `x`. Error(shape_mismatch) for columns that are not those of such an image.
[[nodiscard]] SWITCHYARD_API Tensor fold(const Tensor& x, const Dims& output_size,
                                         const Dims& kernel_size,
                                         const UnfoldOptions& options = {});

/// [..., C r r, H, W] to [..., C, H r, W r]: channels become r times r pixels of each position. Any
/// dtype. Gradient: to `x`. Error(shape_mismatch) for channels that do not divide so.
[[nodiscard]] SWITCHYARD_API Tensor pixel_shuffle(const Tensor& x, Int upscale_factor);
/// The inverse: [..., C, H r, W r] to [..., C r r, H, W]. Any dtype. Gradient: to `x`.
/// Error(shape_mismatch) for extents that do not divide so.
[[nodiscard]] SWITCHYARD_API Tensor pixel_unshuffle(const Tensor& x, Int downscale_factor);

/// How a position between pixels is read; `bicubic` is for [N, C, H, W] alone.
enum class GridSampleMode { bilinear, nearest, bicubic };
/// What lies beyond the edge: zeros, the edge itself, or the picture mirrored.
enum class GridSamplePaddingMode { zeros, border, reflection };
/// How grid_sample() reads.
struct GridSampleOptions {
  bool align_corners = false;  ///< -1 and 1 are the middles of the corner pixels, not their edges
  GridSampleMode mode = GridSampleMode::bilinear;                     ///< between pixels
  GridSamplePaddingMode padding_mode = GridSamplePaddingMode::zeros;  ///< beyond the edge
};
/// Images [N, C, H, W] read at positions [N, rows, columns, 2] of which each has x and y from -1 to
/// 1, as [N, C, rows, columns]; or volumes, with three of each, where `bilinear` is trilinear. Both
/// are of one floating-point dtype. Gradient: to both; `nearest` gives zeros to positions.
/// Error(shape_mismatch) for shapes that do not go together, Error(invalid_argument) for dtypes.
[[nodiscard]] SWITCHYARD_API Tensor grid_sample(const Tensor& x, const Tensor& grid,
                                                const GridSampleOptions& options = {});
/// Positions for grid_sample(): for an image of `size` [N, C, H, W], theta [N, 2, 3] times [x, y,
/// 1] of each pixel, as [N, H, W, 2]; for volumes theta is [N, 3, 4]. Of the floating-point dtype
/// of theta. Gradient: to theta. Error(shape_mismatch) for shapes that do not go together.
[[nodiscard]] SWITCHYARD_API Tensor affine_grid(const Tensor& theta, const Dims& size,
                                                Flag align_corners = false);

}  // namespace switchyard
