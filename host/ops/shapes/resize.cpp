#include "ops/shapes/resize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/shapes/extents.hpp"

namespace switchyard {

namespace {

std::vector<std::int64_t> resized_axes(const Inference& node) {
  std::vector<std::int64_t> axes = node.attributes().get_ints("axes");
  if (axes.empty()) {
    axes.resize(node.shape(0).size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  return normalized_axes(node, std::move(axes), node.rank(0));
}

void check_count(const Inference& node, std::size_t given, std::size_t axes,
                 std::string_view what) {
  if (given == axes) return;
  node.fail(fmt::format("{} {} are given for {} axes", given, what, axes));
}

/// The region of interest also scales, for the one mode that crops.
double region_of(const Inference& node, std::size_t axis, std::size_t axes) {
  if (node.attributes().get_text("coordinate_transformation_mode", "") != "tf_crop_and_resize")
    return 1;
  const auto region = node.floats(1);
  if (!region || region->size() != 2 * axes) return 1;
  return (*region)[axes + axis] - (*region)[axis];
}

void scale(Inference& node, const std::vector<std::int64_t>& axes, Dims& shape,
           const std::vector<float>& scales) {
  check_count(node, scales.size(), axes.size(), "scales");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::int64_t& extent = shape[static_cast<std::size_t>(axes[i])];
    if (!(scales[i] > 0)) node.fail(fmt::format("scale {} is not positive", scales[i]));
    if (extent == kUnknown) continue;
    const double region = region_of(node, i, axes.size());
    extent = static_cast<std::int64_t>(
        std::floor(static_cast<double>(extent) * region * static_cast<double>(scales[i])));
  }
}

void fit(Inference& node, const std::vector<std::int64_t>& axes, Dims& shape,
         const std::vector<std::int64_t>& sizes) {
  check_count(node, sizes.size(), axes.size(), "sizes");
  const std::string_view policy = node.attributes().get_text("keep_aspect_ratio_policy", "stretch");
  double shared = policy == "not_larger" ? HUGE_VAL : 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t extent = shape[static_cast<std::size_t>(axes[i])];
    if (sizes[i] < 0) node.fail(fmt::format("size {} is negative", sizes[i]));
    const double wanted = static_cast<double>(sizes[i]) / static_cast<double>(extent);
    shared = policy == "not_larger" ? std::min(shared, wanted) : std::max(shared, wanted);
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::int64_t& extent = shape[static_cast<std::size_t>(axes[i])];
    if (policy == "stretch") {
      extent = sizes[i];
    } else if (extent != kUnknown) {
      extent = static_cast<std::int64_t>(std::floor(shared * static_cast<double>(extent) + 0.5));
    }
  }
}

}  // namespace

void resize_shape(Inference& node) {
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  const std::vector<std::int64_t> axes = resized_axes(node);
  const auto scales = node.has(2) ? node.floats(2) : std::vector<float>{};
  const auto sizes = node.has(3) ? node.ints(3) : std::vector<std::int64_t>{};
  if (scales && !scales->empty()) {
    scale(node, axes, shape, *scales);
  } else if (scales && sizes && !sizes->empty()) {
    fit(node, axes, shape, *sizes);
  } else if (scales && sizes) {
    node.fail("neither scales nor sizes are given; it needs one of them");
  } else {
    for (std::int64_t axis : axes) shape[static_cast<std::size_t>(axis)] = kUnknown;
  }
  node.set_shape(0, std::move(shape));
}

void grid_sample_shape(Inference& node) {
  if (!node.has_rank(0) || !node.has_rank(1)) return;
  Dims shape = node.shape(0);
  if (node.rank(1) != node.rank(0) || shape.size() < 3) {
    node.fail(
        fmt::format("X of rank {} does not go with a grid of rank {}", node.rank(0), node.rank(1)));
  }
  for (std::size_t d = 2; d < shape.size(); ++d) shape[d] = node.shape(1)[d - 1];
  node.set_shape(0, std::move(shape));
}

void affine_grid_shape(Inference& node) {
  const auto size = node.ints(1);
  if (!size) return;
  if (size->size() != 4 && size->size() != 5) {
    node.fail(fmt::format("size has {} numbers; it must be [N, C, (D,) H, W]", size->size()));
  }
  Dims shape{(*size)[0]};
  for (std::size_t d = 2; d < size->size(); ++d) shape.push_back((*size)[d]);
  shape.push_back(static_cast<std::int64_t>(size->size()) - 2);
  node.set_shape(0, std::move(shape));
}

}  // namespace switchyard
