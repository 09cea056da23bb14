// Windows of images as columns, and back; pixels between channels and positions.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/neural/windows.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kCol2Im("Col2Im");

using Numbers = std::vector<std::int64_t>;

/// Windows of two dimensions.
struct Blocks {
  Blocks(std::string_view name, const Dims& kernel_size, const UnfoldOptions& options)
      : kernel(for_each_axis(name, "kernel_size", kernel_size, 2, 1)),
        dilation(for_each_axis(name, "dilation", options.dilation, 2, 1)),
        padding(for_each_axis(name, "padding", options.padding, 2, 0)),
        stride(for_each_axis(name, "stride", options.stride, 2, 1)) {}

  /// How many fit along each dimension of an image of these extents.
  Numbers counts(std::string_view name, const Numbers& image) const {
    Numbers counts;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::int64_t span = add_extents(multiply_extents(kernel[i] - 1, dilation[i]), 1);
      const std::int64_t padded = add_extents(image[i], multiply_extents(2, padding[i]));
      if (span > padded) {
        throw Error(ErrorKind::shape_mismatch,
                    fmt::format("[{}] a window spans {} elements, but an image {} has only {} "
                                "along dimension {}, padding included",
                                name, span, listed(Dims(std::span(image))), padded, i));
      }
      counts.push_back((padded - span) / stride[i] + 1);
    }
    return counts;
  }

  Numbers kernel, dilation, padding, stride;
};

/// [N, C, H, W] of [C, H, W], or of [N, rows, columns] with one dimension less.
template <typename Function>
Tensor of_batch(std::string_view name, const Tensor& x, std::int64_t rank,
                const Function& function) {
  require_rank(name, x, rank - 1, rank);
  return x.dim() == rank ? function(x) : squeeze(function(unsqueeze(x, 0)), 0);
}

/// Dimension `dim` as [kernel, count]: the elements of each window.
Tensor windows_along(const Tensor& x, std::int64_t dim, const Blocks& blocks, std::size_t axis,
                     std::int64_t count) {
  Numbers positions;
  for (std::int64_t element = 0; element < blocks.kernel[axis]; ++element) {
    for (std::int64_t window = 0; window < count; ++window) {
      positions.push_back(element * blocks.dilation[axis] + window * blocks.stride[axis]);
    }
  }
  const auto size = static_cast<std::int64_t>(positions.size());
  const Tensor index = place(host_tensor({size}, positions), {.device = options_like(x).device});
  return unflatten(index_select(x, dim, index), dim, {blocks.kernel[axis], count});
}

/// [N..., C, H, W] as [all N, C, H, W].
Tensor as_images(std::string_view name, const Tensor& x) {
  require_rank(name, x, 3, 64);
  const std::int64_t rank = x.dim();
  Dims shape{1};
  for (std::int64_t d = 0; d < rank - 3; ++d) shape[0] *= x.size(d);
  for (std::int64_t d = rank - 3; d < rank; ++d) shape.push_back(x.size(d));
  return reshape(x, shape);
}

/// `images` with the leading dimensions of `like`.
Tensor with_leading(const Tensor& images, const Tensor& like) {
  Dims shape = like.shape();
  for (std::int64_t d = 1; d <= 3; ++d) shape[-d] = images.size(-d);
  return reshape(images, shape);
}

}  // namespace

Tensor unfold(const Tensor& x, const Dims& kernel_size, const UnfoldOptions& options) {
  const CalledFunction here;
  const Blocks blocks("unfold", kernel_size, options);
  return of_batch("unfold", x, 4, [&](const Tensor& batch) {
    const Numbers counts = blocks.counts("unfold", {batch.size(2), batch.size(3)});
    const Numbers& more = blocks.padding;
    const Tensor padded =
        more[0] + more[1] == 0 ? batch : pad(batch, {more[1], more[1], more[0], more[0]});
    // [N, C, kernel, count, kernel, count]
    const Tensor rows = windows_along(padded, 2, blocks, 0, counts[0]);
    const Tensor elements = windows_along(rows, 4, blocks, 1, counts[1]);
    const std::int64_t column = batch.size(1) * blocks.kernel[0] * blocks.kernel[1];
    return reshape(permute(elements, {0, 1, 2, 4, 3, 5}),
                   {batch.size(0), column, counts[0] * counts[1]});
  });
}

Tensor fold(const Tensor& x, const Dims& output_size, const Dims& kernel_size,
            const UnfoldOptions& options) {
  const CalledFunction here;
  require_floating("fold", x);
  const Blocks blocks("fold", kernel_size, options);
  const Numbers image = for_each_axis("fold", "output_size", output_size, 2, 1);
  const Numbers counts = blocks.counts("fold", image);
  return of_batch("fold", x, 3, [&](const Tensor& batch) {
    const std::int64_t elements = multiply_extents(blocks.kernel[0], blocks.kernel[1]);
    const std::int64_t windows = multiply_extents(counts[0], counts[1]);
    if (batch.size(1) % elements != 0 || batch.size(2) != windows) {
      throw Error(ErrorKind::shape_mismatch,
                  fmt::format("[fold] {} windows of {} elements a channel do not make an image {} "
                              "of an input {}",
                              windows, elements, listed(output_size), describe(x.shape())));
    }
    return kCol2Im({batch, int64s(Dims(std::span(image))), int64s(Dims(std::span(blocks.kernel)))},
                   attributes({{"dilations", blocks.dilation},
                               {"pads", both_ends(blocks.padding)},
                               {"strides", blocks.stride}}));
  });
}

Tensor pixel_shuffle(const Tensor& x, Int upscale_factor) {
  const CalledFunction here;
  require_at_least("pixel_shuffle", "upscale_factor", upscale_factor, 1);
  const Tensor images = as_images("pixel_shuffle", x);
  const std::int64_t r = upscale_factor, pixels = multiply_extents(r, r);
  if (images.size(1) % pixels != 0) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[pixel_shuffle] the channels of an input {} must divide into the {} "
                            "pixels of each position",
                            describe(x.shape()), pixels));
  }
  const std::int64_t n = images.size(0), c = images.size(1) / pixels, h = images.size(2),
                     w = images.size(3);
  const Tensor apart = permute(reshape(images, {n, c, r, r, h, w}), {0, 1, 4, 2, 5, 3});
  return with_leading(reshape(apart, {n, c, h * r, w * r}), x);
}

Tensor pixel_unshuffle(const Tensor& x, Int downscale_factor) {
  const CalledFunction here;
  require_at_least("pixel_unshuffle", "downscale_factor", downscale_factor, 1);
  const Tensor images = as_images("pixel_unshuffle", x);
  const std::int64_t r = downscale_factor;
  if (images.size(2) % r != 0 || images.size(3) % r != 0) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[pixel_unshuffle] the extents of an input {} must divide by {}",
                            describe(x.shape()), r));
  }
  const std::int64_t n = images.size(0), c = images.size(1), h = images.size(2) / r,
                     w = images.size(3) / r;
  const Tensor apart = permute(reshape(images, {n, c, h, r, w, r}), {0, 1, 3, 5, 2, 4});
  return with_leading(reshape(apart, {n, c * r * r, h, w}), x);
}

}  // namespace switchyard
