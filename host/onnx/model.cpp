#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <switchyard/model.hpp>

#include "graph/quantized_fusion.hpp"
#include "onnx/model_inputs.hpp"
#include "onnx/model_state.hpp"
#include "onnx/run/model_run.hpp"

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
      throw Error(ErrorKind::not_found,
                  fmt::format("the model's inputs have no free extent '{}'; {}", name,
                              names.empty() ? "all their extents are fixed"
                                            : fmt::format("they have {}", fmt::join(names, ", "))));
    }
    if (extent < 0)
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("extent '{}' cannot be {}", name, extent));
  }
}

std::shared_ptr<Model::State> made_ready(const Runtime& runtime, const std::string& name,
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
  state->shaped_plans =
      std::make_unique<ShapedPlans>(*state->plan, *state->engine->dispatcher, kFoldLimitBytes);
  return state;
}

}  // namespace

Model Model::load(const Runtime& runtime, const std::filesystem::path& file,
                  const FixedDims& dims) {
  const std::string name = file.string();
  return about_model(name, [&] {
    return Model(
        made_ready(runtime, name, read_model(file, runtime.engine()->config.limits), dims));
  });
}

Model Model::from_bytes(const Runtime& runtime, std::span<const std::byte> bytes,
                        const FixedDims& dims) {
  const std::string name = "model in memory";
  return about_model(name, [&] {
    const LimitsConfig& limits = runtime.engine()->config.limits;
    return Model(made_ready(runtime, name, read_model_bytes(bytes, {}, name, limits), dims));
  });
}

const std::vector<Port>& Model::inputs() const& { return state_->inputs; }
const std::vector<Port>& Model::outputs() const& { return state_->outputs; }

std::vector<NamedValue> Model::run(std::vector<NamedValue> inputs, RunOptions options) const {
  return run_model(*state_, {.inputs = std::move(inputs), .options = options});
}

void Model::prepare(const std::map<std::string, Dims>& shapes) const {
  static_cast<void>(run(zero_inputs(state_->inputs, shapes)));
}

}  // namespace switchyard
