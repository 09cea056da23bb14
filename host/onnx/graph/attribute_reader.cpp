#include "onnx/graph/attribute_reader.hpp"

#include <fmt/format.h>

#include "io/file_error.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/tensors/tensor_reader.hpp"
#include "onnx/tensors/tensor_writer.hpp"
#include "onnx/tensors/type_reader.hpp"

namespace switchyard {

namespace {

using Message = onnx::AttributeProto;

// Files of IR 1 leave the kind out, so that only the field that is set tells it.
Message::AttributeType kind_of(const Message& attribute) {
  if (attribute.type != Message::UNDEFINED) return attribute.type;
  if (attribute.f) return Message::FLOAT;
  if (attribute.i) return Message::INT;
  if (attribute.s) return Message::STRING;
  if (attribute.t) return Message::TENSOR;
  if (attribute.g) return Message::GRAPH;
  if (!attribute.floats.empty()) return Message::FLOATS;
  if (!attribute.ints.empty()) return Message::INTS;
  if (!attribute.strings.empty()) return Message::STRINGS;
  return Message::UNDEFINED;
}

std::string location(const Message& attribute, const std::string& where) {
  return fmt::format("{}: attribute {}", where, in_quotes(attribute.name));
}

/// What the attribute holds by its kind.
template <typename T>
const T& held(const onnx::Boxed<T>& member, const Message& attribute, const std::string& where) {
  if (member) return *member;
  refuse(location(attribute, where), "its value is missing; the file is damaged");
}

}  // namespace

const onnx::GraphProto* body_of(const Message& attribute, const std::string& where) {
  return kind_of(attribute) == Message::GRAPH ? &held(attribute.g, attribute, where) : nullptr;
}

AttributeValue attribute_value(const Message& attribute, ExternalData& external,
                               const std::string& where) {
  switch (kind_of(attribute)) {
    case Message::FLOAT: return attribute.f.value_or(0);
    case Message::INT: return attribute.i.value_or(0);
    case Message::STRING: return attribute.s.value_or("");
    case Message::TENSOR:
      return read_tensor(held(attribute.t, attribute, where), external, location(attribute, where));
    case Message::FLOATS: return attribute.floats;
    case Message::INTS: return attribute.ints;
    case Message::STRINGS: return attribute.strings;
    case Message::TYPE_PROTO:
      return describe_type(
          read_type(held(attribute.tp, attribute, where), location(attribute, where)));
    case Message::UNDEFINED:
      refuse(location(attribute, where), "it has neither a kind nor a value; the file is damaged");
    default:
      refuse(location(attribute, where),
             "attributes that hold several tensors, graphs or types, or a sparse tensor, are not "
             "supported");
  }
}

Literal constant_value(const onnx::NodeProto& node, ExternalData& external, DenseBudget& budget,
                       const std::string& where) {
  if (node.attribute.size() != 1 || !node.input.empty()) {
    refuse(where, "a Constant has one attribute, its value, and no input");
  }
  const Message& attribute = node.attribute[0];
  if (attribute.name == "sparse_value") {
    return read_sparse_tensor(held(attribute.sparse_tensor, attribute, where), external, budget,
                              location(attribute, where));
  }
  const AttributeValue value = attribute_value(attribute, external, where);
  if (const auto* tensor = std::get_if<Literal>(&value)) return *tensor;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return Literal::int64(*number);
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
    return Literal::int64s(*numbers);
  }
  if (const auto* number = std::get_if<float>(&value)) {
    return Literal::of<float>(DType::float32, {}, std::span(number, 1));
  }
  if (const auto* numbers = std::get_if<std::vector<float>>(&value)) {
    return Literal::of<float>(DType::float32, {static_cast<std::int64_t>(numbers->size())},
                              *numbers);
  }
  if (const auto* text = std::get_if<std::string>(&value)) return Literal({}, {*text});
  const auto& texts = std::get<std::vector<std::string>>(value);
  return Literal({static_cast<std::int64_t>(texts.size())}, texts);
}

Message to_message(const std::string& name, const AttributeValue& value) {
  Message message;
  message.name = name;
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    message.type = Message::INT;
    message.i = *number;
  } else if (const auto* real = std::get_if<float>(&value)) {
    message.type = Message::FLOAT;
    message.f = *real;
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    message.type = Message::STRING;
    message.s = *text;
  } else if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value)) {
    message.type = Message::INTS;
    message.ints = *ints;
  } else if (const auto* floats = std::get_if<std::vector<float>>(&value)) {
    message.type = Message::FLOATS;
    message.floats = *floats;
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    message.type = Message::STRINGS;
    message.strings = *texts;
  } else {
    message.type = Message::TENSOR;
    fill_tensor(message.t.emplace(), std::get<Literal>(value));
  }
  return message;
}

}  // namespace switchyard
