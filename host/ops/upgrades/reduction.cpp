#include "ops/upgrades/reduction.hpp"

#include <algorithm>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

/// True if all dimensions behind `axis` are known to have extent 1, so that rows lie along it
/// alone.
bool rows_lie_along(const Dims& shape, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (axis < 0) axis += rank;
  return axis >= 0 && axis < rank &&
         std::all_of(shape.begin() + axis + 1, shape.end(), [](std::int64_t e) { return e == 1; });
}

}  // namespace

void axes_to_input(NodeDraft& node) { ints_to_input(node, "axes", 1); }

void rows_from_axis(NodeDraft& node) {
  const std::int64_t axis = node.attributes.get_int("axis", 1);
  const ValueInfo info = node.info(0);
  if (axis == -1 || (info.shape && rows_lie_along(*info.shape, axis))) return;
  Attributes from_axis;
  from_axis.set("axis", axis);
  Attributes whole;
  whole.set("start", std::int64_t{0});
  const std::string shape = node.add_node_before("Shape", whole, {node.inputs[0]});
  node.inputs[0] = node.add_node_before("Flatten", from_axis, {node.inputs[0]});
  node.attributes.set("axis", std::int64_t{-1});
  Attributes literally;
  literally.set("allowzero", std::int64_t{1});
  node.add_node_after(0, "Reshape", literally, {shape});
}

}  // namespace switchyard
