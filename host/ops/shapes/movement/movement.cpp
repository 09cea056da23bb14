#include "ops/shapes/movement/movement.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// The axes that input `input` names, or all; nothing if they are not known yet.
std::optional<std::vector<std::int64_t>> axes_input(const Inference& node, std::size_t input) {
  if (!node.has(input)) return every_axis(node.rank(0));
  auto axes = node.ints(input);
  if (!axes) return std::nullopt;
  return normalized_axes(node, std::move(*axes), node.rank(0));
}

/// Negative pads take elements away, together at most those that are there.
std::int64_t padded_extent(const Inference& node, std::int64_t axis, std::int64_t extent,
                           std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  if (std::min(begin, end) < -kMost || std::max(begin, end) > kMost) {
    node.fail(fmt::format("pads {} and {} of axis {} are too large", begin, end, axis));
  }
  // What both add up to may be -1, which is not an unknown extent.
  const std::int64_t made = extent + begin + end;
  if (made >= 0) return made;
  node.mismatch(fmt::format("pads {} and {} take more from axis {} than its extent {}", begin, end,
                            axis, extent));
}

Dims padded(const Inference& node, const std::vector<std::int64_t>& axes) {
  Dims shape = node.shape(0);
  const auto pads = node.ints(1);
  if (pads && pads->size() != 2 * axes.size()) {
    node.fail(fmt::format("pads {} must hold a begin and an end for each of {} axes", *pads,
                          axes.size()));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    std::int64_t& extent = shape[static_cast<std::size_t>(axes[i])];
    if (extent == kUnknown) continue;
    if (!pads) {
      extent = kUnknown;
      continue;
    }
    extent = padded_extent(node, axes[i], extent, (*pads)[i], (*pads)[i + axes.size()]);
  }
  return shape;
}

/// So small that its square is an extent.
std::int64_t required_blocksize(const Inference& node) {
  return attribute_within(node, "blocksize", 0, 1, std::numeric_limits<std::int32_t>::max());
}

std::int64_t divided(const Inference& node, std::size_t axis, std::int64_t divisor) {
  const std::int64_t extent = node.shape(0)[axis];
  if (extent == kUnknown) return kUnknown;
  if (extent % divisor == 0) return extent / divisor;
  node.mismatch(
      fmt::format("axis {} of {} does not divide by {}", axis, describe(node.shape(0)), divisor));
}

}  // namespace

void concat_shape(Inference& node) { concat_shape(node, 0, 1); }

void concat_shape(Inference& node, std::size_t first, std::size_t step) {
  std::optional<Dims> result;
  bool extent_known = true;
  std::int64_t total = 0;
  std::size_t axis = 0;
  for (std::size_t i = first; i < node.input_count(); i += step) {
    if (!node.has_rank(i)) {
      extent_known = false;
      continue;
    }
    Dims shape = node.shape(i);
    axis = static_cast<std::size_t>(
        node.normalize_axis(node.attributes().get_int("axis", 0), node.rank(i)));
    total = add_extents(total, shape[axis]);
    shape[axis] = kUnknown;
    result = result ? merged(node, *result, shape,
                             "inputs must have equal extents on all axes but the joined one")
                    : shape;
  }
  if (!result) return;
  (*result)[axis] = extent_known ? total : kUnknown;
  node.set_shape(0, std::move(*result));
}

void tile_shape(Inference& node) {
  require_list(node, 1, "repeats");
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  const auto repeats = node.ints(1);
  agreed(node, length_of(node, 1), node.rank(0), "the length of repeats and the input's rank");
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (repeats && (*repeats)[axis] < 0) {
      node.fail(fmt::format("repeats {} has a negative count", *repeats));
    }
    shape[axis] = multiply_extents(shape[axis], repeats ? (*repeats)[axis] : kUnknown);
  }
  node.set_shape(0, std::move(shape));
}

void pad_shape(Inference& node) {
  require_list(node, 1, "pads");
  require_one_element(node, 2, "constant_value");
  require_list(node, 3, "axes");
  if (!node.has_rank(0)) return;
  const auto axes = axes_input(node, 3);
  node.set_shape(0, axes ? padded(node, *axes) : Dims::filled(node.shape(0).size(), kUnknown));
}

void center_crop_pad_shape(Inference& node) {
  require_list(node, 1, "shape");
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  const std::vector<std::int64_t> axes =
      node.attributes().has("axes")
          ? normalized_axes(node, node.attributes().get_ints("axes"), node.rank(0))
          : every_axis(node.rank(0));
  agreed(node, length_of(node, 1), std::ssize(axes), "the length of shape and the number of axes");
  const auto wanted = node.ints(1);
  const Dims extents =
      wanted ? named_shape(node, "shape", *wanted) : Dims::filled(axes.size(), kUnknown);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    shape[static_cast<std::size_t>(axes[i])] = extents[i];
  }
  node.set_shape(0, std::move(shape));
}

void trilu_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 2);
  require_one_element(node, 1, "k");
  shape_of_first_input(node);
}

void depth_to_space_shape(Inference& node) {
  const std::int64_t block = required_blocksize(node);
  require_rank(node, 0, {4}, "[N, C, H, W]");
  if (!node.has_rank(0)) return;
  const Dims& shape = node.shape(0);
  node.set_shape(0, {shape[0], divided(node, 1, block * block), multiply_extents(shape[2], block),
                     multiply_extents(shape[3], block)});
}

void space_to_depth_shape(Inference& node) {
  const std::int64_t block = required_blocksize(node);
  require_rank(node, 0, {4}, "[N, C, H, W]");
  if (!node.has_rank(0)) return;
  const Dims& shape = node.shape(0);
  node.set_shape(0, {shape[0], multiply_extents(shape[1], block * block), divided(node, 2, block),
                     divided(node, 3, block)});
}

void reverse_sequence_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 2);
  const std::int64_t batch = node.attributes().get_int("batch_axis", 1);
  const std::int64_t time = node.attributes().get_int("time_axis", 0);
  if (std::max(batch, time) != 1 || std::min(batch, time) != 0) {
    node.fail(fmt::format("batch_axis and time_axis must be 0 and 1 in some order, not {} and {}",
                          batch, time));
  }
  if (!node.has_rank(0)) return;
  require_one_for_each(node, 1, "sequence_lens", node.shape(0)[static_cast<std::size_t>(batch)],
                       "entries of batch_axis");
  shape_of_first_input(node);
}

void col2im_shape(Inference& node) {
  require_list(node, 1, "image_shape");
  require_list(node, 2, "block_shape");
  require_rank(node, 0, {3}, "[N, C * block, L]");
  const auto image = node.ints(1);
  const auto block = node.ints(2);
  if (!image) {
    if (auto shape = shape_of_rank(length_of(node, 1))) {
      shape->push_back(kUnknown);
      shape->push_back(kUnknown);
      node.set_shape(0, *std::move(shape));
    }
    return;
  }
  if (block && block->size() != image->size()) {
    node.mismatch(
        fmt::format("image_shape {} and block_shape {} must be of one length", *image, *block));
  }
  Dims shape{kUnknown, kUnknown};
  if (node.has_rank(0)) {
    shape[0] = node.shape(0)[0];
    const std::int64_t block_size =
        block ? product(named_shape(node, "block_shape", *block).span()) : kUnknown;
    if (block && block_size < 1) node.fail(fmt::format("block_shape {} is empty", *block));
    if (block) shape[1] = divided(node, 1, block_size);
  }
  for (std::int64_t extent : named_shape(node, "image_shape", *image)) shape.push_back(extent);
  node.set_shape(0, std::move(shape));
}

void dropout_shape(Inference& node) {
  require_one_element(node, 1, "ratio");
  require_one_element(node, 2, "training_mode");
  if (!node.has_rank(0)) return;
  node.set_shape(0, node.shape(0));
  node.set_shape(1, node.shape(0));
}

}  // namespace switchyard
