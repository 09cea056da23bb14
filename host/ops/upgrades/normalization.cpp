#include "ops/upgrades/normalization.hpp"

#include <algorithm>

#include "ops/upgrades/rewrite.hpp"

namespace switchyard {

namespace {

bool has_further_outputs(const NodeDraft& node) {
  return std::any_of(node.outputs.begin() + 1, node.outputs.end(),
                     [](const std::string& name) { return !name.empty(); });
}

Attributes with_int(std::string_view name, std::int64_t value) {
  Attributes attributes;
  attributes.set(name, value);
  return attributes;
}

/// The number of channels, as a value of shape [1].
std::string channel_count(NodeDraft& node) {
  Attributes second = with_int("start", 1);
  second.set("end", std::int64_t{2});
  return node.add_node_before("Shape", second, {node.inputs[0]});
}

}  // namespace

void drop_is_test(NodeDraft& node) {
  const bool test = take_int(node, "is_test", 0) != 0;
  if (!test && !has_further_outputs(node)) {
    refuse(node,
           "it normalizes by the batch's own statistics (\"is_test\" is 0) but does not give them");
  }
  if (test && has_further_outputs(node)) {
    refuse(node, "it gives statistics of the batch although \"is_test\" is set");
  }
}

void features_as_channels(NodeDraft& node) {
  if (take_int(node, "spatial", 1) != 0) return;
  const std::int64_t flat[] = {-1};
  const std::string shape = node.add_node_before("Shape", with_int("start", 0), {node.inputs[0]});
  const std::string flat_shape = int_constant(node, flat);
  node.inputs[0] = node.add_node_before("Flatten", with_int("axis", 1), {node.inputs[0]});
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    node.inputs[i] = node.add_node_before("Reshape", {}, {node.inputs[i], flat_shape});
  }
  if (has_further_outputs(node))
    refuse(node, "statistics of single features (\"spatial\" is 0) cannot be given");
  node.add_node_after(0, "Reshape", with_int("allowzero", 1), {shape});
}

void outputs_to_training_mode(NodeDraft& node) {
  if (!has_further_outputs(node)) {
    node.outputs.resize(1);
    return;
  }
  if (node.outputs.size() > 3) node.outputs.resize(3);
  node.attributes.set("training_mode", std::int64_t{1});
}

void groups_to_channels(NodeDraft& node) {
  const std::int64_t groups[] = {node.attributes.get_int("num_groups", 1)};
  const std::int64_t second[] = {1};
  const std::int64_t flat[] = {-1};
  const std::string group_count = int_constant(node, groups);
  const std::string axis = int_constant(node, second);
  const std::string flat_shape = int_constant(node, flat);
  const std::string in_group = node.add_node_before("Div", {}, {channel_count(node), group_count});
  const std::string target =
      node.add_node_before("Concat", with_int("axis", 0), {group_count, in_group});
  for (std::size_t i = 1; i <= 2; ++i) {
    const std::string column = node.add_node_before("Unsqueeze", {}, {node.inputs[i], axis});
    const std::string table = node.add_node_before("Expand", {}, {column, target});
    node.inputs[i] = node.add_node_before("Reshape", {}, {table, flat_shape});
  }
}

}  // namespace switchyard
