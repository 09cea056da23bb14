#include "ops/shapes/windows/convolution.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "ops/shapes/windows/window.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// The spatial extents of the weights, checked against kernel_shape; nothing if neither is known.
std::optional<std::vector<std::int64_t>> kernel_of(const Inference& node) {
  const std::vector<std::int64_t> given = node.attributes().get_ints("kernel_shape");
  require_window_numbers(node, "kernel_shape", given, 1);
  if (!node.has_rank(1)) {
    if (given.empty()) return std::nullopt;
    return given;
  }
  const auto spatial = node.shape(1).span().subspan(2);
  std::vector<std::int64_t> kernel(spatial.begin(), spatial.end());
  if (std::find(kernel.begin(), kernel.end(), 0) != kernel.end()) {
    node.mismatch(
        fmt::format("the weights {} hold kernels without elements", describe(node.shape(1))));
  }
  if (given.empty()) return kernel;
  if (given.size() != kernel.size()) {
    node.mismatch(fmt::format("kernel_shape is {}, but the weights have shape {}", given,
                              describe(node.shape(1))));
  }
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    kernel[i] = agreed(node, kernel[i], given[i], "kernel_shape and the weights' spatial extents");
  }
  return kernel;
}

std::int64_t group_of(const Inference& node) {
  return attribute_within(node, "group", 1, 1, kTooLarge);
}

/// That so many channels divide into these groups.
void check_groups(const Inference& node, std::int64_t channels, std::int64_t groups,
                  std::string_view what) {
  if (channels == kUnknown || channels % groups == 0) return;
  node.mismatch(fmt::format("{} {} do not divide into {} groups", channels, what, groups));
}

void check_ranks(const Inference& node) {
  require_rank_of_at_least(node, 0, 3);
  require_rank_of_at_least(node, 1, 3);
  if (node.has_rank(0) && node.has_rank(1) && node.rank(0) != node.rank(1)) {
    node.mismatch(fmt::format("input {} and weights {} must be of one rank",
                              describe(node.shape(0)), describe(node.shape(1))));
  }
}

void check_channels(const Inference& node, std::int64_t have, std::int64_t wanted) {
  if (may_equal(have, wanted)) return;
  node.mismatch(
      fmt::format("the input {} has {} channels, but the weights {} with group {} take {}",
                  describe(node.shape(0)), have, describe(node.shape(1)), group_of(node), wanted));
}

void check_bias(const Inference& node, std::size_t input, std::int64_t channels) {
  require_one_for_each(node, input, "B", channels, "output channels");
}

/// Batch and channels of the result, and unknown spatial extents.
Dims blank_result(const Inference& node, std::size_t spatial, std::int64_t channels) {
  Dims shape = Dims::filled(spatial + 2, kUnknown);
  if (node.has_rank(0)) shape[0] = node.shape(0)[0];
  shape[1] = channels;
  return shape;
}

/// Output channels of Conv, after a check that they go with the input's.
std::int64_t conv_channels(const Inference& node) {
  if (!node.has_rank(1)) return kUnknown;
  const std::int64_t group = group_of(node);
  const Dims& weights = node.shape(1);
  if (node.has_rank(0)) {
    check_channels(node, node.shape(0)[1], multiply_extents(weights[1], group));
  }
  check_groups(node, weights[0], group, "output channels");
  return weights[0];
}

std::int64_t conv_transpose_auto_size(const Inference& node, const Window& window, std::size_t axis,
                                      std::int64_t extent, std::int64_t output_padding) {
  if (sy::is_same(window.attributes.auto_pad)) {
    return multiply_extents(extent, window.stride(axis));
  }
  return conv_transpose_output_size(node, window, axis, extent, output_padding);
}

std::vector<std::int64_t> spatial_ints(const Inference& node, std::string_view name,
                                       std::size_t spatial) {
  std::vector<std::int64_t> values = node.attributes().get_ints(name);
  if (values.empty() || values.size() == spatial) return values;
  node.fail(fmt::format("{} is {}; it must hold one number for each of {} spatial axes", name,
                        values, spatial));
}

/// Offset and mask of a deformable convolution: for each position of the result and each group of
/// input channels that share them, an offset along each spatial axis and a factor for each element
/// of the kernel. The offset may tell extents of the result that are not known yet.
void check_offsets(const Inference& node, const std::vector<std::int64_t>& kernel, Dims& result) {
  const std::int64_t groups = attribute_within(node, "offset_group", 1, 1, kTooLarge);
  if (node.has_rank(0)) check_groups(node, node.shape(0)[1], groups, "input channels");
  const std::int64_t factors = multiply_extents(groups, product(kernel));
  Dims wanted = result;
  wanted[1] = multiply_extents(std::ssize(kernel), factors);
  require_shape(node, 2, "offset", wanted,
                "batch, axes * offset_group * elements of a kernel, the output's spatial extents");
  for (std::size_t axis = 2; node.has_rank(2) && axis < result.size(); ++axis) {
    if (result[axis] == kUnknown) result[axis] = node.shape(2)[axis];
  }
  wanted = result;
  wanted[1] = factors;
  require_shape(node, 4, "mask", wanted,
                "batch, offset_group * elements of a kernel, the output's spatial extents");
}

}  // namespace

void conv_shape(Inference& node) {
  check_ranks(node);
  const auto kernel = kernel_of(node);
  const std::int64_t channels = conv_channels(node);
  check_bias(node, 2, channels);
  if (!kernel) return;
  const Window window = read_window(node, *kernel);
  Dims shape = blank_result(node, kernel->size(), channels);
  for (std::size_t axis = 0; node.has_rank(0) && axis < kernel->size(); ++axis) {
    shape[axis + 2] = conv_output_size(node, window, axis, node.shape(0)[axis + 2]);
  }
  node.set_shape(0, std::move(shape));
}

void conv_transpose_shape(Inference& node) {
  check_ranks(node);
  const auto kernel = kernel_of(node);
  std::int64_t channels = kUnknown;
  if (node.has_rank(1)) {
    channels = multiply_extents(node.shape(1)[1], group_of(node));
    check_groups(node, node.shape(1)[0], group_of(node), "input channels");
    if (node.has_rank(0)) check_channels(node, node.shape(0)[1], node.shape(1)[0]);
  }
  check_bias(node, 2, channels);
  if (!kernel) return;
  const std::size_t spatial = kernel->size();
  const Window window = read_window(node, *kernel);
  const Dims wanted =
      named_shape(node, "output_shape", spatial_ints(node, "output_shape", spatial));
  const auto padding = spatial_ints(node, "output_padding", spatial);
  require_window_numbers(node, "output_padding", padding, 0);
  Dims shape = blank_result(node, spatial, channels);
  for (std::size_t axis = 0; axis < spatial; ++axis) {
    if (!wanted.empty()) {
      shape[axis + 2] = wanted[axis];
    } else if (node.has_rank(0)) {
      shape[axis + 2] = conv_transpose_auto_size(node, window, axis, node.shape(0)[axis + 2],
                                                 padding.empty() ? 0 : padding[axis]);
    }
  }
  node.set_shape(0, std::move(shape));
}

void deform_conv_shape(Inference& node) {
  check_ranks(node);
  const auto kernel = kernel_of(node);
  const std::int64_t channels = conv_channels(node);
  check_bias(node, 3, channels);
  if (!kernel) return;
  const Window window = read_window(node, *kernel);
  Dims shape = blank_result(node, kernel->size(), channels);
  for (std::size_t axis = 0; node.has_rank(0) && axis < kernel->size(); ++axis) {
    shape[axis + 2] = conv_output_size(node, window, axis, node.shape(0)[axis + 2]);
  }
  check_offsets(node, *kernel, shape);
  node.set_shape(0, std::move(shape));
}

}  // namespace switchyard
