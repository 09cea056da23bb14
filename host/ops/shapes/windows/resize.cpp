#include "ops/shapes/windows/resize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <switchyard/plugin/resize.hpp>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

constexpr std::size_t kRoi = 1;
constexpr std::size_t kScales = 2;
constexpr std::size_t kSizes = 3;

using Axes = std::vector<std::int64_t>;

/// Models of old opsets pass an empty tensor for what newer ones leave out.
bool given(const Inference& node, std::size_t input) {
  return node.has(input) && length_of(node, input) != 0;
}

Axes resized_axes(const Inference& node) {
  if (node.attributes().has("axes")) {
    return normalized_axes(node, node.attributes().get_ints("axes"), node.rank(0));
  }
  return every_axis(node.rank(0));
}

void check_length(const Inference& node, std::size_t length, std::size_t wanted,
                  std::string_view name) {
  if (length == wanted) return;
  node.fail(fmt::format("{} must hold {} numbers for the axes it resizes of {}, not {}", name,
                        wanted, describe(node.shape(0)), length));
}

// In float32, as ONNX computes it: 10 * 0.7 is 7, though 0.7 is not a float32.
std::int64_t scaled(const Inference& node, std::int64_t extent, float scale) {
  if (!(scale > 0)) node.fail(fmt::format("a scale is {}; it must be greater than 0", scale));
  if (extent == kUnknown) return kUnknown;
  const float result = std::floor(static_cast<float>(extent) * scale);
  if (result < 0x1p62F) return static_cast<std::int64_t>(result);
  node.fail(fmt::format("a scale of {} makes too much of an extent of {}", scale, extent));
}

bool crops(const Inference& node) {
  return node.attributes().get_text("coordinate_transformation_mode", "") == "tf_crop_and_resize";
}

/// Kernels read it whether the result's extents follow from scales or from sizes.
void check_region(const Inference& node, std::size_t count) {
  if (!crops(node)) return;
  if (!given(node, kRoi)) node.fail("tf_crop_and_resize needs the input roi");
  const std::int64_t length = length_of(node, kRoi);
  if (length != kUnknown) check_length(node, static_cast<std::size_t>(length), 2 * count, "roi");
}

/// The part of each resized axis that a crop keeps, 1 if nothing is cropped; nothing if not known.
std::optional<std::vector<float>> kept_parts(const Inference& node, std::size_t count) {
  std::vector<float> parts(count, 1);
  if (!crops(node)) return parts;
  const auto roi = node.floats(kRoi);
  if (!roi) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) parts[i] = (*roi)[i + count] - (*roi)[i];
  return parts;
}

void apply_scales(const Inference& node, const Axes& axes, Dims& shape) {
  const auto scales = node.floats(kScales);
  const auto parts = kept_parts(node, axes.size());
  if (scales) check_length(node, scales->size(), axes.size(), "scales");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::int64_t& extent = shape[static_cast<std::size_t>(axes[i])];
    extent = scales && parts ? scaled(node, extent, (*scales)[i] * (*parts)[i]) : kUnknown;
  }
}

/// One scale for all axes, so that the picture keeps its form: the smallest or the largest of those
/// that the sizes ask for.
void keep_aspect_ratio(const Axes& axes, const Axes& sizes, sy::ResizePolicy policy, Dims& shape) {
  std::vector<std::int64_t> extents;
  for (std::int64_t axis : axes) extents.push_back(shape[static_cast<std::size_t>(axis)]);
  const bool known = std::find(extents.begin(), extents.end(), kUnknown) == extents.end();
  const auto scale = sy::shared_resize_scale(policy, extents, sizes);
  for (std::int64_t axis : axes) {
    std::int64_t& extent = shape[static_cast<std::size_t>(axis)];
    if (!known)
      extent = kUnknown;
    else if (scale)
      extent = static_cast<std::int64_t>(
          std::min(std::floor(static_cast<double>(extent) * *scale + 0.5), 0x1p62));
  }
}

void apply_sizes(const Inference& node, const Axes& axes, Dims& shape) {
  sy::ResizeAttributes rule;
  rule.set_policy(node.attributes().get_text("keep_aspect_ratio_policy", "stretch"));
  const auto sizes = node.ints(kSizes);
  if (!sizes) {
    for (std::int64_t axis : axes) shape[static_cast<std::size_t>(axis)] = kUnknown;
    return;
  }
  check_length(node, sizes->size(), axes.size(), "sizes");
  const Dims wanted = named_shape(node, "sizes", *sizes);
  if (rule.policy != sy::ResizePolicy::stretch) {
    return keep_aspect_ratio(axes, *sizes, rule.policy, shape);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    shape[static_cast<std::size_t>(axes[i])] = wanted[i];
  }
}

}  // namespace

void resize_shape(Inference& node) {
  require_list(node, kRoi, "roi");
  require_list(node, kScales, "scales");
  require_list(node, kSizes, "sizes");
  if (!node.has_rank(0)) return;
  const bool has_scales = given(node, kScales);
  const bool has_sizes = given(node, kSizes);
  const bool one_may_be_empty =
      length_of(node, kScales) == kUnknown || length_of(node, kSizes) == kUnknown;
  const Axes axes = resized_axes(node);
  check_region(node, axes.size());
  Dims shape = node.shape(0);
  if (has_scales && has_sizes && one_may_be_empty) {
    for (std::int64_t axis : axes) shape[static_cast<std::size_t>(axis)] = kUnknown;
  } else if (has_scales == has_sizes) {
    node.fail(
        fmt::format("takes either scales or sizes, and has {}", has_scales ? "both" : "neither"));
  } else if (has_scales) {
    apply_scales(node, axes, shape);
  } else {
    apply_sizes(node, axes, shape);
  }
  require_samples(node, shape);
  node.set_shape(0, std::move(shape));
}

void upsample_shape(Inference& node) {
  require_list(node, 1, "scales");
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  const auto scales = node.floats(1);
  if (scales) check_length(node, scales->size(), shape.size(), "scales");
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    shape[axis] = scales ? scaled(node, shape[axis], (*scales)[axis]) : kUnknown;
  }
  require_samples(node, shape);
  node.set_shape(0, std::move(shape));
}

void grid_sample_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 3);
  require_rank_of_at_least(node, 1, 3);
  if (!node.has_rank(1)) return;
  const Dims& grid = node.shape(1);
  const std::int64_t spatial = node.rank(1) - 2;
  if (!may_equal(grid.back(), spatial) || (node.has_rank(0) && node.rank(0) != node.rank(1))) {
    node.mismatch(fmt::format("grid {} must be [N, ..., {}] and of the rank of X{}", describe(grid),
                              spatial, node.has_rank(0) ? " " + describe(node.shape(0)) : ""));
  }
  Dims shape{grid[0], kUnknown};
  if (node.has_rank(0)) {
    shape[0] = agreed(node, node.shape(0)[0], grid[0], "the batches of X and grid");
    shape[1] = node.shape(0)[1];
  }
  for (std::int64_t extent : grid.span().subspan(1, grid.size() - 2)) shape.push_back(extent);
  require_samples(node, shape);
  node.set_shape(0, std::move(shape));
}

void affine_grid_shape(Inference& node) {
  require_rank(node, 0, {3}, "[N, 2, 3] or [N, 3, 4]");
  require_list(node, 1, "size");
  const std::int64_t length = length_of(node, 1);
  if (length == kUnknown) return;
  if (length != 4 && length != 5) {
    node.fail(fmt::format("size must be [N, C, H, W] or [N, C, D, H, W], not {} numbers", length));
  }
  const auto known = node.ints(1);
  Dims shape = Dims::filled(static_cast<std::size_t>(length), kUnknown);
  if (known) shape = named_shape(node, "size", *known);
  require_shape(node, 0, "theta", {shape[0], length - 2, length - 1},
                "a matrix for each image of size");
  shape.erase(1);  // a grid has no channels
  shape.push_back(0);
  shape[shape.size() - 1] = length - 2;
  node.set_shape(0, std::move(shape));
}

}  // namespace switchyard
