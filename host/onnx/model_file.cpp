#include "onnx/model_file.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "device/within_memory.hpp"
#include "io/file_error.hpp"
#include "memory/machine_memory.hpp"
#include "onnx/bodies/expanded_size.hpp"
#include "onnx/files/message_file.hpp"
#include "onnx/graph/graph_reader.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

constexpr std::int64_t kNewestIr = 13;
constexpr const char* kWhat = "ONNX model";

void check_model(const onnx::ModelProto& model, const std::string& file) {
  if (model.ir_version < 1 || !model.graph) {
    refuse(file,
           fmt::format("it is not a valid {}, or it is cut short: it has no {}; fetch or export it "
                       "again",
                       kWhat, model.graph ? "IR version" : "graph"));
  }
  if (model.ir_version > kNewestIr) {
    refuse(file, fmt::format("it has IR version {}; versions 1 to {} are read, so export it for an "
                             "older ONNX",
                             model.ir_version, kNewestIr));
  }
  if (model.graph->output.empty()) {
    refuse(file, "its graph has no outputs; the file is cut short or was not exported whole");
  }
}

void add_functions(const onnx::ModelProto& model, Reading& reading) {
  for (const onnx::FunctionProto& function : model.functions) {
    FunctionKey key(plain_domain(function.domain), function.name, function.overload);
    if (reading.functions.emplace(std::move(key), &function).second) continue;
    refuse(reading.file, fmt::format("it defines the function {} of the domain {} twice",
                                     in_quotes(function.name), in_quotes(function.domain)));
  }
}

ModelFile described(const onnx::ModelProto& model, const std::string& file) {
  ModelFile result;
  result.opset_imports = read_opset_imports(model, file);
  result.ir_version = model.ir_version;
  result.producer = model.producer_name;
  result.producer_version = model.producer_version;
  result.domain = model.domain;
  result.model_version = model.model_version;
  result.description = model.doc_string;
  for (const auto& entry : model.metadata_props) result.metadata[entry.key] = entry.value;
  return result;
}

ModelFile convert(const onnx::ModelProto& model, const std::filesystem::path& folder,
                  const std::string& file, const LimitsConfig& limits) {
  check_model(model, file);
  Reading reading{file, ExternalData(folder), limits};
  add_functions(model, reading);
  check_expanded_size(reading, *model.graph);
  ModelFile result = described(model, file);
  NameScope scope(result.graph, result.opset_imports);
  result.default_inputs = read_graph(reading, scope, *model.graph);
  return result;
}

// A body takes three messages: its node, the attribute, the graph. What is a little too deep is
// left to check_expanded_size, which says so in the model's own words.
onnx::DecodeLimits decode_limits(const LimitsConfig& limits) {
  static const std::uint64_t memory = share_of_model_file(machine_memory());
  return {
      .nesting = static_cast<int>(3 * limits.depth) + 16, .nodes = limits.nodes, .memory = memory};
}

}  // namespace

ModelFile read_model(const std::filesystem::path& path, const LimitsConfig& limits) {
  return within_memory(path.string(), [&] {
    const std::filesystem::path folder = path.parent_path();
    return convert(decode_file<onnx::ModelProto>(path, kWhat, decode_limits(limits)),
                   folder.empty() ? "." : folder, path.string(), limits);
  });
}

ModelFile read_model_bytes(std::span<const std::byte> bytes, const std::filesystem::path& folder,
                           const std::string& name, const LimitsConfig& limits) {
  return within_memory(name, [&] {
    const onnx::SharedBytes borrowed{nullptr, bytes};
    return convert(onnx::decode<onnx::ModelProto>(borrowed, name, kWhat, decode_limits(limits)),
                   folder, name, limits);
  });
}

}  // namespace switchyard
