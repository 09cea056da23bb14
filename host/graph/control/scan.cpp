#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "graph/control/empty_collection.hpp"
#include "graph/control/scan_walk.hpp"

namespace switchyard::control {
namespace {

/// What a Scan walks over; axes of inputs are brought into range.
struct Walk {
  std::size_t states;
  ScanLists inputs, outputs;
};

Walk walk_of(const NodePlan& node, const GraphPlan& body) {
  const Attributes& attributes = node.site.attributes;
  const std::size_t inputs = node.node->inputs.size();
  Walk walk;
  walk.states = scan_states(attributes, inputs);
  const std::size_t outputs = body.graph->outputs.size();
  if (outputs < walk.states) {
    throw Error(ErrorKind::model, fmt::format("the body of a Scan gives {} outputs for {} states",
                                              outputs, walk.states));
  }
  walk.inputs = scanned_inputs(attributes, inputs - walk.states);
  walk.outputs = collected_outputs(attributes, outputs - walk.states);
  return walk;
}

/// A scanned input on a device, where any part of it can be viewed.
TensorRef on_device(Execution& execution, const TensorRef& tensor) {
  CopyCount count;
  if (tensor->device) return tensor;
  return bring_to(*execution.dispatcher().router().policy()->host_device, tensor, count);
}

std::int64_t common_length(const Walk& walk, const std::vector<TensorRef>& scanned) {
  std::int64_t length = -1;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const std::int64_t here = scanned[i]->shape[static_cast<std::size_t>(walk.inputs.axes[i])];
    if (length >= 0 && here != length) {
      throw Error(ErrorKind::model,
                  fmt::format("scanned inputs differ in length, {} and {}", length, here));
    }
    length = here;
  }
  return length;
}

/// The types of the body's inputs in a step from this state.
std::vector<ValueInfo> input_types(const Walk& walk, std::span<const Cell> state,
                                   const std::vector<TensorRef>& scanned) {
  std::vector<ValueInfo> types;
  for (const Cell& cell : state) types.push_back(type_of(cell));
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    ValueInfo info = type_of({scanned[i], nullptr});
    info.shape->erase(static_cast<std::size_t>(walk.inputs.axes[i]));
    types.push_back(std::move(info));
  }
  return types;
}

}  // namespace

void run_scan(Execution& execution, const NodePlan& node, Frame& frame) {
  const GraphPlan& body = frame.plan.body(node, "body");
  Walk walk = walk_of(node, body);
  std::vector<Cell> state(walk.states);
  for (std::size_t i = 0; i < walk.states; ++i) state[i] = input(node, frame, i);
  std::vector<TensorRef> scanned(walk.inputs.axes.size());
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    scanned[i] = on_device(execution, tensor_input(node, frame, walk.states + i));
    std::int64_t& axis = walk.inputs.axes[i];
    axis = static_cast<std::int64_t>(scan_axis(kScanInputAxes, axis, scanned[i]->shape.size()));
  }
  const std::int64_t length = common_length(walk, scanned);
  std::vector<TensorList> lists(walk.outputs.axes.size());
  const auto collection = [&](const TensorList& parts, std::size_t output) {
    const std::int64_t axis = walk.outputs.axes[output - walk.states];
    if (parts.empty()) {
      return empty_collection(execution, body, frame, input_types(walk, state, scanned), output,
                              axis);
    }
    return join(execution, node, parts, axis, true);
  };

  for (std::int64_t step = 0; step < length; ++step) {
    execution.begin_iteration();
    execution.begin_list_entries(static_cast<std::int64_t>(lists.size()));
    std::vector<Cell> inputs(walk.states + scanned.size());
    for (std::size_t i = 0; i < walk.states; ++i) inputs[i] = std::move(state[i]);
    for (std::size_t i = 0; i < scanned.size(); ++i) {
      const std::int64_t index = walk.inputs.directions[i] == 0 ? step : length - 1 - step;
      inputs[walk.states + i].tensor = select(scanned[i], walk.inputs.axes[i], index);
    }
    std::vector<Cell> outputs = execution.run_body(body, inputs, frame);
    for (std::size_t i = 0; i < walk.states; ++i) state[i] = std::move(outputs[i]);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      lists[i].push_back(std::move(outputs[walk.states + i].tensor));
    }
  }

  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (walk.outputs.directions[i] != 0) std::reverse(lists[i].begin(), lists[i].end());
    set_output(node, frame, walk.states + i, {collection(lists[i], walk.states + i), nullptr});
  }
  for (std::size_t i = 0; i < walk.states; ++i) set_output(node, frame, i, std::move(state[i]));
}

}  // namespace switchyard::control
