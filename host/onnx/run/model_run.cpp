#include "onnx/run/model_run.hpp"

#include <algorithm>

#include "device/thread_context.hpp"
#include "graph/execution.hpp"
#include "memory/machine_memory.hpp"
#include "onnx/bodies/body_expansion.hpp"
#include "onnx/model_inputs.hpp"
#include "onnx/model_results.hpp"
#include "onnx/run/output_targets.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

NamedValue named_value(const Value& value, Cell& cell) {
  NamedValue result;
  result.name = value.name;
  if (cell.list) {
    result.is_sequence = true;
    for (const TensorRef& tensor : *cell.list) result.sequence.emplace_back(tensor.get());
  } else if (cell.tensor) {
    result.tensor = Tensor(cell.tensor.get());
  }
  return result;
}

void fill_report(RunReport& report, const RunStatistics& statistics, std::size_t folded) {
  report.placement = statistics.placement;
  report.host_work = statistics.host_work;
  report.views = statistics.views;
  report.programs = statistics.programs;
  report.control = statistics.control;
  report.folded = folded;
  report.profile.clear();
  for (const auto& [key, line] : statistics.profile) {
    report.profile.push_back({key.first, key.second, line.count, line.milliseconds});
  }
}

std::uint64_t list_bytes(const Config& config) {
  static const std::uint64_t share = share_of_lists(machine_memory());
  const std::uint64_t limit = config.host.memory_limit;
  return limit == 0 ? share : std::min(share, limit);
}

std::vector<NamedValue> run_plan(const Model::State& state, std::vector<Cell> cells,
                                 const OutputTargets& targets, const ModelCall& call) {
  const Model::RunOptions& options = call.options;
  const Interruption interruption(options.cancellation, options.deadline);
  interruption.check();  // nodes look at it before they run, but there may be none
  Execution execution(*state.engine->dispatcher,
                      {.profile = options.profile,
                       .expand = expand_body,
                       .count_ops = options.count_ops,
                       .iterations = state.engine->config.limits.iterations,
                       .list_bytes = list_bytes(state.engine->config),
                       .interruption = interruption,
                       .targets = targets.tensors()});
  // A profile is of single ops, so it takes no programs; nor does a run on a device of its choice.
  std::shared_ptr<const ShapedPlan> shaped;
  if (!options.profile && !call.device) {
    shaped = state.shaped_plans->find(cells);
  }
  const GraphPlan& plan = call.device ? state.placed_plans.find(*state.plan, call.device)
                          : shaped    ? *shaped->plan
                                      : *state.plan;
  std::vector<Cell> outputs = execution.run(plan, cells);
  if (options.report) fill_report(*options.report, execution.statistics(), state.folded.size());
  std::vector<NamedValue> results;
  const Graph& graph = state.file.graph;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!targets.take(i, outputs[i])) own_results(outputs[i]);
    results.push_back(named_value(graph.values[graph.outputs[i]], outputs[i]));
  }
  return results;
}

bool are_on_host(const std::vector<Cell>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) {
    return !cell.list && (!cell.tensor || !cell.tensor->device);
  });
}

/// Values of the host live as long as somebody has them, and no run takes their memory. Targets may
/// lie in theirs, and a stream of the caller's stays failed.
bool may_run_again(const std::vector<Cell>& cells, const ModelCall& call) {
  return call.targets.empty() && thread_context.stream_device == nullptr && are_on_host(cells);
}

/// Whether work that was under way failed with its device, and not what it was asked to do.
bool is_late_failure(const Error& error) {
  return !error.device().empty() &&
         (error.kind() == ErrorKind::device_lost || error.kind() == ErrorKind::transient);
}

/// Work that fails after it was enqueued shows when the run needs its results. The device is out of
/// use then, and the whole run, whose inputs are there still, can be made without it.
std::vector<NamedValue> run_in_spite_of_devices(const Model::State& state, std::vector<Cell> cells,
                                                const OutputTargets& targets,
                                                const ModelCall& call) {
  constexpr int kMostFailures = 3;
  for (int failures = 1; may_run_again(cells, call); ++failures) {
    try {
      return run_plan(state, cells, targets, call);
    } catch (const Error& error) {
      if (!is_late_failure(error) || failures == kMostFailures) throw;
      trace::warn("the model is run again, as {}", error.what());
    }
  }
  return run_plan(state, std::move(cells), targets, call);
}

}  // namespace

std::vector<NamedValue> run_model(const Model::State& state, ModelCall call) {
  // What is wrong with what the caller gives is told without the model's name.
  const auto bound = [&] { return bind_inputs(state.inputs, std::move(call.inputs)); };
  std::vector<Cell> cells = within_memory(state.name, bound);
  const OutputTargets targets(state.outputs, call.targets, cells);
  return about_model(
      state.name, [&] { return run_in_spite_of_devices(state, std::move(cells), targets, call); });
}

}  // namespace switchyard
