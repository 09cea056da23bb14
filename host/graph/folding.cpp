#include "graph/folding.hpp"

#include <algorithm>
#include <switchyard/error.hpp>

#include "trace/log.hpp"

namespace switchyard {
namespace {

bool shape_is_known(const Value& value) {
  return value.shape &&
         std::none_of(value.shape->begin(), value.shape->end(), [](auto e) { return e < 0; });
}

bool can_fold(const Graph& graph, const Node& node, std::size_t limit_bytes) {
  const Row& row = *node.op->row;
  if (row.random || row.runs_on == RunsOn::control) return false;
  for (ValueId output : node.outputs) {
    if (output == kAbsent) continue;
    const Value& value = graph.values[output];
    if (value.dtype == DType::string) return false;
    if (shape_is_known(value) && byte_size(value.dtype, element_count(*value.shape)) > limit_bytes) {
      return false;
    }
  }
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
    if (input == kAbsent) return true;
    const Value& value = graph.values[input];
    return row.runs_on == RunsOn::literal ? shape_is_known(value) : value.constant.has_value();
  });
}

/// A stand-in for a value of which only the shape counts.
TensorRef shape_only(const Value& value) {
  TensorRef tensor(new_tensor_impl());
  tensor->dtype = value.dtype;
  tensor->shape = *value.shape;
  tensor->strides = contiguous_strides(tensor->shape);
  tensor->set_layout();
  return tensor;
}

/// Runs the node and keeps its outputs as constants; leaves it in place if no device takes it.
bool fold(Graph& graph, const Node& node, Dispatcher& dispatcher, std::size_t limit_bytes) {
  std::vector<TensorRef> inputs(node.inputs.size()), outputs(node.outputs.size());
  std::uint64_t wanted = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const Value& value = graph.values[node.inputs[i]];
    inputs[i] = value.constant ? make_host_tensor(*value.constant) : shape_only(value);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != kAbsent) wanted |= std::uint64_t{1} << i;
  }
  const CallSite site = make_site(*node.op, node.attributes, Purpose::host_work, nullptr, 0, node.name);
  try {
    dispatcher.call(site, inputs, outputs, wanted);
  } catch (const Error& error) {
    trace::debug("node '{}' is not folded: {}", node.name, error.what());
    return false;
  }
  CopyCount count;
  std::vector<Literal> results(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i]) continue;
    results[i] = read_to_host(make_contiguous(outputs[i]), count);
    if (results[i].size_bytes() > limit_bytes) return false;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i]) continue;
    Value& value = graph.values[node.outputs[i]];
    value.shape = results[i].shape();
    value.constant = std::move(results[i]);
  }
  return true;
}

}  // namespace

std::size_t fold_constants(Graph& graph, Dispatcher& dispatcher, std::size_t limit_bytes) {
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    if (!can_fold(graph, node, limit_bytes) || !fold(graph, node, dispatcher, limit_bytes)) {
      kept.push_back(std::move(node));
    }
  }
  std::size_t folded = graph.nodes.size() - kept.size();
  graph.nodes = std::move(kept);
  for (Node& node : graph.nodes) {
    for (auto& [name, body] : node.bodies) folded += fold_constants(*body, dispatcher, limit_bytes);
  }
  return folded;
}

}  // namespace switchyard
