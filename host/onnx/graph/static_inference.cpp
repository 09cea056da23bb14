#include "onnx/graph/static_inference.hpp"

#include <algorithm>

#include <switchyard/error.hpp>

#include "onnx/bodies/body_types.hpp"
#include "onnx/graph/value_kinds.hpp"

namespace switchyard {

namespace {

std::vector<ValueInfo> run_rules(const Node& node, const std::vector<ValueInfo>& inputs) {
  std::vector<ValueInfo> outputs(node.outputs.size());
  Inference inference(node.op->name(), node.attributes, inputs, outputs);
  infer(*node.op, inference);
  return outputs;
}

Value value_of(const ValueInfo& info) {
  Value value;
  value.dtype = info.dtype;
  value.shape = info.shape;
  // Bounds are not extents; of such an output only the rank is sure.
  if (info.bounded && info.shape) value.shape = Dims::filled(info.shape->size(), kUnknown);
  return value;
}

}  // namespace

std::vector<ValueInfo> types_only(std::vector<ValueInfo> inputs) {
  for (ValueInfo& input : inputs) {
    input.shape.reset();
    input.literal = nullptr;
  }
  return inputs;
}

ValueInfo info_of(const Graph& graph, ValueId id) {
  ValueInfo info;
  if (id == kAbsent) return info;
  const Value& value = graph.values[id];
  info.dtype = value.dtype;
  info.shape = value.shape;
  if (value.constant) info.literal = &*value.constant;
  return info;
}

std::vector<Value> infer_outputs(const Graph& graph, const Node& node, bool is_run_optional) {
  if (!node.bodies.empty()) return body_outputs(graph, node);
  std::vector<Value> outputs(node.outputs.size());
  std::vector<ValueInfo> inputs;
  for (const ValueId id : node.inputs) inputs.push_back(info_of(graph, id));
  const bool is_typed = std::none_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return id != kAbsent && graph.values[id].dtype == DType::undefined;
  });
  if (is_typed) {
    std::vector<ValueInfo> found;
    try {
      found = run_rules(node, inputs);
    } catch (const Error&) {
      if (!is_run_optional) throw;
      found = run_rules(node, types_only(inputs));
    }
    std::transform(found.begin(), found.end(), outputs.begin(), value_of);
  }
  set_output_kinds(graph, node, outputs);
  for (Value& output : outputs) {
    if (output.kind == ValueKind::sequence) output.shape.reset();
  }
  return outputs;
}

}  // namespace switchyard
