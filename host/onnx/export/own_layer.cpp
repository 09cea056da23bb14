#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/onnx_export.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

struct AsWritten {
  std::string_view name;

  WrittenAttribute operator()(float value) const { return {name, double{value}}; }
  WrittenAttribute operator()(const std::string& value) const {
    return {name, std::string_view(value)};
  }
  WrittenAttribute operator()(const Tensor&) const {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("attribute \"{}\" is a Tensor; give it as a constant", name));
  }
  template <typename T>
  WrittenAttribute operator()(const T& value) const {
    return {name, value};
  }
};

}  // namespace

OnnxLayer::OnnxLayer(const ExportedLayer& layer) : layer_(layer), input_(layer.graph.current()) {}

const std::string& OnnxLayer::input() const { return input_; }
const Tensor& OnnxLayer::example() const { return layer_.input; }
const Tensor& OnnxLayer::example_output() const { return layer_.output; }

std::string OnnxLayer::constant(Text name, const Tensor& elements) {
  return layer_.graph.constant(name, elements);
}

std::vector<std::string> OnnxLayer::node_of_many(Text op, const std::vector<std::string>& inputs,
                                                 std::size_t output_count,
                                                 const AttributeArguments& attributes,
                                                 Text domain) {
  if (output_count == 0) {
    throw Error(ErrorKind::invalid_argument, fmt::format("a node of {} has no output", op));
  }
  std::vector<WrittenAttribute> written;
  for (const auto& [name, value] : attributes)
    written.push_back(std::visit(AsWritten{name}, value.value()));
  std::vector<std::string> outputs = layer_.graph.add(domain, op, inputs, output_count, written);
  layer_.graph.go_on_with(outputs.front());
  return outputs;
}

std::string OnnxLayer::node(Text op, const std::vector<std::string>& inputs,
                            const AttributeArguments& attributes, Text domain) {
  return node_of_many(op, inputs, 1, attributes, domain).front();
}

std::string OnnxLayer::module(Text name, const nn::Module& module, const std::string& value,
                              const Tensor& example) {
  const Tensor made = module(example);
  layer_.graph.go_on_with(value);
  write_layer({layer_.graph, fmt::format("{}.{}", layer_.name, name), module, example, made});
  layer_.graph.enter(layer_.name);
  return layer_.graph.current();
}

void OnnxLayer::set_output(std::string value) { layer_.graph.go_on_with(std::move(value)); }

void OnnxLayer::refuse(std::string_view why) const { layer_.refuse(why); }

}  // namespace switchyard
