#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "graph/control/empty_collection.hpp"

namespace switchyard::control {
namespace {

/// How a Scan walks: its attributes with defaults filled in and axes brought into range.
struct Walk {
  std::size_t states;
  std::size_t scanned;
  std::vector<std::int64_t> input_axes, input_directions, output_axes, output_directions;
};

std::vector<std::int64_t> padded(std::vector<std::int64_t> values, std::size_t size) {
  values.resize(size, 0);
  return values;
}

Walk walk_of(const NodePlan& node, const GraphPlan& body) {
  const Attributes& attributes = node.site.attributes;
  Walk walk;
  walk.scanned = static_cast<std::size_t>(attributes.get_int("num_scan_inputs", 0));
  if (walk.scanned < 1 || walk.scanned > node.node->inputs.size()) {
    throw Error(ErrorKind::model,
                fmt::format("num_scan_inputs is {}; it must be from 1 to the number of inputs, {}",
                            attributes.get_int("num_scan_inputs", 0), node.node->inputs.size()));
  }
  walk.states = node.node->inputs.size() - walk.scanned;
  if (body.graph->outputs.size() < walk.states) {
    throw Error(ErrorKind::model, fmt::format("the body of a Scan gives {} outputs for {} states",
                                              body.graph->outputs.size(), walk.states));
  }
  const std::size_t collected = body.graph->outputs.size() - walk.states;
  walk.input_axes = padded(attributes.get_ints("scan_input_axes"), walk.scanned);
  walk.input_directions = padded(attributes.get_ints("scan_input_directions"), walk.scanned);
  walk.output_axes = padded(attributes.get_ints("scan_output_axes"), collected);
  walk.output_directions = padded(attributes.get_ints("scan_output_directions"), collected);
  return walk;
}

std::int64_t axis_in(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    throw Error(ErrorKind::model, fmt::format("scan axis {} is outside of rank {}", axis, rank));
  }
  return axis < 0 ? axis + signed_rank : axis;
}

/// A scanned input on a device, where any part of it can be viewed.
TensorRef on_device(Execution& execution, const TensorRef& tensor) {
  CopyCount count;
  if (tensor->device) return tensor;
  return bring_to(*execution.dispatcher().router().policy().host_device, tensor, count);
}

std::int64_t common_length(const Walk& walk, const std::vector<TensorRef>& scanned) {
  std::int64_t length = -1;
  for (std::size_t i = 0; i < scanned.size(); ++i) {
    const std::int64_t here = scanned[i]->shape[static_cast<std::size_t>(walk.input_axes[i])];
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
    info.shape->erase(static_cast<std::size_t>(walk.input_axes[i]));
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
  std::vector<TensorRef> scanned(walk.scanned);
  for (std::size_t i = 0; i < walk.scanned; ++i) {
    scanned[i] = on_device(execution, input(node, frame, walk.states + i).tensor);
    walk.input_axes[i] = axis_in(walk.input_axes[i], scanned[i]->shape.size());
  }
  const std::int64_t length = common_length(walk, scanned);
  std::vector<TensorList> lists(walk.output_axes.size());
  const auto collection = [&](const TensorList& parts, std::size_t output) {
    const std::int64_t axis = walk.output_axes[output - walk.states];
    if (parts.empty()) {
      return empty_collection(execution, body, frame, input_types(walk, state, scanned), output,
                              axis);
    }
    return join(execution, node, parts, axis, true);
  };

  for (std::int64_t step = 0; step < length; ++step) {
    execution.begin_iteration(step);
    std::vector<Cell> inputs(walk.states + walk.scanned);
    for (std::size_t i = 0; i < walk.states; ++i) inputs[i] = std::move(state[i]);
    for (std::size_t i = 0; i < walk.scanned; ++i) {
      const std::int64_t index = walk.input_directions[i] == 0 ? step : length - 1 - step;
      inputs[walk.states + i].tensor = select(scanned[i], walk.input_axes[i], index);
    }
    std::vector<Cell> outputs = execution.run_body(body, inputs, frame);
    for (std::size_t i = 0; i < walk.states; ++i) state[i] = std::move(outputs[i]);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      TensorRef made = std::move(outputs[walk.states + i].tensor);
      const bool reversed = walk.output_directions[i] != 0;
      lists[i].insert(reversed ? lists[i].begin() : lists[i].end(), std::move(made));
    }
  }

  for (std::size_t i = 0; i < lists.size(); ++i) {
    set_output(node, frame, walk.states + i, {collection(lists[i], walk.states + i), nullptr});
  }
  for (std::size_t i = 0; i < walk.states; ++i) set_output(node, frame, i, std::move(state[i]));
}

}  // namespace switchyard::control
