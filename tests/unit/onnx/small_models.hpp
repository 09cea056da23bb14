// Models for the reader's tests, made of ONNX text, and what the tests ask of the result.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <switchyard/error.hpp>

#include "onnx/model_file.hpp"
#include "onnx/proto/encode.hpp"
#include "onnx/text/text_parser.hpp"

namespace switchyard {

inline onnx::ModelProto model_of(std::string_view graph_text, int opset = 17, int ir = 8) {
  onnx::ModelProto model;
  model.ir_version = ir;
  model.opset_import.emplace_back().version = opset;
  model.graph = parse_graph_text(graph_text);
  return model;
}

inline void add_import(onnx::ModelProto& model, const std::string& domain, int version) {
  onnx::OperatorSetIdProto& import = model.opset_import.emplace_back();
  import.domain = domain;
  import.version = version;
}

/// Adds a function of the domain "own"; its nodes are of opset 17.
inline onnx::FunctionProto& add_function(onnx::ModelProto& model, const std::string& name,
                                         std::string_view text) {
  onnx::FunctionProto& function = model.functions.emplace_back();
  function = parse_function_text(text);
  function.name = name;
  function.domain = "own";
  function.opset_import.emplace_back().version = 17;
  onnx::OperatorSetIdProto& import = function.opset_import.emplace_back();
  import.domain = "own";
  import.version = 1;
  return function;
}

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

inline ModelFile read(const onnx::ModelProto& model, const std::filesystem::path& folder = {}) {
  const std::string bytes = onnx::encode(model);
  return read_model_bytes(bytes_of(bytes), folder, "m.onnx");
}

inline ModelFile read(std::string_view graph_text, int opset = 17) {
  return read(model_of(graph_text, opset));
}

/// The message with which the model is refused; empty if it is not.
inline std::string refusal(const onnx::ModelProto& model,
                           const std::filesystem::path& folder = {}) {
  try {
    read(model, folder);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::model ? error.what() : "of another kind";
  }
  return {};
}

inline std::string refusal(std::string_view graph_text, int opset = 17) {
  return refusal(model_of(graph_text, opset));
}

/// The ops of a graph's nodes, in order: "Relu Add".
inline std::string ops_of(const Graph& graph) {
  std::string ops;
  for (const Node& node : graph.nodes) {
    if (!ops.empty()) ops += ' ';
    ops += node.op->name();
  }
  return ops;
}

inline const Value& input(const Graph& graph, std::size_t i) {
  return graph.values[graph.inputs[i]];
}
inline const Value& output(const Graph& graph, std::size_t i) {
  return graph.values[graph.outputs[i]];
}

/// The value of a node's input.
inline const Value& input(const Graph& graph, const Node& node, std::size_t i) {
  return graph.values[node.inputs[i]];
}

}  // namespace switchyard
