#include <fmt/format.h>

#include <limits>
#include <switchyard/error.hpp>

#include "graph/control/empty_collection.hpp"

namespace switchyard::control {
namespace {

TensorRef bool_tensor(bool value) {
  const std::uint8_t byte = value ? 1 : 0;
  return make_host_tensor(Literal::of<std::uint8_t>(DType::bool_, {}, std::span(&byte, 1)));
}

/// The types of the body's inputs in a trip from this state.
std::vector<ValueInfo> input_types(std::span<const Cell> state) {
  std::vector<ValueInfo> types(2 + state.size());
  types[0] = {DType::int64, Dims{}};
  types[1] = {DType::bool_, Dims{}};
  for (std::size_t i = 0; i < state.size(); ++i) types[i + 2] = type_of(state[i]);
  return types;
}

}  // namespace

void run_loop(Execution& execution, const NodePlan& node, Frame& frame) {
  const GraphPlan& body = frame.plan.body(node, "body");
  const Cell limit = input(node, frame, 0);
  const Cell start = input(node, frame, 1);
  const std::int64_t trips =
      limit.empty() ? std::numeric_limits<std::int64_t>::max() : scalar_of(limit.tensor);
  bool going = start.empty() || scalar_of(start.tensor) != 0;

  const std::size_t carried =
      node.node->inputs.size() - std::min<std::size_t>(2, node.node->inputs.size());
  if (body.graph->outputs.size() < 1 + carried) {
    throw Error(
        ErrorKind::model,
        fmt::format("the body of a Loop gives {} outputs; a condition and {} carried values "
                    "are needed",
                    body.graph->outputs.size(), carried));
  }
  const std::size_t collected = body.graph->outputs.size() - 1 - carried;
  std::vector<Cell> state(carried);
  for (std::size_t i = 0; i < carried; ++i) state[i] = input(node, frame, i + 2);
  std::vector<TensorList> lists(collected);
  TensorRef condition = bool_tensor(going);

  for (std::int64_t trip = 0; trip < trips && going; ++trip) {
    execution.begin_iteration();
    execution.begin_list_entries(static_cast<std::int64_t>(collected));
    std::vector<Cell> inputs(2 + carried);
    inputs[0].tensor = make_host_tensor(Literal::int64(trip));
    inputs[1].tensor = condition;
    for (std::size_t i = 0; i < carried; ++i) inputs[i + 2] = std::move(state[i]);
    inputs.resize(body.graph->inputs.size());
    std::vector<Cell> outputs = execution.run_body(body, inputs, frame);
    condition = outputs[0].tensor;
    going = scalar_of(condition) != 0;
    for (std::size_t i = 0; i < carried; ++i) state[i] = std::move(outputs[1 + i]);
    for (std::size_t i = 0; i < collected; ++i) {
      lists[i].push_back(std::move(outputs[1 + carried + i].tensor));
    }
  }

  for (std::size_t i = 0; i < collected; ++i) {
    TensorRef joined = lists[i].empty() ? empty_collection(execution, body, frame,
                                                           input_types(state), 1 + carried + i, 0)
                                        : join(execution, node, lists[i], 0, true);
    set_output(node, frame, carried + i, {std::move(joined), nullptr});
  }
  for (std::size_t i = 0; i < carried; ++i) set_output(node, frame, i, std::move(state[i]));
}

}  // namespace switchyard::control
