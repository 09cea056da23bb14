#include <cmath>

#include "software/interpreter/element.hpp"
#include "software/interpreter/rules.hpp"

namespace mps::software::interpreter {

using seam::ElementType;
using seam::PaddingMode;

namespace {

// An element is wide enough for a value if the value survives in it.
bool is_integer_of(double value, ElementType element) {
  const auto bits = static_cast<int>(8 * element_bytes(element));
  const bool has_sign = element != ElementType::uint8;
  const double end = std::ldexp(1.0, has_sign ? bits - 1 : bits);
  return value == std::floor(value) && value < end && value >= (has_sign ? -end : 0);
}

}  // namespace

void check_pad(const Inspection& node) {
  const seam::TensorType& x = node.operand(0);
  const auto& padding = node.attributes<seam::Padding>();
  const size_t rank = x.shape.size();
  node.demand(padding.before.size() == rank && padding.after.size() == rank,
              "it needs a padding before and after each axis of x");
  node.demand(padding.mode <= PaddingMode::edge, "it has an unknown mode");
  node.demand(is_float(x.element) || is_integer_of(padding.value, x.element),
              "its value is not an integer of the type of x");
  Shape shape;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t before = padding.before[i];
    const int64_t after = padding.after[i];
    const int64_t extent = x.shape[i];
    node.demand(before >= 0 && after >= 0, "a padding is negative");
    node.support(before <= INT32_MAX && after <= INT32_MAX, "a padding is above 2^31 - 1");
    const bool is_padded = before > 0 || after > 0;
    node.demand(padding.mode != PaddingMode::edge || !is_padded || extent > 0,
                "an axis without elements has no edge to pad with");
    node.demand(
        padding.mode != PaddingMode::reflect || !is_padded || (before < extent && after < extent),
        "a reflection is as long as its axis or longer");
    shape.push_back(before + extent + after);
  }
  node.demand_type(x.element, shape);
}

}  // namespace mps::software::interpreter
