#include "ops/upgrades/scan.hpp"

#include <fmt/format.h>

#include <array>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

void require_one_item(const NodeDraft& node, std::size_t input) {
  const ValueInfo info = node.info(input);
  if (info.shape && !info.shape->empty() && (*info.shape)[0] == 1) return;
  refuse(node,
         fmt::format("Scan-8 is read for a batch of 1 only, and input {} {}; export the model "
                     "with opset 9 or later",
                     input, info.shape ? "has another one" : "is of unknown shape"));
}

}  // namespace

void unbatch_scan(NodeDraft& node) {
  if (!node.inputs.at(0).empty()) {
    refuse(node,
           "Scan-8 with lengths for each item is not read; export the model with opset 9 or "
           "later");
  }
  for (std::size_t i = 1; i < node.inputs.size(); ++i) require_one_item(node, i);
  const std::array<std::int64_t, 1> batch_axis = {0};
  const std::string axes = int_constant(node, batch_axis);
  node.inputs.erase(node.inputs.begin());
  for (std::string& input : node.inputs) {
    input = node.add_node_before("Squeeze", {}, {input, axes});
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) node.add_node_after(i, "Unsqueeze", {}, {axes});
  }
  if (!node.attributes.has("directions")) return;
  node.attributes.set("scan_input_directions", node.attributes.get_ints("directions"));
  node.attributes.remove("directions");
}

}  // namespace switchyard
