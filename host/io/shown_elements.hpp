#pragma once

#include <cstdint>
#include <vector>

#include <switchyard/tensor.hpp>

#include "ops/literal.hpp"

namespace switchyard {

/// The part of a tensor that is printed: all of it, or, above 1000 elements, the first and last
/// three along each dimension that has more than six. No more than that is copied.
struct ShownElements {
  static constexpr std::int64_t kEdge = 3;

  Literal elements;           // of the types that are narrower than a byte: as int8
  std::vector<bool> is_cut;   // by dimension: an ellipsis belongs behind its first three
  bool are_too_many = false;  // even so: none is shown

  /// Waits for the work that makes them.
  explicit ShownElements(const Tensor& whole);
};

}  // namespace switchyard
