#include "graph/specialise.hpp"

#include <algorithm>
#include <cstddef>
#include <switchyard/error.hpp>
#include <unordered_set>

#include "graph/node_error.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

bool shape_is_known(const Value& value) {
  return value.shape &&
         std::none_of(value.shape->begin(), value.shape->end(), [](auto e) { return e < 0; });
}

/// The more telling of two shapes of one value.
void refine_shape(Value& value, const ValueInfo& info) {
  if (!info.shape || info.bounded) return;
  if (!value.shape || value.shape->size() != info.shape->size()) {
    value.shape = info.shape;
    return;
  }
  for (std::size_t d = 0; d < info.shape->size(); ++d) {
    if ((*info.shape)[d] >= 0) (*value.shape)[d] = (*info.shape)[d];
  }
}

ValueInfo info_of(const Value& value) {
  ValueInfo info{value.dtype, value.shape, nullptr, false};
  if (value.constant) info.literal = &*value.constant;
  return info;
}

/// What cannot be told yet is told when the node runs, errors included.
void infer_outputs(Graph& graph, const Node& node) {
  if (node.op->row->runs_on == RunsOn::control) return;
  std::vector<ValueInfo> inputs(node.inputs.size()), outputs(node.outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    inputs[i] = info_of(graph.values[node.inputs[i]]);
    if (inputs[i].dtype == DType::undefined) return;
  }
  Inference inference(node.op->name(), node.attributes, inputs, outputs);
  infer(*node.op, inference);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == kAbsent) continue;
    Value& value = graph.values[node.outputs[i]];
    value.dtype = outputs[i].dtype;
    refine_shape(value, outputs[i]);
  }
}

std::size_t constant_bytes(const Value& value) {
  const bool is_counted = value.constant && value.dtype != DType::string;
  return is_counted ? value.constant->size_bytes() : 0;
}

/// The constants of a graph and of its bodies; those that share their bytes count once.
class ConstantBytes {
 public:
  explicit ConstantBytes(const Graph& graph) { add(graph); }
  std::size_t sum() const { return sum_; }

 private:
  void add(const Graph& graph) {
    for (const Value& value : graph.values) {
      const std::size_t bytes = constant_bytes(value);
      if (bytes > 0 && seen_.insert(value.constant->bytes()).second) sum_ += bytes;
    }
    for (const Node& node : graph.nodes) {
      for (const auto& [name, body] : node.bodies) add(*body);
    }
  }

  std::unordered_set<const std::byte*> seen_;
  std::size_t sum_ = 0;
};

/// How many bytes folding may still read and make: a small file may name constants without end.
struct FoldBudget {
  std::size_t of_result;
  std::size_t of_all;

  std::size_t limit() const { return std::min(of_result, of_all); }
  void spend(std::size_t bytes) { of_all -= std::min(bytes, of_all); }
};

/// The constants that a node reads; not what it asks only the shapes of.
std::size_t bytes_read(const Graph& graph, const Node& node) {
  if (node.op->row->runs_on == RunsOn::literal) return 0;
  std::size_t bytes = 0;
  for (const ValueId input : node.inputs) {
    if (input != kAbsent) bytes += constant_bytes(graph.values[input]);
  }
  return bytes;
}

bool can_fold(const Graph& graph, const Node& node, std::size_t limit_bytes) {
  const Row& row = *node.op->row;
  if (row.random || row.runs_on == RunsOn::control) return false;
  for (ValueId output : node.outputs) {
    if (output == kAbsent) continue;
    const Value& value = graph.values[output];
    if (value.dtype == DType::string || value.dtype == DType::undefined) return false;
    if (shape_is_known(value) &&
        byte_size(value.dtype, element_count(*value.shape)) > limit_bytes) {
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
  TensorRef tensor = new_tensor();
  tensor->dtype = value.dtype;
  tensor->shape = *value.shape;
  tensor->strides = contiguous_strides(tensor->shape);
  tensor->set_layout();
  return tensor;
}

std::vector<TensorRef> compute(const Graph& graph, const Node& node, Dispatcher& dispatcher) {
  std::vector<TensorRef> inputs(node.inputs.size()), outputs(node.outputs.size());
  std::uint64_t wanted = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const Value& value = graph.values[node.inputs[i]];
    inputs[i] = value.constant ? make_host_tensor(*value.constant) : shape_only(value);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != kAbsent) wanted |= mask_bit(i);
  }
  const CallSite site =
      make_site(*node.op, node.attributes, Purpose::host_work, nullptr,
                dispatcher.router().policy()->math_flags(node.op->name()), node.name);
  dispatcher.call(site, inputs, outputs, wanted);
  return outputs;
}

/// Runs the node and keeps its outputs as constants; leaves it in place if no device takes it.
bool fold(Graph& graph, const Node& node, Dispatcher& dispatcher, FoldBudget& budget) {
  std::vector<Literal> results(node.outputs.size());
  const std::size_t read = bytes_read(graph, node);
  if (read > budget.of_all) return false;
  budget.spend(read);
  try {
    const std::vector<TensorRef> outputs = compute(graph, node, dispatcher);
    CopyCount count;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (node.outputs[i] == kAbsent) continue;
      results[i] = read_to_host(make_contiguous(outputs[i]), count);
      const std::size_t made = results[i].size_bytes();
      const bool is_too_large = made > budget.limit();
      budget.spend(made);
      if (is_too_large) return false;
    }
  } catch (const Error& error) {
    trace::debug("node '{}' is not folded: {}", node.name, error.what());
    return false;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (node.outputs[i] == kAbsent) continue;
    Value& value = graph.values[node.outputs[i]];
    value.shape = results[i].shape();
    value.constant = std::move(results[i]);
  }
  return true;
}

/// A body knows of its captures what the graph around it knows.
void tell_captures(const Graph& outer, Graph& body) {
  for (const Capture& capture : body.captures) {
    const Value& from = outer.values[capture.outer];
    Value& to = body.values[capture.inner];
    to.dtype = from.dtype;
    to.kind = from.kind;
    if (from.shape) to.shape = from.shape;
    to.constant = from.constant;
  }
}

/// A body may never run, such as the branch of an If that is for other shapes than those at hand.
/// So a rule that is broken there is told only when the node runs.
void infer_outputs(Graph& graph, const Node& node, bool is_body) {
  try {
    infer_outputs(graph, node);
  } catch (const Error& error) {
    if (!is_body) rethrow_at(node, error);
    trace::debug("node '{}' is not told its shapes: {}", node.name, error.what());
  }
}

std::vector<FoldedNode> specialise(Graph& graph, Dispatcher& dispatcher, FoldBudget& budget,
                                   bool is_body) {
  std::vector<FoldedNode> folded;
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    infer_outputs(graph, node, is_body);
    for (auto& [name, body] : node.bodies) {
      tell_captures(graph, *body);
      auto inner = specialise(*body, dispatcher, budget, true);
      folded.insert(folded.end(), inner.begin(), inner.end());
    }
    if (can_fold(graph, node, budget.limit()) && fold(graph, node, dispatcher, budget)) {
      folded.push_back({node.name, std::string(node.op->name())});
    } else {
      kept.push_back(std::move(node));
    }
  }
  graph.nodes = std::move(kept);
  return folded;
}

}  // namespace

std::vector<FoldedNode> specialise(Graph& graph, Dispatcher& dispatcher, std::size_t limit_bytes) {
  FoldBudget budget{limit_bytes, 4 * limit_bytes + 64 * ConstantBytes(graph).sum()};
  return specialise(graph, dispatcher, budget, false);
}

}  // namespace switchyard
