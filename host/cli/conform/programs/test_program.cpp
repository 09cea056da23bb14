#include "cli/conform/programs/test_program.hpp"

#include "cli/conform/case.hpp"
#include "cli/conform/plugin/call.hpp"

namespace switchyard::cli::conform {

TestProgram::Value TestProgram::add(const Literal& value, std::uint64_t constant_id) {
  values_.push_back({value, constant_id});
  return static_cast<Value>(values_.size() - 1);
}

TestProgram::Value TestProgram::add_input(const Literal& value) {
  inputs_.push_back(add(value, 0));
  return inputs_.back();
}

TestProgram::Value TestProgram::add_constant(const Literal& value, std::uint64_t id) {
  inputs_.push_back(add(value, id));
  return inputs_.back();
}

TestProgram::Value TestProgram::add_node(const OpCall& op, const std::vector<Value>& inputs) {
  OpCall call = op;
  for (std::size_t i = 0; i < inputs.size(); ++i) call.inputs[i] = value(inputs[i]);
  const auto made = reference_.compute(call);
  if (!made) skip("{} does not compute {} of {}", reference_.device(), call.name(), call.text());
  const Value output = add(made->front(), 0);
  nodes_.emplace_back(std::move(call), inputs, output);
  return output;
}

void TestProgram::add_output(Value value) { outputs_.push_back(value); }

sy_value TestProgram::abi_value(const Known& known) {
  auto value = sized<sy_value>();
  value.dtype = static_cast<sy_dtype>(known.literal.dtype());
  value.rank = static_cast<std::uint32_t>(known.literal.shape().size());
  value.shape = known.literal.shape().data();
  if (known.constant_id == 0) return value;
  value.flags = SY_VALUE_CONSTANT;
  value.constant_id = known.constant_id;
  value.data = known.literal.bytes();
  return value;
}

sy_node TestProgram::abi_node(const Node& node) {
  const Op& op = *node.call.op;
  auto abi = sized<sy_node>();
  abi.version = static_cast<std::uint32_t>(op.version());
  abi.domain = op.row->domain.data();
  abi.op = op.row->op.data();
  abi.attribute_count = static_cast<std::uint32_t>(node.attributes.get().size());
  abi.attributes = node.attributes.get().data();
  abi.inputs = node.inputs.data();
  abi.outputs = &node.output;
  abi.input_count = static_cast<std::uint32_t>(node.inputs.size());
  abi.output_count = 1;
  return abi;
}

const sy_program& TestProgram::get() {
  abi_values_.clear();
  abi_nodes_.clear();
  for (const Known& known : values_) abi_values_.push_back(abi_value(known));
  for (const Node& node : nodes_) abi_nodes_.push_back(abi_node(node));
  program_ = sized<sy_program>();
  program_.values = abi_values_.data();
  program_.value_count = static_cast<std::uint32_t>(abi_values_.size());
  program_.nodes = abi_nodes_.data();
  program_.node_count = static_cast<std::uint32_t>(abi_nodes_.size());
  program_.inputs = inputs_.data();
  program_.input_count = static_cast<std::uint32_t>(inputs_.size());
  program_.outputs = outputs_.data();
  program_.output_count = static_cast<std::uint32_t>(outputs_.size());
  return program_;
}

}  // namespace switchyard::cli::conform
