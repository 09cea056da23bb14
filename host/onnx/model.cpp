#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <switchyard/model.hpp>

#include "device/within_memory.hpp"
#include "graph/execution.hpp"
#include "graph/programs/assignment.hpp"
#include "graph/quantized_fusion.hpp"
#include "memory/machine_memory.hpp"
#include "onnx/bodies/body_expansion.hpp"
#include "onnx/model_inputs.hpp"
#include "onnx/model_results.hpp"
#include "onnx/model_state.hpp"

namespace switchyard {
namespace {

/// Larger results stay nodes: what is folded is held for as long as the model.
constexpr std::size_t kFoldLimitBytes = std::size_t{64} << 20;

Port port_of(const Value& value) {
  Port port;
  port.name = value.name;
  port.dtype = value.dtype;
  port.rank_known = value.shape.has_value();
  if (value.shape) port.shape = *value.shape;
  port.dim_names = value.dim_names;
  port.tensor = value.kind == ValueKind::tensor;
  port.required = value.kind != ValueKind::optional;
  return port;
}

std::vector<Port> ports_of(const Graph& graph, const std::vector<ValueId>& values) {
  std::vector<Port> ports;
  for (ValueId value : values) ports.push_back(port_of(graph.values[value]));
  return ports;
}

void fix_dims(Graph& graph, const Model::FixedDims& dims) {
  std::vector<std::string> names;
  for (ValueId input : graph.inputs) {
    Value& value = graph.values[input];
    for (std::size_t d = 0; value.shape && d < value.dim_names.size(); ++d) {
      if (value.dim_names[d].empty()) continue;
      if (std::find(names.begin(), names.end(), value.dim_names[d]) == names.end()) {
        names.push_back(value.dim_names[d]);
      }
      const auto fixed = dims.find(value.dim_names[d]);
      if (fixed != dims.end()) (*value.shape)[d] = fixed->second;
    }
  }
  for (const auto& [name, extent] : dims) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("the model's inputs have no free extent '{}'; {}", name,
                              names.empty() ? "all their extents are fixed"
                                            : fmt::format("they have {}", fmt::join(names, ", "))));
    }
    if (extent < 0)
      throw Error(ErrorKind::usage, fmt::format("extent '{}' cannot be {}", name, extent));
  }
}

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

/// Calls `body`. Its errors name the model's file in front, but for those of the configuration.
template <typename Body>
auto about_model(const std::string& name, const Body& body) {
  try {
    return within_memory(name, body);
  } catch (const Error& error) {
    const bool is_named = std::string_view(error.what()).starts_with(name);
    if (is_named || error.kind() == ErrorKind::config) throw;
    throw Error(error.kind(), fmt::format("{}: {}", name, error.what()));
  }
}

std::shared_ptr<Model::State> prepare(const Runtime& runtime, const std::string& name,
                                      ModelFile file, const Model::FixedDims& dims) {
  auto state = std::make_shared<Model::State>();
  state->engine = runtime.engine();
  state->name = name;
  state->file = std::move(file);
  Graph& graph = state->file.graph;
  fix_dims(graph, dims);
  state->inputs = ports_of(graph, graph.inputs);
  const DequantizedValues dequantized = find_dequantized(graph);
  state->folded = specialise(graph, *state->engine->dispatcher, kFoldLimitBytes);
  state->outputs = ports_of(graph, graph.outputs);
  Router& router = *state->engine->router;
  fuse_quantized(graph, dequantized, router);
  state->plan = plan_graph(graph, router);
  if (router.policy().whole_programs && takes_programs(router.policy())) {
    state->shaped_plans =
        std::make_unique<ShapedPlans>(*state->plan, *state->engine->dispatcher, kFoldLimitBytes);
  }
  return state;
}

std::uint64_t list_bytes(const Config& config) {
  static const std::uint64_t share = share_of_lists(machine_memory());
  const std::uint64_t limit = config.host.memory_limit;
  return limit == 0 ? share : std::min(share, limit);
}

std::vector<NamedValue> run_plan(const Model::State& state, std::vector<Cell> cells,
                                 const Model::RunOptions& options) {
  Execution execution(*state.engine->dispatcher,
                      {.profile = options.profile,
                       .expand = expand_body,
                       .count_ops = options.count_ops,
                       .iterations = state.engine->config.limits.iterations,
                       .list_bytes = list_bytes(state.engine->config),
                       .interruption = {options.cancellation, options.deadline}});
  // A profile is of single ops, so it takes no programs.
  std::shared_ptr<const ShapedPlan> shaped;
  if (state.shaped_plans && !options.profile) shaped = state.shaped_plans->find(cells);
  std::vector<Cell> outputs = execution.run(shaped ? *shaped->plan : *state.plan, cells);
  if (options.report) fill_report(*options.report, execution.statistics(), state.folded.size());
  std::vector<NamedValue> results;
  const Graph& graph = state.file.graph;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    own_results(outputs[i]);
    results.push_back(named_value(graph.values[graph.outputs[i]], outputs[i]));
  }
  return results;
}

}  // namespace

Model Model::load(const Runtime& runtime, const std::filesystem::path& file,
                  const FixedDims& dims) {
  const std::string name = file.string();
  return about_model(name, [&] {
    return Model(prepare(runtime, name, read_model(file, runtime.engine()->config.limits), dims));
  });
}

Model Model::from_bytes(const Runtime& runtime, std::span<const std::byte> bytes) {
  const std::string name = "model in memory";
  return about_model(name, [&] {
    const LimitsConfig& limits = runtime.engine()->config.limits;
    return Model(prepare(runtime, name, read_model_bytes(bytes, {}, name, limits), {}));
  });
}

const std::vector<Port>& Model::inputs() const { return state_->inputs; }
const std::vector<Port>& Model::outputs() const { return state_->outputs; }

std::vector<NamedValue> Model::run(std::vector<NamedValue> inputs, RunOptions options) const {
  std::vector<Cell> cells = bind_inputs(state_->inputs, std::move(inputs));
  return about_model(state_->name, [&] { return run_plan(*state_, std::move(cells), options); });
}

}  // namespace switchyard
