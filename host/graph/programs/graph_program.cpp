#include "graph/programs/graph_program.hpp"

#include <unordered_set>

#include "graph/uses.hpp"

namespace switchyard {

GraphProgram::GraphProgram(const GraphPlan& plan, std::span<const NodePlan* const> nodes)
    : plan_(plan),
      numbers_(plan.graph->values.size(), kAbsent),
      host_numbers_(plan.graph->values.size(), kAbsent),
      made_(plan.graph->values.size(), false) {
  nodes_.reserve(nodes.size());
  arrays_.reserve(nodes.size());
  attributes_.reserve(nodes.size());
  for (const NodePlan* node : nodes) add_node(*node);
  find_outputs(nodes);
  program_.struct_size = sizeof(program_);
  program_.value_count = static_cast<std::uint32_t>(values_.size());
  program_.values = values_.data();
  program_.nodes = nodes_.data();
  program_.node_count = static_cast<std::uint32_t>(nodes_.size());
  program_.inputs = input_numbers_.data();
  program_.input_count = static_cast<std::uint32_t>(input_numbers_.size());
  program_.outputs = output_numbers_.data();
  program_.output_count = static_cast<std::uint32_t>(output_numbers_.size());
}

bool GraphProgram::is_host_input(std::size_t input) const {
  return (values_[input_numbers_[input]].flags & SY_VALUE_HOST_INPUT) != 0;
}

std::uint32_t GraphProgram::number_of(ValueId id, bool host_input) {
  std::uint32_t& number = host_input ? host_numbers_[id] : numbers_[id];
  if (number != kAbsent) return number;
  number = static_cast<std::uint32_t>(values_.size());
  const Value& from = plan_.graph->values[id];
  sy_value value{};
  value.struct_size = sizeof(value);
  value.dtype = static_cast<sy_dtype>(from.dtype);
  value.rank = static_cast<std::uint32_t>(from.shape->size());
  value.shape = from.shape->data();
  if (host_input) value.flags |= SY_VALUE_HOST_INPUT;
  if (from.constant) {
    value.flags |= SY_VALUE_CONSTANT;
    value.constant_id = plan_.constant(id)->constant_id;
    value.data = from.constant->bytes();
  }
  values_.push_back(value);
  if (!made_[id]) {
    inputs_.push_back(id);
    input_numbers_.push_back(number);
  }
  return number;
}

void GraphProgram::add_node(const NodePlan& planned) {
  const Node& node = *planned.node;
  NodeArrays& arrays = arrays_.emplace_back();
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId input = node.inputs[i];
    arrays.inputs.push_back(input == kAbsent ? SY_ABSENT
                                             : number_of(input, node.op->is_host_input(i)));
  }
  for (const ValueId output : node.outputs) {
    if (output != kAbsent) made_[output] = true;
    arrays.outputs.push_back(output == kAbsent ? SY_ABSENT : number_of(output, false));
  }
  const ProgramAttributes& attributes = attributes_.emplace_back(planned.site.attributes);
  sy_node made{};
  made.struct_size = sizeof(made);
  made.version = static_cast<std::uint32_t>(node.op->version());
  made.domain = node.op->row->domain.data();
  made.op = node.op->row->op.data();
  made.math_flags = planned.site.math_flags;
  made.attribute_count = static_cast<std::uint32_t>(attributes.get().size());
  made.attributes = attributes.get().data();
  made.inputs = arrays.inputs.data();
  made.outputs = arrays.outputs.data();
  made.input_count = static_cast<std::uint32_t>(arrays.inputs.size());
  made.output_count = static_cast<std::uint32_t>(arrays.outputs.size());
  nodes_.push_back(made);
}

void GraphProgram::find_outputs(std::span<const NodePlan* const> nodes) {
  std::vector<bool> needed(plan_.graph->values.size(), false);
  for (const ValueId output : plan_.graph->outputs) {
    if (output != kAbsent) needed[output] = true;
  }
  const std::unordered_set<const NodePlan*> own(nodes.begin(), nodes.end());
  for (const NodePlan& other : plan_.nodes) {
    if (own.contains(&other)) continue;
    for_each_use(*other.node, [&](ValueId used) { needed[used] = true; });
  }
  for (ValueId id = 0; id < made_.size(); ++id) {
    if (!made_[id] || !needed[id]) continue;
    outputs_.push_back(id);
    output_numbers_.push_back(numbers_[id]);
  }
}

}  // namespace switchyard
