#include "ops/shapes/elementwise/elementwise.hpp"

#include <fmt/format.h>

#include "types/describe.hpp"

namespace switchyard {

void shape_of_first_input(Inference& inference) {
  if (inference.has_rank(0)) inference.set_shape(0, inference.shape(0));
}

std::optional<std::int64_t> broadcast_extent(std::int64_t a, std::int64_t b) {
  if (a == b || b == 1) return a;
  if (a == 1) return b;
  if (a == kUnknown) return b;
  if (b == kUnknown) return a;
  return std::nullopt;
}

Dims broadcast(const Inference& inference, const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const auto extent = broadcast_extent(longer[offset + i], shorter[i]);
    if (!extent) {
      inference.mismatch(
          fmt::format("shapes {} and {} do not broadcast: counted from the last, extents "
                      "must be equal or 1",
                      describe(a), describe(b)));
    }
    result[offset + i] = *extent;
  }
  return result;
}

void broadcast_shape(Inference& inference) {
  Dims result;
  for (std::size_t i = 0; i < inference.input_count(); ++i) {
    if (!inference.has(i)) continue;
    if (!inference.has_rank(i)) return;
    result = broadcast(inference, result, inference.shape(i));
  }
  inference.set_shape(0, std::move(result));
}

Dims merged(const Inference& inference, const Dims& a, const Dims& b, std::string_view what) {
  bool possible = a.size() == b.size();
  Dims result = a;
  for (std::size_t i = 0; possible && i < a.size(); ++i) {
    possible = may_equal(a[i], b[i]);
    if (a[i] == kUnknown) result[i] = b[i];
  }
  if (!possible)
    inference.mismatch(fmt::format("{}: {} against {}", what, describe(a), describe(b)));
  return result;
}

void require_rank(const Inference& inference, std::size_t input,
                  std::initializer_list<std::int64_t> ranks, std::string_view form) {
  if (!inference.has_rank(input)) return;
  for (std::int64_t rank : ranks) {
    if (inference.rank(input) == rank) return;
  }
  inference.mismatch(fmt::format("input {} has shape {}; it must be {}", input,
                                 describe(inference.shape(input)), form));
}

}  // namespace switchyard
