// The gradient of DeformConv: what the windows see, sampled, times the weights.
#include <switchyard/functions.hpp>

#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "gradients/rules/taps.hpp"
#include "gradients/rules/windows.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

/// The extents of one call. Samples have those of [N, offset groups, kernel H, kernel W, H, W].
struct Extents {
  std::int64_t images, channels, outputs, height, width, groups, offset_groups;
  SlidingWindow window;

  Extents(const Backward& step, In in, const Dims& y)
      : images(in[0].size(0)),
        channels(in[0].size(1)),
        outputs(in[1].size(0)),
        height(y[2]),
        width(y[3]),
        groups(step.attributes().get_int("group", 1)),
        offset_groups(step.attributes().get_int("offset_group", 1)),
        window(sliding_window(step.attributes(), spatial_of(in[1].shape()), in[0].shape(), y)) {}

  std::int64_t taps() const { return window[0].kernel * window[1].kernel; }
  std::int64_t positions() const { return height * width; }
  Dims sampled() const {
    return {images, offset_groups, window[0].kernel, window[1].kernel, height, width};
  }
};

/// Where the elements of windows lie on one axis when they are moved, and the pixels around them.
TappedAxis moved(const Extents& extents, const Tensor& offsets, std::size_t axis,
                 std::int64_t extent) {
  const auto dim = static_cast<std::int64_t>(axis);
  const sy::WindowAxis& window = extents.window[axis];
  const Tensor like = offsets.detach();
  const Tensor element = mul(counted(window.kernel, 2 + dim, 6, like), window.dilation);
  const std::int64_t count = axis == 0 ? extents.height : extents.width;
  const Tensor start = mul(counted(count, 4 + dim, 6, like), window.stride);
  const Tensor at = add(sub(add(start, element), window.pad_before), offsets);
  const Tensor first = floor(at.detach());
  const Tensor t = sub(at, first);
  return {extent, {tap_or_none(first, sub(1, t), extent), tap_or_none(add(first, 1), t, extent)}};
}

/// [N, C * taps, positions]: a row for each channel and element of the kernel.
Tensor columns(const Extents& extents, In in, const Tensor& x, const Tensor& offset) {
  Dims paired = extents.sampled();  // offsets come in pairs, down and across
  paired[2] = extents.taps();
  paired[3] = 2;
  const Tensor pairs = reshape(offset, paired);
  const Dims sampled = extents.sampled();
  const TappedAxis axes[] = {
      moved(extents, reshape(select(pairs, 3, 0), sampled), 0, x.size(2)),
      moved(extents, reshape(select(pairs, 3, 1), sampled), 1, x.size(3)),
  };
  const std::int64_t share = extents.channels / extents.offset_groups;
  const Tensor by_group =
      reshape(x, {extents.images * extents.offset_groups, share, x.size(2), x.size(3)});
  const Tensor owner =
      reshape(counted_indices(extents.images * extents.offset_groups, 0, 1, offset.detach()),
              {extents.images, extents.offset_groups, 1, 1, 1, 1});
  Tensor seen = tapped(rows_of_pixels(by_group), owner, axes);
  if (in.size() > 4 && in[4].defined())
    seen = mul(seen, unsqueeze(reshape(widened(in[4]), sampled), -1));
  return reshape(permute(seen, {0, 1, 6, 2, 3, 4, 5}),
                 {extents.images, extents.channels * extents.taps(), extents.positions()});
}

std::vector<Tensor> deformable_convolution(const Backward& step, In in) {
  const Tensor x = widened(in[0]), weights = widened(in[1]), offset = widened(in[2]);
  const Extents extents(step, in, {x.size(0), weights.size(0), offset.size(2), offset.size(3)});
  const std::int64_t groups = extents.groups;
  const Tensor seen = columns(extents, in, x, offset);
  const Tensor grouped = reshape(seen, {extents.images, groups, -1, extents.positions()});
  const Tensor y = matmul(reshape(weights, {groups, extents.outputs / groups, -1}), grouped);
  Tensor made = reshape(y, {extents.images, extents.outputs, extents.height, extents.width});
  if (in.size() > 3 && in[3].defined()) made = add(made, reshape(widened(in[3]), {-1, 1, 1}));
  return {made.to(in[0].dtype())};
}

constexpr RuleRow kDeformableConvolutionRules[] = {
    {"DeformConv", composite_gradient<deformable_convolution>, kAll}};

}  // namespace

std::span<const RuleRow> deformable_convolution_rules() { return kDeformableConvolutionRules; }

}  // namespace switchyard
