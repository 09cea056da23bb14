#include "onnx/export/graph_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "onnx/proto/messages.hpp"
#include "ops/registered_op.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

void write_value(onnx::AttributeProto& attribute, std::int64_t value) {
  attribute.type = onnx::AttributeProto::INT;
  attribute.i = value;
}
void write_value(onnx::AttributeProto& attribute, double value) {
  attribute.type = onnx::AttributeProto::FLOAT;
  attribute.f = static_cast<float>(value);
}
void write_value(onnx::AttributeProto& attribute, const std::vector<std::int64_t>& values) {
  attribute.type = onnx::AttributeProto::INTS;
  attribute.ints = values;
}
void write_value(onnx::AttributeProto& attribute, const std::vector<float>& values) {
  attribute.type = onnx::AttributeProto::FLOATS;
  attribute.floats = values;
}
void write_value(onnx::AttributeProto& attribute, const std::vector<std::string>& texts) {
  attribute.type = onnx::AttributeProto::STRINGS;
  attribute.strings = texts;
}
void write_value(onnx::AttributeProto& attribute, std::string_view text) {
  attribute.type = onnx::AttributeProto::STRING;
  attribute.s = std::string(text);
}

/// From which on a domain has the op; 1 where it is not known.
int version_of(std::string_view domain, std::string_view op) {
  const Op* known = find_op(domain, op);
  return known && known->registered ? known->registered->definition.version : 1;
}

}  // namespace

GraphWriter::GraphWriter(onnx::GraphProto& graph, std::string input)
    : graph_(graph), current_(std::move(input)) {
  names_.insert(current_);
}

void GraphWriter::append(std::string_view op, const std::vector<std::string>& more,
                         const std::vector<WrittenAttribute>& attributes) {
  std::vector<std::string> inputs{current_};
  inputs.insert(inputs.end(), more.begin(), more.end());
  current_ = add(op, inputs, attributes);
}

std::string GraphWriter::add(std::string_view op, const std::vector<std::string>& inputs,
                             const std::vector<WrittenAttribute>& attributes) {
  return add("", op, inputs, 1, attributes).front();
}

std::vector<std::string> GraphWriter::add(std::string_view domain, std::string_view op,
                                          const std::vector<std::string>& inputs,
                                          std::size_t output_count,
                                          const std::vector<WrittenAttribute>& attributes) {
  onnx::NodeProto& node = graph_.node.emplace_back();
  node.op_type = std::string(op);
  node.domain = std::string(domain);
  if (!domain.empty()) {
    int& version = domains_[std::string(domain)];
    version = std::max(version, version_of(domain, op));
  }
  node.input = inputs;
  for (std::size_t i = 0; i < output_count; ++i) node.output.push_back(unused_name(op));
  node.name = node.output.front();
  for (const WrittenAttribute& given : attributes) {
    onnx::AttributeProto& attribute = node.attribute.emplace_back();
    attribute.name = std::string(given.name);
    std::visit([&](const auto& value) { write_value(attribute, value); }, given.value);
  }
  return node.output;
}

std::string GraphWriter::constant(std::string_view name, const Tensor& elements) {
  onnx::TensorProto& tensor = graph_.initializer.emplace_back();
  tensor.name = unused_name(name);
  tensor.data_type = static_cast<std::int32_t>(elements.dtype());
  tensor.dims.assign(elements.shape().begin(), elements.shape().end());
  std::string bytes(elements.size_bytes(), '\0');
  elements.detach().copy_to(bytes.data(), bytes.size());
  tensor.raw_data = onnx::SharedBytes::of(std::move(bytes));
  return tensor.name;
}

std::string GraphWriter::constant(std::string_view name,
                                  const std::vector<std::int64_t>& elements) {
  return constant(name, host_tensor({static_cast<std::int64_t>(elements.size())}, elements));
}

void GraphWriter::finish(const std::string& output) {
  if (graph_.node.empty()) append("Identity");
  for (onnx::NodeProto& node : graph_.node) {
    std::ranges::replace(node.output, current_, output);
    std::ranges::replace(node.input, current_, output);
  }
  current_ = output;
}

std::string GraphWriter::unused_name(std::string_view name) {
  const std::string wanted =
      layer_.empty() ? std::string(name) : fmt::format("{}.{}", layer_, name);
  std::string free = wanted;
  for (int i = 1; !names_.insert(free).second; ++i) free = fmt::format("{}_{}", wanted, i);
  return free;
}

}  // namespace switchyard
