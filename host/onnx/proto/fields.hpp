// The numbers under which the wire format knows the members of each message, and the numbers that
// are passed over: they describe (documentation, metadata, types that inference finds anyway, hints
// for several devices), belong to training, or were given up by ONNX.
#pragma once

#include <array>
#include <tuple>

#include "onnx/proto/messages.hpp"

namespace switchyard::onnx {

enum class FieldForm {
  plain,
  packed,       // numbers that ONNX writes as one block; either form is read
  alternative,  // one of the message's members that exclude each other
};

template <typename Message, typename Member, FieldForm form>
struct Field {
  using Owner = Message;
  static constexpr FieldForm kForm = form;
  int number;
  const char* name;
  Member Message::*member;
};

template <typename Message, typename Member>
constexpr Field<Message, Member, FieldForm::plain> field(int number, const char* name,
                                                         Member Message::*member) {
  return {number, name, member};
}
template <typename Message, typename Member>
constexpr Field<Message, Member, FieldForm::packed> packed(int number, const char* name,
                                                           Member Message::*member) {
  return {number, name, member};
}
template <typename Message, typename Member>
constexpr Field<Message, Member, FieldForm::alternative> alternative(int number, const char* name,
                                                                     Member Message::*member) {
  return {number, name, member};
}

/// For each message: kName, kFields in the order of their numbers, and kPassedOver.
template <typename Message>
struct Schema;

/// The last value that an enumeration has; all from 0 on are values.
template <typename Enumeration>
inline constexpr Enumeration kLastValue{};
template <>
inline constexpr auto kLastValue<TensorProto::DataLocation> = TensorProto::EXTERNAL;
template <>
inline constexpr auto kLastValue<AttributeProto::AttributeType> = AttributeProto::TYPE_PROTOS;
template <>
inline constexpr auto kLastValue<ElementKind> = ElementKind::optional;

template <>
struct Schema<StringStringEntryProto> {
  using M = StringStringEntryProto;
  static constexpr auto kName = "StringStringEntryProto";
  static constexpr auto kFields =
      std::tuple(field(1, "key", &M::key), field(2, "value", &M::value));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<OperatorSetIdProto> {
  using M = OperatorSetIdProto;
  static constexpr auto kName = "OperatorSetIdProto";
  static constexpr auto kFields =
      std::tuple(field(1, "domain", &M::domain), field(2, "version", &M::version));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TensorProto::Segment> {
  using M = TensorProto::Segment;
  static constexpr auto kName = "TensorProto.Segment";
  static constexpr auto kFields =
      std::tuple(field(1, "begin", &M::begin), field(2, "end", &M::end));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TensorProto> {
  using M = TensorProto;
  static constexpr auto kName = "TensorProto";
  static constexpr auto kFields = std::tuple(
      field(1, "dims", &M::dims), field(2, "data_type", &M::data_type),
      field(3, "segment", &M::segment), packed(4, "float_data", &M::float_data),
      packed(5, "int32_data", &M::int32_data), field(6, "string_data", &M::string_data),
      packed(7, "int64_data", &M::int64_data), field(8, "name", &M::name),
      field(9, "raw_data", &M::raw_data), packed(10, "double_data", &M::double_data),
      packed(11, "uint64_data", &M::uint64_data), field(13, "external_data", &M::external_data),
      field(14, "data_location", &M::data_location));
  static constexpr std::array kPassedOver{12, 16};  // doc_string, metadata_props
};

template <>
struct Schema<SparseTensorProto> {
  using M = SparseTensorProto;
  static constexpr auto kName = "SparseTensorProto";
  static constexpr auto kFields = std::tuple(
      field(1, "values", &M::values), field(2, "indices", &M::indices), field(3, "dims", &M::dims));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TensorShapeProto::Dimension> {
  using M = TensorShapeProto::Dimension;
  static constexpr auto kName = "TensorShapeProto.Dimension";
  static constexpr auto kFields = std::tuple(alternative(1, "dim_value", &M::dim_value),
                                             alternative(2, "dim_param", &M::dim_param));
  static constexpr std::array kPassedOver{3};  // denotation
};

template <>
struct Schema<TensorShapeProto> {
  using M = TensorShapeProto;
  static constexpr auto kName = "TensorShapeProto";
  static constexpr auto kFields = std::tuple(field(1, "dim", &M::dim));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TypeProto::Tensor> {
  using M = TypeProto::Tensor;
  static constexpr auto kName = "TypeProto.Tensor";
  static constexpr auto kFields =
      std::tuple(field(1, "elem_type", &M::elem_type), field(2, "shape", &M::shape));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TypeProto::SparseTensor> {
  using M = TypeProto::SparseTensor;
  static constexpr auto kName = "TypeProto.SparseTensor";
  static constexpr auto kFields =
      std::tuple(field(1, "elem_type", &M::elem_type), field(2, "shape", &M::shape));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TypeProto::Sequence> {
  using M = TypeProto::Sequence;
  static constexpr auto kName = "TypeProto.Sequence";
  static constexpr auto kFields = std::tuple(field(1, "elem_type", &M::elem_type));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TypeProto::Optional> {
  using M = TypeProto::Optional;
  static constexpr auto kName = "TypeProto.Optional";
  static constexpr auto kFields = std::tuple(field(1, "elem_type", &M::elem_type));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TypeProto::Map> {
  using M = TypeProto::Map;
  static constexpr auto kName = "TypeProto.Map";
  static constexpr auto kFields =
      std::tuple(field(1, "key_type", &M::key_type), field(2, "value_type", &M::value_type));
  static constexpr std::array<int, 0> kPassedOver{};
};

template <>
struct Schema<TypeProto::Opaque> {
  using M = TypeProto::Opaque;
  static constexpr auto kName = "TypeProto.Opaque";
  static constexpr auto kFields =
      std::tuple(field(1, "domain", &M::domain), field(2, "name", &M::name));
  static constexpr std::array kPassedOver{3};  // parameters
};

template <>
struct Schema<TypeProto> {
  using M = TypeProto;
  static constexpr auto kName = "TypeProto";
  static constexpr auto kFields = std::tuple(
      alternative(1, "tensor_type", &M::tensor_type),
      alternative(4, "sequence_type", &M::sequence_type), alternative(5, "map_type", &M::map_type),
      alternative(7, "opaque_type", &M::opaque_type),
      alternative(8, "sparse_tensor_type", &M::sparse_tensor_type),
      alternative(9, "optional_type", &M::optional_type));
  static constexpr std::array kPassedOver{6};  // denotation
};

template <>
struct Schema<ValueInfoProto> {
  using M = ValueInfoProto;
  static constexpr auto kName = "ValueInfoProto";
  static constexpr auto kFields =
      std::tuple(field(1, "name", &M::name), field(2, "type", &M::type));
  static constexpr std::array kPassedOver{3, 4};  // doc_string, metadata_props
};

template <>
struct Schema<AttributeProto> {
  using M = AttributeProto;
  static constexpr auto kName = "AttributeProto";
  static constexpr auto kFields = std::tuple(
      field(1, "name", &M::name), field(2, "f", &M::f), field(3, "i", &M::i), field(4, "s", &M::s),
      field(5, "t", &M::t), field(6, "g", &M::g), field(7, "floats", &M::floats),
      field(8, "ints", &M::ints), field(9, "strings", &M::strings),
      field(10, "tensors", &M::tensors), field(11, "graphs", &M::graphs), field(14, "tp", &M::tp),
      field(15, "type_protos", &M::type_protos), field(20, "type", &M::type),
      field(21, "ref_attr_name", &M::ref_attr_name), field(22, "sparse_tensor", &M::sparse_tensor),
      field(23, "sparse_tensors", &M::sparse_tensors));
  static constexpr std::array kPassedOver{13};  // doc_string
};

template <>
struct Schema<NodeProto> {
  using M = NodeProto;
  static constexpr auto kName = "NodeProto";
  static constexpr auto kFields = std::tuple(
      field(1, "input", &M::input), field(2, "output", &M::output), field(3, "name", &M::name),
      field(4, "op_type", &M::op_type), field(5, "attribute", &M::attribute),
      field(7, "domain", &M::domain), field(8, "overload", &M::overload));
  static constexpr std::array kPassedOver{6, 9, 10};  // doc_string, metadata_props,
                                                      // device_configurations
};

template <>
struct Schema<GraphProto> {
  using M = GraphProto;
  static constexpr auto kName = "GraphProto";
  static constexpr auto kFields =
      std::tuple(field(1, "node", &M::node), field(2, "name", &M::name),
                 field(5, "initializer", &M::initializer), field(11, "input", &M::input),
                 field(12, "output", &M::output), field(13, "value_info", &M::value_info),
                 field(15, "sparse_initializer", &M::sparse_initializer));
  // doc_string, quantization_annotation, metadata_props
  static constexpr std::array kPassedOver{10, 14, 16};
};

template <>
struct Schema<FunctionProto> {
  using M = FunctionProto;
  static constexpr auto kName = "FunctionProto";
  static constexpr auto kFields = std::tuple(
      field(1, "name", &M::name), field(4, "input", &M::input), field(5, "output", &M::output),
      field(6, "attribute", &M::attribute), field(7, "node", &M::node),
      field(9, "opset_import", &M::opset_import), field(10, "domain", &M::domain),
      field(11, "attribute_proto", &M::attribute_proto), field(13, "overload", &M::overload));
  // since_version, status, doc_string, value_info, metadata_props
  static constexpr std::array kPassedOver{2, 3, 8, 12, 14};
};

template <>
struct Schema<ModelProto> {
  using M = ModelProto;
  static constexpr auto kName = "ModelProto";
  static constexpr auto kFields = std::tuple(
      field(1, "ir_version", &M::ir_version), field(2, "producer_name", &M::producer_name),
      field(3, "producer_version", &M::producer_version), field(4, "domain", &M::domain),
      field(5, "model_version", &M::model_version), field(6, "doc_string", &M::doc_string),
      field(7, "graph", &M::graph), field(8, "opset_import", &M::opset_import),
      field(14, "metadata_props", &M::metadata_props), field(25, "functions", &M::functions));
  static constexpr std::array kPassedOver{20, 26};  // training_info, configuration
};

template <>
struct Schema<SequenceProto> {
  using M = SequenceProto;
  static constexpr auto kName = "SequenceProto";
  static constexpr auto kFields =
      std::tuple(field(1, "name", &M::name), field(2, "elem_type", &M::elem_type),
                 field(3, "tensor_values", &M::tensor_values));
  static constexpr std::array kPassedOver{4, 5, 6, 7};  // values of other kinds
};

template <>
struct Schema<OptionalProto> {
  using M = OptionalProto;
  static constexpr auto kName = "OptionalProto";
  static constexpr auto kFields = std::tuple(
      field(1, "name", &M::name), field(2, "elem_type", &M::elem_type),
      field(3, "tensor_value", &M::tensor_value), field(5, "sequence_value", &M::sequence_value));
  static constexpr std::array kPassedOver{4, 6, 7};  // values of other kinds
};

}  // namespace switchyard::onnx
