// The wire format: what each form of a field becomes, and what is refused, with its position.
#include "onnx/proto/decode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

using protozero::pbf_writer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

template <typename Message>
Message decoded(const std::string& bytes, onnx::DecodeLimits limits = {}) {
  return onnx::decode<Message>(onnx::SharedBytes::of(bytes), "m.onnx", "ONNX model", limits);
}

template <typename Message>
std::string complaint(const std::string& bytes, onnx::DecodeLimits limits = {}) {
  try {
    decoded<Message>(bytes, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    return error.what();
  }
  return {};
}

/// What `fill` writes.
template <typename Fill>
std::string wire(Fill fill) {
  std::string bytes;
  pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}

/// A message in a field of another one.
std::string in_field(int number, const std::string& bytes) {
  return wire([&](pbf_writer& out) {
    out.add_message(static_cast<protozero::pbf_tag_type>(number), bytes);
  });
}

TEST(DecodeTest, TakesNumbersInEitherForm) {
  const std::vector<float> floats{1.5F, -2};
  const std::vector<std::int64_t> dims{2, -1};
  const auto bytes = wire([&](pbf_writer& out) {
    out.add_float(4, 0.5F);
    out.add_packed_float(4, floats.begin(), floats.end());
    out.add_packed_int64(1, dims.begin(), dims.end());
    out.add_int64(1, 7);
    out.add_int32(5, -3);
  });
  const auto tensor = decoded<onnx::TensorProto>(bytes);
  EXPECT_THAT(tensor.float_data, ElementsAre(0.5F, 1.5F, -2));
  EXPECT_THAT(tensor.dims, ElementsAre(2, -1, 7));
  EXPECT_THAT(tensor.int32_data, ElementsAre(-3));
}

TEST(DecodeTest, SharesTheBytesOfRawData) {
  onnx::TensorProto tensor;
  tensor.raw_data = onnx::SharedBytes::of("elements");
  const auto all = onnx::SharedBytes::of(onnx::encode(tensor));
  const auto read = onnx::decode<onnx::TensorProto>(all, "t", "ONNX tensor");
  EXPECT_EQ(read.raw_data.owner, all.owner);
  EXPECT_EQ(read.raw_data.size(), 8u);
  EXPECT_EQ(read.raw_data.bytes.data(), all.bytes.data() + all.size() - 8);
}

TEST(DecodeTest, TheLastOfASingleNumberOrTextCounts) {
  const auto model = decoded<onnx::ModelProto>(wire([](pbf_writer& out) {
    out.add_int64(1, 3);
    out.add_string(2, "first");
    out.add_int64(1, 8);
    out.add_string(2, "last");
  }));
  EXPECT_EQ(model.ir_version, 8);
  EXPECT_EQ(model.producer_name, "last");
}

TEST(DecodeTest, PartsOfASingleMessageAreJoined) {
  const auto named = in_field(7, wire([](pbf_writer& out) { out.add_string(2, "g"); }));
  const auto with_node = in_field(7, in_field(1, ""));
  const auto model = decoded<onnx::ModelProto>(with_node + named + with_node);
  EXPECT_EQ(model.graph->name, "g");
  EXPECT_EQ(model.graph->node.size(), 2u);
}

TEST(DecodeTest, OfAlternativesTheLastCounts) {
  const auto dim = wire([](pbf_writer& out) {
    out.add_int64(1, 3);
    out.add_string(2, "N");
  });
  // input.type.tensor_type.shape.dim
  const auto sequence_then_tensor =
      in_field(4, "") + in_field(1, in_field(2, in_field(1, dim) + in_field(1, "")));
  const auto graph = decoded<onnx::GraphProto>(in_field(11, in_field(2, sequence_then_tensor)));
  const onnx::TypeProto& type = *graph.input[0].type;
  EXPECT_FALSE(type.sequence_type.has_value());
  const auto& dims = type.tensor_type->shape->dim;
  ASSERT_EQ(dims.size(), 2u);
  EXPECT_FALSE(dims[0].dim_value.has_value());
  EXPECT_EQ(dims[0].dim_param, "N");
  EXPECT_FALSE(dims[1].dim_param.has_value());
}

TEST(DecodeTest, PassesOverWhatChangesNothing) {
  const auto described = wire([](pbf_writer& out) {
    out.add_string(6, "documentation");
    out.add_string(9, "\xff\xff");   // metadata_props, not looked into
    out.add_string(10, "\xff\xff");  // device_configurations
  });
  EXPECT_EQ(complaint<onnx::GraphProto>(in_field(1, described)), "");
}

TEST(DecodeTest, RefusesFieldsThatONNXDoesNotDefine) {
  const auto bytes = in_field(7, in_field(1, wire([](pbf_writer& out) { out.add_int64(99, 1); })));
  EXPECT_THAT(complaint<onnx::ModelProto>(bytes),
              AllOf(StartsWith("m.onnx: it is not a valid ONNX model"),
                    HasSubstr("knows no field 99 of NodeProto, at byte 6 in graph.node[0]")));
}

TEST(DecodeTest, RefusesValuesThatAnEnumerationDoesNotHave) {
  const auto attribute = wire([](pbf_writer& out) { out.add_int32(20, 15); });
  EXPECT_THAT(complaint<onnx::GraphProto>(in_field(1, in_field(5, attribute))),
              HasSubstr("knows no type with the number 15, at byte 7 in node[0].attribute[0]"));
}

// 2^32 + 1 cut to 32 bits would be float32.
TEST(DecodeTest, RefusesNumbersThatTheirFieldDoesNotHold) {
  const std::int64_t wide = (std::int64_t{1} << 32) + 1;
  const auto type = wire([&](pbf_writer& out) { out.add_int64(2, wide); });
  EXPECT_THAT(complaint<onnx::TensorProto>(type),
              HasSubstr("its data_type is 4294967297, which 32 bits do not hold"));
  const auto kind = wire([&](pbf_writer& out) { out.add_int64(20, wide); });
  EXPECT_THAT(complaint<onnx::GraphProto>(in_field(1, in_field(5, kind))),
              HasSubstr("its type is 4294967297"));
  const auto negative = wire([](pbf_writer& out) { out.add_int32(2, -1); });
  EXPECT_EQ(decoded<onnx::TensorProto>(negative).data_type, -1);
}

TEST(DecodeTest, RefusesFieldsOfAWrongKind) {
  const auto text_as_number = wire([](pbf_writer& out) { out.add_int64(2, 1); });
  EXPECT_THAT(complaint<onnx::ModelProto>(text_as_number),
              HasSubstr("its producer_name is written as something else, at byte 1;"));
  const auto number_as_text = wire([](pbf_writer& out) { out.add_string(1, "8"); });
  EXPECT_THAT(complaint<onnx::ModelProto>(number_as_text), HasSubstr("its ir_version"));
  const auto message_as_number = wire([](pbf_writer& out) { out.add_int64(7, 1); });
  EXPECT_THAT(complaint<onnx::ModelProto>(message_as_number), HasSubstr("its graph"));
  const auto floats_as_integer = wire([](pbf_writer& out) { out.add_int64(4, 1); });
  EXPECT_THAT(complaint<onnx::TensorProto>(floats_as_integer), HasSubstr("its float_data"));
}

TEST(DecodeTest, RefusesWhatEndsTooSoon) {
  EXPECT_THAT(complaint<onnx::ModelProto>("\x3a\x05\x0a"), HasSubstr("a field ends behind"));
  EXPECT_THAT(complaint<onnx::ModelProto>("\x08"), HasSubstr("a field ends behind"));
  EXPECT_THAT(complaint<onnx::ModelProto>("\x08\xff"), HasSubstr("a field ends behind"));
  EXPECT_THAT(complaint<onnx::TensorProto>("\x22\x03"
                                           "abc"),
              HasSubstr("where one should begin"));
}

TEST(DecodeTest, RefusesWhatIsNoField) {
  EXPECT_THAT(complaint<onnx::ModelProto>(std::string(3, '\0')), HasSubstr("there is no field"));
  EXPECT_THAT(complaint<onnx::ModelProto>("\x0b"), HasSubstr("there is no field"));  // a group
  EXPECT_THAT(complaint<onnx::ModelProto>("\x08" + std::string(11, '\xff')),
              HasSubstr("there is no field"));
}

TEST(DecodeTest, RefusesMessagesThatNestTooDeep) {
  std::string type = in_field(1, "");
  for (int i = 0; i < 60; ++i) type = in_field(4, in_field(1, type));
  const std::string bytes = in_field(11, in_field(2, type));
  EXPECT_THAT(complaint<onnx::GraphProto>(bytes), HasSubstr("nests deeper than 100 messages"));
  EXPECT_EQ(complaint<onnx::GraphProto>(bytes, {.nesting = 200}), "");
}

TEST(DecodeTest, RefusesMoreNodesThanTheLimit) {
  std::string graph;
  for (int i = 0; i < 3; ++i) graph += in_field(1, "");
  EXPECT_EQ(complaint<onnx::GraphProto>(graph, {.nodes = 3}), "");
  EXPECT_THAT(
      complaint<onnx::GraphProto>(graph, {.nodes = 2}),
      HasSubstr("m.onnx: it has over 2 nodes; raise limits.nodes if you trust it (at byte"));
}

TEST(DecodeTest, RefusesManyEmptyMessagesBeforeTheyFillTheMemory) {
  constexpr int kCount = 1000;
  for (const int field : {1, 5, 11, 12, 13}) {  // node, initializer, input, output, value_info
    std::string graph;
    for (int i = 0; i < kCount; ++i) graph += in_field(field, "");
    EXPECT_EQ(complaint<onnx::GraphProto>(graph, {.memory = kCount * 1024}), "");
    EXPECT_THAT(complaint<onnx::GraphProto>(graph, {.memory = kCount * 16}),
                HasSubstr("its fields would take more than 16000 bytes of memory"));
  }
}

TEST(EncodeTest, WritesWhatIsPresentThoughItIsEmpty) {
  onnx::ModelProto model =
      model_of("g (float x) => (float[N,?] y) { y = Op <i = 0, s = \"\"> () }");
  const auto read = decoded<onnx::ModelProto>(onnx::encode(model));
  const onnx::NodeProto& node = read.graph->node[0];
  EXPECT_EQ(node.attribute[0].i, 0);
  EXPECT_EQ(node.attribute[1].s, "");
  EXPECT_EQ(read.graph->input[0].type->tensor_type->shape->dim.size(), 0u);
  EXPECT_EQ(read.graph->output[0].type->tensor_type->shape->dim.size(), 2u);
}

}  // namespace
}  // namespace switchyard
