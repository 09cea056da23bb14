// What must be true of values in the run, for function bodies: an op that checks and hands on.
#include <algorithm>

#include <fmt/format.h>

#include "ops/rows/families.hpp"
#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/strided.hpp"

namespace switchyard {

namespace {

/// The one number of an input, where it is known already.
std::optional<std::int64_t> known_number(const Inference& node, std::size_t input) {
  const auto values = node.ints(input);
  if (!values || values->size() != 1) return std::nullopt;
  return values->front();
}

void assert_range_shape(Inference& node) {
  shape_of_first_input(node);
  require_one_element(node, 1, "least");
  require_one_element(node, 2, "most");
  const auto values = node.ints(0);
  const auto least = known_number(node, 1), most = known_number(node, 2);
  if (!values || !least || !most) return;
  const auto wrong = std::find_if(values->begin(), values->end(), [&](std::int64_t value) {
    return value < *least || value > *most;
  });
  if (wrong == values->end()) return;
  const bool is_one = values->size() == 1;
  node.fail(fmt::format(
      "{}{} is {}; it must be from {} to {}", node.attributes().get_text("name", "the value"),
      is_one ? "" : fmt::format("[{}]", wrong - values->begin()), *wrong, *least, *most));
}

/// Its inputs are host inputs, so that the rule above sees them before each run on any device.
Row assert_range_row() {
  return {.op = "AssertRange",
          .domain = "switchyard",
          .signature = "value:I! least:int64! most:int64! -> checked:I",
          .attributes = "name:text!",
          .types = "I=int32|int64",
          .shape = assert_range_shape,
          .runs_on = RunsOn::view,
          .view = identity_view,
          .summary = "integers, handed on if they lie in a range; runs on no device"};
}

}  // namespace

std::vector<Row> assertion_rows() { return {assert_range_row()}; }

}  // namespace switchyard
