#include "ops/shapes/windows/pooling.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "ops/shapes/windows/window.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// Of RoiAlign, along a side of a cell: more would only take time.
constexpr std::int64_t kMostSamples = 1 << 15;

std::vector<std::int64_t> required_kernel(const Inference& node) {
  std::vector<std::int64_t> kernel = node.attributes().get_ints("kernel_shape");
  if (kernel.empty()) node.fail("kernel_shape is []; it must hold a number for each spatial axis");
  require_window_numbers(node, "kernel_shape", kernel, 1);
  if (node.has_rank(0) && node.shape(0).size() != kernel.size() + 2) {
    node.mismatch(
        fmt::format("kernel_shape {} does not go with the input {}, which must have a batch and a "
                    "channel axis before the spatial ones",
                    kernel, describe(node.shape(0))));
  }
  return kernel;
}

/// The root of a sum of powers is a norm from the first power on.
void require_norm(const Inference& node) {
  attribute_within(node, "p", 2, 1, std::numeric_limits<std::int32_t>::max());
}

/// Regions of interest, each of `numbers` numbers, times channels times a fixed window.
void set_roi_shape(Inference& node, std::int64_t numbers, std::int64_t height, std::int64_t width) {
  require_rank(node, 0, {4}, "[N, C, H, W]");
  require_shape(node, 1, "rois", {kUnknown, numbers}, "regions, numbers of a region");
  require_window_numbers(node, "the pooled window", {height, width}, 1);
  const std::int64_t regions = node.has_rank(1) ? node.shape(1)[0] : kUnknown;
  const std::int64_t channels = node.has_rank(0) ? node.shape(0)[1] : kUnknown;
  require_samples(node, {regions, channels, height, width});
  node.set_shape(0, {regions, channels, height, width});
}

Dims unpooled(const Inference& node, const Window& window) {
  Dims shape = Dims::filled(window.kernel.size() + 2, kUnknown);
  if (!node.has_rank(0)) return shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t extent = node.shape(0)[axis];
    shape[axis] = axis < 2 ? extent : conv_transpose_output_size(node, window, axis - 2, extent, 0);
  }
  return shape;
}

}  // namespace

void pool_shape(Inference& node) {
  const Window window = read_window(node, required_kernel(node));
  const bool ceil = node.attributes().get_int("ceil_mode", 0) != 0;
  Dims shape = Dims::filled(window.kernel.size() + 2, kUnknown);
  if (node.has_rank(0)) {
    shape = node.shape(0);
    for (std::size_t axis = 0; axis < window.kernel.size(); ++axis) {
      shape[axis + 2] = pool_output_size(node, window, axis, shape[axis + 2], ceil);
    }
  }
  node.set_shape(0, shape);
  node.set_shape(1, std::move(shape));
}

void global_pool_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 2);
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  std::fill(shape.begin() + 2, shape.end(), 1);
  node.set_shape(0, std::move(shape));
}

void lp_pool_shape(Inference& node) {
  require_norm(node);
  pool_shape(node);
}

void global_lp_pool_shape(Inference& node) {
  require_norm(node);
  global_pool_shape(node);
}

void max_unpool_shape(Inference& node) {
  if (node.has_rank(0) && node.has_rank(1)) {
    merged(node, node.shape(0), node.shape(1), "X and I must be of one shape");
  }
  const Dims shape = unpooled(node, read_window(node, required_kernel(node)));
  if (!node.has(2)) {
    node.set_shape(0, shape);
    return;
  }
  const auto wanted = node.ints(2);
  if (wanted && wanted->size() != shape.size()) {
    node.fail(fmt::format("output_shape {} must hold {} extents", *wanted, shape.size()));
  }
  Dims result =
      wanted ? named_shape(node, "output_shape", *wanted) : Dims::filled(shape.size(), kUnknown);
  for (std::size_t axis : {0u, 1u}) {
    result[axis] = agreed(node, result[axis], shape[axis], "batches and channels of X and output");
  }
  node.set_shape(0, std::move(result));
}

void max_roi_pool_shape(Inference& node) {
  const std::vector<std::int64_t> pooled = node.attributes().get_ints("pooled_shape");
  if (pooled.size() != 2) node.fail(fmt::format("pooled_shape is {}; it must be [H, W]", pooled));
  set_roi_shape(node, 5, pooled[0], pooled[1]);
}

void roi_align_shape(Inference& node) {
  set_roi_shape(node, 4, node.attributes().get_int("output_height", 1),
                node.attributes().get_int("output_width", 1));
  attribute_within(node, "sampling_ratio", 0, 0, kMostSamples);
  require_one_for_each(node, 2, "batch_indices", node.has_rank(1) ? node.shape(1)[0] : kUnknown,
                       "regions");
}

}  // namespace switchyard
