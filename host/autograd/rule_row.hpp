#pragma once

#include <cstdint>
#include <string_view>

#include "ops/attributes.hpp"
#include "ops/row.hpp"

namespace switchyard {

class Backward;  // gradients/rule.hpp

/// Sets the gradients of an op's inputs from those of its outputs. Written with the functions of
/// <switchyard/functions.hpp>, so that it has a gradient itself.
using GradientRule = void (*)(Backward&);

/// Bits of the inputs or outputs whose elements a rule reads: `saves(0, 2)`.
template <typename... I>
constexpr std::uint32_t saves(I... which) {
  return ((1U << which) | ... | 0U);
}
inline constexpr std::uint32_t kNothing = 0;
inline constexpr std::uint32_t kAll = ~0U;

/// The word "none": no gradient flows through the op.
inline constexpr GradientRule none = nullptr;

/// The gradient of one op.
struct RuleRow;

/// The row of those calls of an op whose attributes ask for another rule; null where they do not.
using RowOfForm = const RuleRow* (*)(const Attributes&);

struct RuleRow {
  std::string_view op;
  GradientRule rule;
  std::uint32_t inputs = kNothing;   // that the rule reads
  std::uint32_t outputs = kNothing;  // the same
  std::string_view domain = "";
  RowOfForm other = nullptr;
};

/// Finds the row for calls of an op with such attributes; null if there is none, which is a bug: a
/// test asks for a rule or the word "none" for every op.
using RuleLookup = const RuleRow* (*)(const Op& op, const Attributes& attributes);

/// The rules stand above the functions that they are written with, and recording below these. So
/// `gradients` sets the lookup, before main(); without a backward pass in the program there is
/// none.
void set_rule_lookup(RuleLookup lookup);
RuleLookup rule_lookup();

}  // namespace switchyard
