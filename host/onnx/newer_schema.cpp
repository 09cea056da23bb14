#include "onnx/newer_schema.hpp"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <initializer_list>

#include "io/file_error.hpp"

namespace switchyard {

namespace {

using google::protobuf::UnknownFieldSet;
using google::protobuf::internal::WireFormatLite;

// Numbers of onnx.proto as of IR 10.
constexpr int kNodeOverload = 8;
constexpr int kFunctionAttributes = 11;
constexpr int kFunctionOverload = 13;

struct Field {
  int number;
  std::string bytes;  // of a string or message; empty for other kinds
};

// A schema built for protobuf's lite runtime keeps unknown fields as their bytes.
[[maybe_unused]] const std::string& wire_bytes(const std::string& bytes) { return bytes; }
[[maybe_unused]] std::string wire_bytes(const UnknownFieldSet& fields) {
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}

template <typename Message>
std::vector<Field> unknown_fields(const Message& message) {
  std::vector<Field> fields;
  if (message.unknown_fields().empty()) return fields;
  const std::string bytes = wire_bytes(message.unknown_fields());
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  while (const std::uint32_t tag = input.ReadTag()) {
    Field field{WireFormatLite::GetTagFieldNumber(tag), {}};
    const bool delimited =
        WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    const bool read = delimited ? WireFormatLite::ReadBytes(&input, &field.bytes)
                                : WireFormatLite::SkipField(&input, tag);
    if (!read) break;
    fields.push_back(std::move(field));
  }
  return fields;
}

template <typename Message>
void check(const Message& message, std::string_view kind, std::initializer_list<int> harmless,
           const std::string& where) {
  for (const Field& field : unknown_fields(message)) {
    if (std::find(harmless.begin(), harmless.end(), field.number) != harmless.end()) continue;
    refuse(where, fmt::format("field {} of {} is unknown, or its value is; the file is damaged or "
                              "newer than ONNX 1.17 (IR 10)",
                              field.number, kind));
  }
}

template <typename Message>
std::string text_field(const Message& message, int number) {
  for (Field& field : unknown_fields(message)) {
    if (field.number == number) return std::move(field.bytes);
  }
  return {};
}

// A schema of a newer ONNX than Debian's knows the fields by name.
template <typename Message>
std::string overload(const Message& message, int number) {
  if constexpr (requires { message.overload(); }) {
    return message.overload();
  } else {
    return text_field(message, number);
  }
}

template <typename Function>
std::vector<onnx::AttributeProto> defaults(const Function& function, const std::string& where) {
  std::vector<onnx::AttributeProto> attributes;
  if constexpr (requires { function.attribute_proto(); }) {
    const auto& known = function.attribute_proto();
    attributes.assign(known.begin(), known.end());
  } else {
    for (const Field& field : unknown_fields(function)) {
      if (field.number != kFunctionAttributes) continue;
      if (!attributes.emplace_back().ParseFromString(field.bytes)) {
        refuse(where,
               "the default value of one of its attributes cannot be decoded; the file is "
               "damaged");
      }
    }
  }
  return attributes;
}

}  // namespace

// metadata_props everywhere; ModelProto.configuration and NodeProto.device_configurations say how
// to spread a model over devices; FunctionProto.value_info repeats types that inference finds
// anyway.
void check_fields(const onnx::ModelProto& model, const std::string& where) {
  check(model, "ModelProto", {26}, where);
}
void check_fields(const onnx::GraphProto& graph, const std::string& where) {
  check(graph, "GraphProto", {16}, where);
}
void check_fields(const onnx::NodeProto& node, const std::string& where) {
  check(node, "NodeProto", {kNodeOverload, 9, 10}, where);
}
void check_fields(const onnx::FunctionProto& function, const std::string& where) {
  check(function, "FunctionProto", {kFunctionAttributes, 12, kFunctionOverload, 14}, where);
}
void check_fields(const onnx::AttributeProto& attribute, const std::string& where) {
  check(attribute, "AttributeProto", {}, where);
}
void check_fields(const onnx::TensorProto& tensor, const std::string& where) {
  check(tensor, "TensorProto", {16}, where);
}

std::string overload_of(const onnx::NodeProto& node) { return overload(node, kNodeOverload); }
std::string overload_of(const onnx::FunctionProto& function) {
  return overload(function, kFunctionOverload);
}

std::vector<onnx::AttributeProto> default_attributes(const onnx::FunctionProto& function,
                                                     const std::string& where) {
  return defaults(function, where);
}

}  // namespace switchyard
