#pragma once

#include <initializer_list>
#include <limits>
#include <span>
#include <switchyard/plugin/division.hpp>
#include <switchyard/plugin/saturation.hpp>

#include "ops/inference.hpp"

namespace switchyard {

/// Output 0 has input 0's shape.
void shape_of_first_input(Inference& inference);

/// The extent that two broadcast extents make together (NumPy's rules), or nothing if they
/// disagree. Where one is unknown the other decides, if it can.
std::optional<std::int64_t> broadcast_extent(std::int64_t a, std::int64_t b);

/// The shape that both broadcast to; an Error(model) with both shapes where they do not.
Dims broadcast(const Inference& inference, const Dims& a, const Dims& b);

/// Output 0 has the shape that all inputs that are there broadcast to.
void broadcast_shape(Inference& inference);

/// The shape that two descriptions of one value leave possible; an Error(model) that begins with
/// `what` if they contradict each other.
Dims merged(const Inference& inference, const Dims& a, const Dims& b, std::string_view what);

/// Fails unless the input's rank, where known, is one of `ranks`. `form` shows what the op expects.
void require_rank(const Inference& inference, std::size_t input,
                  std::initializer_list<std::int64_t> ranks, std::string_view form);

/// True unless both are known and differ.
constexpr bool may_equal(std::int64_t a, std::int64_t b) {
  return a == b || a == kUnknown || b == kUnknown;
}

/// What a sum or product of extents becomes that no std::int64_t holds. No tensor has such an
/// extent: it equals none that is there, and as an output's it is refused.
inline constexpr std::int64_t kTooLarge = std::numeric_limits<std::int64_t>::max();

/// A sum or product of extents: unknown if one of them is, kTooLarge where it overflows.
constexpr std::int64_t add_extents(std::int64_t a, std::int64_t b) {
  return a == kUnknown || b == kUnknown ? kUnknown : sy::saturated_add(a, b);
}
constexpr std::int64_t multiply_extents(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  return a == kUnknown || b == kUnknown ? kUnknown : sy::saturated_multiply(a, b);
}

using sy::ceil_div;

}  // namespace switchyard
