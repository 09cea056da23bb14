#include "ops/upgrades/rewrite.hpp"

#include <numeric>

#include <switchyard/error.hpp>

#include <fmt/format.h>

namespace switchyard {

void refuse(const NodeDraft& node, const std::string& why) {
  throw Error(ErrorKind::model,
              fmt::format("[{}] node \"{}\" cannot be brought to its newest form: {}", node.op,
                          node.name, why));
}

std::int64_t known_rank(const NodeDraft& node, std::size_t input) {
  const ValueInfo info = node.info(input);
  if (info.shape) return static_cast<std::int64_t>(info.shape->size());
  refuse(node,
         fmt::format("the rank of input {} is not known; give its shape in the model", input));
}

DType known_dtype(const NodeDraft& node, std::size_t input) {
  const DType dtype = node.info(input).dtype;
  if (dtype != DType::undefined) return dtype;
  refuse(node, fmt::format("the type of input {} is not known; give it in the model", input));
}

std::int64_t take_int(NodeDraft& node, std::string_view name, std::int64_t fallback) {
  const std::int64_t value = node.attributes.get_int(name, fallback);
  node.attributes.remove(name);
  return value;
}

void ints_to_input(NodeDraft& node, std::string_view attribute, std::size_t input) {
  if (!node.attributes.has(attribute)) return;
  set_input(node, input, int_constant(node, node.attributes.get_ints(attribute)));
  node.attributes.remove(attribute);
}

void set_input(NodeDraft& node, std::size_t input, std::string value) {
  if (node.inputs.size() <= input) node.inputs.resize(input + 1);
  node.inputs[input] = std::move(value);
}

void append_ones(NodeDraft& node, std::size_t input, std::int64_t count) {
  if (count == 0) return;
  std::vector<std::int64_t> axes(static_cast<std::size_t>(count));
  std::iota(axes.begin(), axes.end(), known_rank(node, input));
  const std::string axes_name = int_constant(node, axes);
  node.inputs[input] = node.add_node_before("Unsqueeze", {}, {node.inputs[input], axes_name});
}

std::string int_constant(NodeDraft& node, std::span<const std::int64_t> values) {
  return node.add_constant(Literal::int64s(values));
}

}  // namespace switchyard
