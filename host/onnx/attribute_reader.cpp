#include "onnx/attribute_reader.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "io/file_error.hpp"
#include "onnx/newer_schema.hpp"
#include "onnx/tensor_reader.hpp"
#include "onnx/tensor_writer.hpp"
#include "onnx/type_reader.hpp"

namespace switchyard {

namespace {

using Message = onnx::AttributeProto;

// Files of IR 1 leave the kind out, so that only the field that is set tells it.
Message::AttributeType kind_of(const Message& attribute) {
  if (attribute.type() != Message::UNDEFINED) return attribute.type();
  if (attribute.has_f()) return Message::FLOAT;
  if (attribute.has_i()) return Message::INT;
  if (attribute.has_s()) return Message::STRING;
  if (attribute.has_t()) return Message::TENSOR;
  if (attribute.has_g()) return Message::GRAPH;
  if (attribute.floats_size() > 0) return Message::FLOATS;
  if (attribute.ints_size() > 0) return Message::INTS;
  if (attribute.strings_size() > 0) return Message::STRINGS;
  return Message::UNDEFINED;
}

std::string place(const Message& attribute, const std::string& where) {
  return fmt::format("{}: attribute {}", where, in_quotes(attribute.name()));
}

}  // namespace

onnx::GraphProto* body_of(Message& attribute) {
  return kind_of(attribute) == Message::GRAPH ? attribute.mutable_g() : nullptr;
}

AttributeValue take_attribute(Message& attribute, ExternalData& external,
                              const std::string& where) {
  const auto& strings = attribute.strings();
  const auto& ints = attribute.ints();
  const auto& floats = attribute.floats();
  switch (kind_of(attribute)) {
    case Message::FLOAT: return attribute.f();
    case Message::INT: return attribute.i();
    case Message::STRING: return attribute.s();
    case Message::TENSOR:
      return take_tensor(*attribute.mutable_t(), external, place(attribute, where));
    case Message::FLOATS: return std::vector<float>(floats.begin(), floats.end());
    case Message::INTS: return std::vector<std::int64_t>(ints.begin(), ints.end());
    case Message::STRINGS: return std::vector<std::string>(strings.begin(), strings.end());
    case Message::TYPE_PROTO:
      return describe_type(read_type(attribute.tp(), place(attribute, where)));
    case Message::UNDEFINED:
      refuse(place(attribute, where), "it has neither a kind nor a value; the file is damaged");
    default:
      refuse(place(attribute, where), fmt::format("attributes of kind {} are not supported",
                                                  Message::AttributeType_Name(kind_of(attribute))));
  }
}

Literal take_constant(onnx::NodeProto& node, ExternalData& external, const std::string& where) {
  if (node.attribute_size() != 1 || node.input_size() != 0) {
    refuse(where, "a Constant has one attribute, its value, and no input");
  }
  Message& attribute = *node.mutable_attribute(0);
  check_fields(attribute, where);
  if (attribute.name() == "sparse_value") {
    return take_sparse_tensor(*attribute.mutable_sparse_tensor(), external,
                              place(attribute, where));
  }
  const AttributeValue value = take_attribute(attribute, external, where);
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
  message.set_name(name);
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    message.set_type(Message::INT);
    message.set_i(*number);
  } else if (const auto* real = std::get_if<float>(&value)) {
    message.set_type(Message::FLOAT);
    message.set_f(*real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    message.set_type(Message::STRING);
    message.set_s(*text);
  } else if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value)) {
    message.set_type(Message::INTS);
    message.mutable_ints()->Add(ints->begin(), ints->end());
  } else if (const auto* floats = std::get_if<std::vector<float>>(&value)) {
    message.set_type(Message::FLOATS);
    message.mutable_floats()->Add(floats->begin(), floats->end());
  } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    message.set_type(Message::STRINGS);
    for (const std::string& each : *texts) message.add_strings(each);
  } else {
    message.set_type(Message::TENSOR);
    fill_tensor(*message.mutable_t(), std::get<Literal>(value));
  }
  return message;
}

}  // namespace switchyard
