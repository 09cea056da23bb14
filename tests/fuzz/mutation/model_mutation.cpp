#include "mutation/model_mutation.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "mutation/node_mutation.hpp"
#include "mutation/tensor_mutation.hpp"

namespace switchyard::fuzz {
namespace {

constexpr int kMostNodes = 48;

// The graph and all that stand in its nodes' attributes.
void collect(onnx::GraphProto& graph, std::vector<onnx::GraphProto*>& graphs) {
  graphs.push_back(&graph);
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) collect(*attribute.mutable_g(), graphs);
    }
  }
}

std::vector<std::string> values_of(const onnx::GraphProto& graph) {
  std::vector<std::string> names;
  for (const auto& input : graph.input()) names.push_back(input.name());
  for (const auto& tensor : graph.initializer()) names.push_back(tensor.name());
  for (const auto& node : graph.node()) {
    names.insert(names.end(), node.output().begin(), node.output().end());
  }
  return names;
}

void mutate_nodes(onnx::GraphProto& graph, Dice& dice) {
  auto& nodes = *graph.mutable_node();
  const auto any = [&] {
    return static_cast<int>(dice.below(static_cast<std::size_t>(nodes.size())));
  };
  if (nodes.size() > 1 && dice.one_in(4)) return nodes.DeleteSubrange(any(), 1);
  if (nodes.size() > 1 && dice.one_in(4)) return nodes.SwapElements(any(), any());
  if (nodes.size() >= kMostNodes) return;
  const std::string output = "made" + std::to_string(dice.below(1000));
  if (nodes.size() > 0 && dice.one_in(3)) {
    onnx::NodeProto copy = nodes[any()];
    if (copy.output_size() == 0) copy.add_output();
    copy.set_output(0, output);
    *nodes.Add() = copy;
  } else {
    *nodes.Add() = new_node(output, values_of(graph), dice);
  }
  graph.add_output()->set_name(output);
}

// A constant becomes an input of its type, or an input a constant.
void swap_roles(onnx::GraphProto& graph, Dice& dice) {
  auto& tensors = *graph.mutable_initializer();
  if (tensors.size() > 0 && dice.one_in(2)) {
    const onnx::TensorProto last = tensors[tensors.size() - 1];
    tensors.RemoveLast();
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(last.name());
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(last.data_type());
    type.mutable_shape();
    for (const std::int64_t extent : last.dims()) {
      type.mutable_shape()->add_dim()->set_dim_value(extent);
    }
  } else if (graph.input_size() > 0) {
    onnx::TensorProto tensor = new_tensor(dice);
    tensor.set_name(dice.pick(*graph.mutable_input()).name());
    *tensors.Add() = tensor;
  }
}

void mutate_outputs(onnx::GraphProto& graph, Dice& dice) {
  auto& outputs = *graph.mutable_output();
  if (outputs.size() > 1 && dice.one_in(2)) return outputs.RemoveLast();
  const std::vector<std::string> names = values_of(graph);
  if (!names.empty()) outputs.Add()->set_name(names[dice.below(names.size())]);
}

void mutate_graph(onnx::GraphProto& graph, Dice& dice) {
  switch (dice.below(16)) {
    case 0:
    case 1: return mutate_nodes(graph, dice);
    case 2: return swap_roles(graph, dice);
    case 3: return mutate_outputs(graph, dice);
    case 4:
    case 5:
    case 6:
      if (graph.initializer_size() > 0)
        mutate_tensor(dice.pick(*graph.mutable_initializer()), dice);
      return;
    case 7:
    case 8:
    case 9:
      if (graph.input_size() > 0) {
        mutate_type(*dice.pick(*graph.mutable_input()).mutable_type(), dice);
      }
      return;
    case 10:
      if (graph.output_size() > 0) {
        mutate_type(*dice.pick(*graph.mutable_output()).mutable_type(), dice);
      }
      return;
    default:
      if (graph.node_size() > 0) {
        const std::vector<std::string> values = values_of(graph);
        mutate_node(dice.pick(*graph.mutable_node()), values, dice);
      }
  }
}

// Nodes of a function, calls of it, and functions that call each other.
void mutate_function(onnx::ModelProto& model, Dice& dice) {
  onnx::FunctionProto& function = dice.pick(*model.mutable_functions());
  if (dice.one_in(4)) {
    const onnx::FunctionProto& called = dice.pick(model.functions());
    onnx::NodeProto call;
    call.set_op_type(called.name());
    call.set_domain(called.domain());
    *call.mutable_input() = called.input();
    *call.mutable_output() = called.output();
    *function.add_node() = call;
  } else if (function.node_size() > 0) {
    std::vector<std::string> values(function.input().begin(), function.input().end());
    for (const auto& node : function.node()) {
      values.insert(values.end(), node.output().begin(), node.output().end());
    }
    mutate_node(dice.pick(*function.mutable_node()), values, dice);
  }
}

void mutate_versions(onnx::ModelProto& model, Dice& dice) {
  if (dice.one_in(3)) return model.set_ir_version(static_cast<std::int64_t>(dice.below(15)));
  auto& imports = *model.mutable_opset_import();
  if (imports.size() == 0 || dice.one_in(4)) {
    onnx::OperatorSetIdProto& import = *imports.Add();
    import.set_domain(dice.one_in(2) ? "switchyard" : "ai.onnx.ml");
    import.set_version(1);
  } else {
    dice.pick(imports).set_version(static_cast<std::int64_t>(dice.below(29)));
  }
}

}  // namespace

void mutate_model(onnx::ModelProto& model, Dice& dice) {
  if (dice.one_in(25)) return mutate_versions(model, dice);
  if (model.functions_size() > 0 && dice.one_in(3)) return mutate_function(model, dice);
  std::vector<onnx::GraphProto*> graphs;
  collect(*model.mutable_graph(), graphs);
  mutate_graph(*graphs[dice.below(graphs.size())], dice);
}

void splice(onnx::ModelProto& model, const onnx::ModelProto& other, Dice& dice) {
  onnx::GraphProto& graph = *model.mutable_graph();
  if (graph.node_size() + other.graph().node_size() > kMostNodes) return;
  const std::vector<std::string> mine = values_of(graph);
  for (onnx::NodeProto node : other.graph().node()) {
    for (std::string& input : *node.mutable_input()) {
      if (!mine.empty() && dice.one_in(4)) input = mine[dice.below(mine.size())];
    }
    *graph.add_node() = node;
  }
  graph.mutable_initializer()->MergeFrom(other.graph().initializer());
  graph.mutable_input()->MergeFrom(other.graph().input());
  graph.mutable_output()->MergeFrom(other.graph().output());
}

}  // namespace switchyard::fuzz
