#include "graph/control/empty_collection.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "graph/specialise.hpp"
#include "trace/log.hpp"

namespace switchyard::control {
namespace {

constexpr std::size_t kFoldLimitBytes = 1 << 16;  // shapes, which is all that is asked for

void tell(Graph& graph, ValueId id, const ValueInfo& info) {
  if (id == kAbsent || info.dtype == DType::undefined) return;
  graph.values[id].dtype = info.dtype;
  if (info.shape) graph.values[id].shape = info.shape;
}

/// The body with the types that its inputs and captures have in this run, told on to its outputs.
Graph typed(Execution& execution, const GraphPlan& body, const Frame& outer,
            std::span<const ValueInfo> inputs) {
  Graph graph = copy_of(*body.graph);
  for (const Capture& capture : graph.captures) {
    tell(graph, capture.inner, type_of(outer.cells[capture.outer]));
  }
  for (std::size_t i = 0; i < inputs.size() && i < graph.inputs.size(); ++i) {
    tell(graph, graph.inputs[i], inputs[i]);
  }
  try {
    specialise(graph, execution.dispatcher(), kFoldLimitBytes);
  } catch (const Error& error) {
    trace::debug("a body that does not run has no types: {}", error.what());
  }
  return graph;
}

}  // namespace

ValueInfo type_of(const Cell& cell) {
  ValueInfo info;
  if (!cell.tensor) return info;
  info.dtype = cell.tensor->dtype;
  info.shape = cell.tensor->shape;
  return info;
}

TensorRef empty_collection(Execution& execution, const GraphPlan& body, const Frame& outer,
                           std::span<const ValueInfo> inputs, std::size_t output,
                           std::int64_t axis) {
  const Graph graph = typed(execution, body, outer, inputs);
  const ValueId id = graph.outputs[output];
  const Value value = id == kAbsent ? Value() : graph.values[id];
  if (value.dtype == DType::undefined) {
    throw Error(ErrorKind::model,
                fmt::format("output {} of a body that never ran would hold nothing of a type that "
                            "is not known; declare its type in the model",
                            output));
  }
  Dims shape = value.shape.value_or(Dims());
  for (std::int64_t& extent : shape) extent = std::max<std::int64_t>(extent, 0);
  const auto rank = static_cast<std::int64_t>(shape.size()) + 1;
  if (axis < -rank || axis >= rank) {
    throw Error(ErrorKind::model, fmt::format("scan axis {} is outside of rank {}", axis, rank));
  }
  shape.insert(static_cast<std::size_t>(axis < 0 ? axis + rank : axis), 0);
  return make_host_tensor(Literal(value.dtype, std::move(shape)));
}

}  // namespace switchyard::control
