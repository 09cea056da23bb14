#include "ops/shapes/gradient.hpp"

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

/// The extents that the host input `i` names, as far as they are known; nothing if not even their
/// number is.
std::optional<Dims> asked_shape(const Inference& node, std::size_t i) {
  require_rank(node, i, {1}, "a list of extents");
  if (const auto extents = node.ints(i)) return named_shape(node, "shape", *extents);
  return shape_of_rank(length_of(node, i));
}

void require_equal_ranks(const Inference& node, const Dims& a, const Dims& b) {
  if (a.size() == b.size()) return;
  node.mismatch(fmt::format("{} and {} must be of one rank", describe(a), describe(b)));
}

void require_extent(const Inference& node, std::int64_t have, std::int64_t wanted,
                    std::string_view what) {
  if (may_equal(have, wanted)) return;
  node.mismatch(fmt::format("{} is {}; it must be {}", what, have, wanted));
}

std::vector<std::int64_t> spatial(const Dims& shape) { return {shape.begin() + 2, shape.end()}; }

/// That windows over the spatial axes of `x`, which take `positions` on one of them, make those of
/// dY.
void check_positions(const Inference& node, std::size_t axis, std::int64_t positions, const Dims& x,
                     const Dims& dy) {
  if (may_equal(positions, dy[axis])) return;
  node.mismatch(fmt::format("windows over {} take {} positions on axis {}, but dY has shape {}",
                            describe(x), positions, axis, describe(dy)));
}

/// The shapes of a convolution's tensors, [N, C, ...], [O, C / group, ...] and [N, O, ...].
void check_convolution(const Inference& node, const Dims& x, const Dims& weights, const Dims& dy) {
  if (x.size() < 3) node.mismatch(fmt::format("{} has no spatial axis", describe(x)));
  require_equal_ranks(node, x, weights);
  require_equal_ranks(node, x, dy);
  const std::int64_t group = attribute_within(node, "group", 1, 1, kTooLarge);
  if (std::find(weights.begin() + 2, weights.end(), 0) != weights.end()) {
    node.mismatch(fmt::format("the weights {} hold kernels without elements", describe(weights)));
  }
  require_extent(node, dy[0], x[0], "the batch of dY");
  require_extent(node, dy[1], weights[0], "the number of channels of dY");
  require_extent(node, x[1], multiply_extents(weights[1], group), "the number of channels of X");
  if (weights[0] != kUnknown && weights[0] % group != 0) {
    node.mismatch(
        fmt::format("{} output channels do not divide into {} groups", weights[0], group));
  }
  const Window window = read_window(node, spatial(weights));
  for (std::size_t i = 0; i < window.kernel.size(); ++i) {
    check_positions(node, i + 2, conv_output_size(node, window, i, x[i + 2]), x, dy);
  }
}

/// A batch and channels that pooling leaves as they are.
void check_planes(const Inference& node, const Dims& x, const Dims& dy) {
  require_equal_ranks(node, x, dy);
  if (x.size() < 3) node.mismatch(fmt::format("{} has no spatial axis", describe(x)));
  require_extent(node, dy[0], x[0], "the batch of dY");
  require_extent(node, dy[1], x[1], "the number of channels of dY");
}

}  // namespace

void conv_input_gradient_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 3);
  require_rank_of_at_least(node, 1, 3);
  std::optional<Dims> x = asked_shape(node, 2);
  if (!x) return;
  if (node.has_rank(0) && node.has_rank(1)) {
    check_convolution(node, *x, node.shape(1), node.shape(0));
  }
  node.set_shape(0, std::move(*x));
}

void conv_weight_gradient_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 3);
  require_rank_of_at_least(node, 1, 3);
  std::optional<Dims> weights = asked_shape(node, 2);
  if (!weights) return;
  if (node.has_rank(0) && node.has_rank(1)) {
    check_convolution(node, node.shape(0), *weights, node.shape(1));
  }
  node.set_shape(0, std::move(*weights));
}

void max_pool_gradient_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 3);
  if (node.has_rank(0) && node.has_rank(1)) {
    merged(node, node.shape(0), node.shape(1), "dY and indices must be of one shape");
  }
  std::optional<Dims> x = asked_shape(node, 2);
  if (!x) return;
  if (node.has_rank(0)) check_planes(node, *x, node.shape(0));
  node.set_shape(0, std::move(*x));
}

void max_pool_gather_shape(Inference& node) {
  if (node.has_rank(1)) node.set_shape(0, node.shape(1));
}

void average_pool_gradient_shape(Inference& node) {
  require_rank_of_at_least(node, 0, 3);
  const std::vector<std::int64_t> kernel = node.attributes().get_ints("kernel_shape");
  if (kernel.empty()) node.fail("kernel_shape is []; it must hold a number for each spatial axis");
  require_window_numbers(node, "kernel_shape", kernel, 1);
  std::optional<Dims> x = asked_shape(node, 1);
  if (!x) return;
  if (x->size() != kernel.size() + 2) {
    node.mismatch(
        fmt::format("kernel_shape {} does not go with the shape {}, which must have a batch "
                    "and a channel axis before the spatial ones",
                    kernel, describe(*x)));
  }
  if (node.has_rank(0)) {
    check_planes(node, *x, node.shape(0));
    const bool ceil = node.attributes().get_int("ceil_mode", 0) != 0;
    const Window window = read_window(node, kernel);
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      const std::int64_t positions = pool_output_size(node, window, i, (*x)[i + 2], ceil);
      check_positions(node, i + 2, positions, *x, node.shape(0));
    }
  }
  node.set_shape(0, std::move(*x));
}

}  // namespace switchyard
