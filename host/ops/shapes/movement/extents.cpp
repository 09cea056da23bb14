#include "ops/shapes/movement/extents.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <switchyard/plugin.h>

#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {

std::int64_t product(std::span<const std::int64_t> extents) {
  std::int64_t result = 1;
  bool unknown = false;
  for (std::int64_t extent : extents) {
    if (extent == 0) return 0;
    if (extent == kUnknown)
      unknown = true;
    else
      result = multiply_extents(result, extent);
  }
  return unknown ? kUnknown : result;
}

bool all_known(const Dims& shape) {
  return std::find(shape.begin(), shape.end(), kUnknown) == shape.end();
}

std::vector<std::int64_t> every_axis(std::int64_t rank) {
  std::vector<std::int64_t> axes(static_cast<std::size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::int64_t last_extent(const Inference& node, std::size_t input) {
  return node.has_rank(input) ? node.shape(input)[node.shape(input).size() - 1] : kUnknown;
}

std::int64_t agreed(const Inference& node, std::int64_t a, std::int64_t b, std::string_view what) {
  if (a == kUnknown) return b;
  if (b != kUnknown && a != b)
    node.mismatch(fmt::format("{} must be equal, not {} and {}", what, a, b));
  return a;
}

void require_rank_of_at_least(const Inference& node, std::size_t input, std::int64_t least) {
  if (!node.has_rank(input) || node.rank(input) >= least) return;
  node.mismatch(fmt::format("input {} has shape {}, but needs a rank of at least {}", input,
                            describe(node.shape(input)), least));
}

std::int64_t length_of(const Inference& node, std::size_t input) {
  if (const Literal* literal = node.literal(input)) return literal->size();
  if (node.has_rank(input)) return product(node.shape(input).span());
  return kUnknown;
}

std::optional<Dims> shape_of_rank(std::int64_t rank) {
  if (rank == kUnknown || rank > SY_MAX_RANK) return std::nullopt;
  return Dims::filled(static_cast<std::size_t>(rank), kUnknown);
}

Dims named_shape(const Inference& node, std::string_view name,
                 const std::vector<std::int64_t>& extents) {
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t e) { return e < 0; })) {
    node.fail(fmt::format("{} {} has a negative extent", name, extents));
  }
  return Dims(std::span<const std::int64_t>(extents));
}

std::vector<std::int64_t> normalized_axes(const Inference& node, std::vector<std::int64_t> axes,
                                          std::int64_t rank) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = node.normalize_axis(axes[i], rank);
    const auto before = axes.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(axes.begin(), before, axes[i]) != before) {
      node.fail(fmt::format("axis {} is named twice", axes[i]));
    }
  }
  return axes;
}

}  // namespace switchyard
