#include "mutation/node_mutation.hpp"

#include <algorithm>
#include <array>

#include "mutation/tensor_mutation.hpp"
#include "ops/allowed_values.hpp"
#include "ops/row.hpp"

namespace switchyard::fuzz {
namespace {

using Kind = onnx::AttributeProto;

const Op& any_op(Dice& dice) {
  const auto ops = all_ops();
  return ops[dice.below(ops.size())];
}

const Op* op_of(const onnx::NodeProto& node) { return find_op(node.domain(), node.op_type()); }

void set_op(onnx::NodeProto& node, const Op& op) {
  node.set_op_type(std::string(op.name()));
  node.set_domain(std::string(op.row->domain));
}

std::string any_of(const std::vector<std::string>& values, Dice& dice) {
  return values.empty() || dice.one_in(10) ? "" : values[dice.below(values.size())];
}

template <typename List, typename Draw>
void mutate_list(List& list, Dice& dice, Draw draw) {
  if (list.size() == 0 || dice.one_in(4)) {
    *list.Add() = draw();
  } else if (dice.one_in(4)) {
    list.RemoveLast();
  } else {
    dice.pick(list) = draw();
  }
}

template <typename Number, typename Draw>
void mutate_list(google::protobuf::RepeatedField<Number>& list, Dice& dice, Draw draw) {
  if (list.size() == 0 || dice.one_in(4)) {
    list.Add(draw());
  } else if (dice.one_in(4)) {
    list.RemoveLast();
  } else {
    dice.pick(list) = draw();
  }
}

Kind::AttributeType type_of(std::string_view kind) {
  if (kind == "int") return Kind::INT;
  if (kind == "float") return Kind::FLOAT;
  if (kind == "text") return Kind::STRING;
  if (kind == "ints") return Kind::INTS;
  if (kind == "floats") return Kind::FLOATS;
  if (kind == "texts") return Kind::STRINGS;
  if (kind == "tensor") return Kind::TENSOR;
  return Kind::GRAPH;
}

void mutate_value(onnx::AttributeProto& attribute, Dice& dice) {
  switch (attribute.type()) {
    case Kind::INT: return attribute.set_i(telling_integer(dice));
    case Kind::FLOAT: return attribute.set_f(telling_float(dice));
    case Kind::STRING: return attribute.set_s(telling_text(dice));
    case Kind::INTS:
      return mutate_list(*attribute.mutable_ints(), dice, [&] { return telling_integer(dice); });
    case Kind::FLOATS:
      return mutate_list(*attribute.mutable_floats(), dice, [&] { return telling_float(dice); });
    case Kind::STRINGS:
      return mutate_list(*attribute.mutable_strings(), dice, [&] { return telling_text(dice); });
    case Kind::TENSOR: return mutate_tensor(*attribute.mutable_t(), dice);
    default: return;
  }
}

// One that the op knows, so that its meaning is reached.
void add_attribute(onnx::NodeProto& node, Dice& dice) {
  const Op* op = op_of(node);
  if (op == nullptr || op->canonical.attributes.empty()) return;
  const AttributeSpec& spec = op->canonical.attributes[dice.below(op->canonical.attributes.size())];
  const auto found = std::find_if(
      node.mutable_attribute()->begin(), node.mutable_attribute()->end(),
      [&](const onnx::AttributeProto& attribute) { return attribute.name() == spec.name; });
  if (found != node.mutable_attribute()->end()) return mutate_value(*found, dice);
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(std::string(spec.name));
  attribute.set_type(type_of(plain_kind(spec.kind)));
  if (attribute.type() == Kind::TENSOR) *attribute.mutable_t() = new_tensor(dice);
  mutate_value(attribute, dice);
}

void mutate_attributes(onnx::NodeProto& node, Dice& dice) {
  auto& attributes = *node.mutable_attribute();
  if (attributes.size() == 0 || dice.one_in(3)) return add_attribute(node, dice);
  if (dice.one_in(6)) return attributes.RemoveLast();
  mutate_value(dice.pick(attributes), dice);
}

void mutate_inputs(onnx::NodeProto& node, const std::vector<std::string>& values, Dice& dice) {
  auto& inputs = *node.mutable_input();
  if (inputs.size() == 0 || dice.one_in(4)) {
    *inputs.Add() = any_of(values, dice);
  } else if (dice.one_in(5)) {
    inputs.RemoveLast();
  } else if (dice.one_in(5)) {
    inputs.SwapElements(static_cast<int>(dice.below(static_cast<std::size_t>(inputs.size()))), 0);
  } else {
    dice.pick(inputs) = any_of(values, dice);
  }
}

void mutate_outputs(onnx::NodeProto& node, Dice& dice) {
  auto& outputs = *node.mutable_output();
  if (outputs.size() > 1 && dice.one_in(2)) return outputs.RemoveLast();
  *outputs.Add() = dice.one_in(4) ? "" : "made" + std::to_string(dice.below(1000));
}

}  // namespace

void mutate_node(onnx::NodeProto& node, const std::vector<std::string>& values, Dice& dice) {
  const std::size_t kind = dice.below(10);
  if (kind < 5) return mutate_attributes(node, dice);
  if (kind < 8) return mutate_inputs(node, values, dice);
  if (kind < 9) return set_op(node, any_op(dice));
  mutate_outputs(node, dice);
}

onnx::NodeProto new_node(const std::string& output, const std::vector<std::string>& values,
                         Dice& dice) {
  const Op& op = any_op(dice);
  onnx::NodeProto node;
  set_op(node, op);
  const std::size_t inputs = op.canonical.inputs.size();
  for (std::size_t i = 0; i < inputs; ++i) *node.add_input() = any_of(values, dice);
  *node.add_output() = output;
  for (std::size_t i = dice.below(3); i > 0; --i) add_attribute(node, dice);
  return node;
}

}  // namespace switchyard::fuzz
