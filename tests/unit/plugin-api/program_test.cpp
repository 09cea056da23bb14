#include "switchyard/plugin/program.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "switchyard/plugin/claims.hpp"
#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/options.hpp"

namespace {

// A program of one node, with one attribute of each kind and an input left out.
struct Sample {
  int64_t axis = -1;
  int64_t pads[2] = {1, 2};
  float alpha = 0.5f;
  const char* mode = "linear";
  int32_t numbers[3] = {4, 5, 6};
  int64_t shape[1] = {3};
  sy_value values[2] = {};
  sy_attribute attributes[4] = {};
  uint32_t inputs[2] = {0, SY_ABSENT};
  uint32_t outputs[1] = {1};
  sy_node node = {};
  sy_program program = {};

  Sample() {
    for (sy_value& value : values) {
      value.struct_size = sizeof(value);
      value.dtype = SY_INT32;
      value.rank = 1;
      value.shape = shape;
    }
    values[0].data = numbers;
    attributes[0] = {sizeof(sy_attribute), SY_ATTRIBUTE_INT, "axis", &axis, 1};
    attributes[1] = {sizeof(sy_attribute), SY_ATTRIBUTE_INTS, "pads", pads, 2};
    attributes[2] = {sizeof(sy_attribute), SY_ATTRIBUTE_FLOAT, "alpha", &alpha, 1};
    attributes[3] = {sizeof(sy_attribute), SY_ATTRIBUTE_STRING, "mode", &mode, 1};
    node.struct_size = sizeof(node);
    node.version = 13;
    node.domain = "";
    node.op = "Sample";
    node.attributes = attributes;
    node.attribute_count = 4;
    node.inputs = inputs;
    node.input_count = 2;
    node.outputs = outputs;
    node.output_count = 1;
    program.struct_size = sizeof(program);
    program.values = values;
    program.value_count = 2;
    program.nodes = &node;
    program.node_count = 1;
  }
};

TEST(PluginProgram, ReadsAttributesByNameAndKind) {
  const Sample sample;
  const sy::Node node = sy::only_node(sample.program);
  EXPECT_EQ(node.op(), "Sample");
  EXPECT_EQ(node.integer("axis"), -1);
  EXPECT_EQ(node.integer("missing", 7), 7);
  EXPECT_TRUE(node.flag("axis"));
  EXPECT_EQ(node.real("alpha"), 0.5f);
  EXPECT_EQ(node.text("mode"), "linear");
  EXPECT_EQ(node.text("missing", "cubic"), "cubic");
  ASSERT_EQ(node.integers("pads").size(), 2u);
  EXPECT_EQ(node.integers("pads")[1], 2);
  EXPECT_TRUE(node.integers("missing").empty());
  EXPECT_EQ(node.tensor("missing"), nullptr);
  EXPECT_THROW(node.integer("missing"), sy::Failure);
  EXPECT_THROW(node.integer("alpha", 1), sy::Failure);
}

TEST(PluginProgram, ReadsValuesPresentAndAbsent) {
  Sample sample;
  const sy::Node node(sample.program, 0);
  EXPECT_EQ(node.input(0), &sample.values[0]);
  EXPECT_EQ(node.input(1), nullptr);
  EXPECT_EQ(node.input(2), nullptr);
  EXPECT_EQ(node.output(0), &sample.values[1]);
  EXPECT_THROW(node.required_input(1), sy::Failure);
  EXPECT_EQ(sy::integers_of(node.required_input(0)), (std::vector<int64_t>{4, 5, 6}));
  sample.values[0].data = nullptr;
  EXPECT_THROW(sy::integers_of(node.required_input(0)), sy::Failure);
  EXPECT_TRUE(sy::has_known_shape(sample.values[0]));
  sample.shape[0] = SY_UNKNOWN_DIMENSION;
  EXPECT_FALSE(sy::has_known_shape(sample.values[0]));
  sample.values[0].rank = SY_UNKNOWN_RANK;
  EXPECT_THROW(sy::shape_of(sample.values[0]), sy::Failure);
  sample.program.node_count = 2;
  EXPECT_THROW(sy::only_node(sample.program), sy::Failure);
}

TEST(PluginProgram, RefusesFlagsThatMustBeKnownAndAreNot) {
  constexpr uint32_t may_be_ignored = 1u << 15, must_be_known = 1u << 31;
  const auto status = [](const Sample& sample) {
    return sy::guard(nullptr, [&] { sy::Node(sample.program, 0).require_known(); });
  };
  Sample sample;
  sample.node.math_flags = SY_MATH_DETERMINISTIC | may_be_ignored;
  sample.values[0].flags = SY_VALUE_HOST_INPUT | SY_VALUE_CONSTANT | may_be_ignored;
  EXPECT_EQ(status(sample), SY_OK);
  for (uint32_t* flags :
       {&sample.node.math_flags, &sample.values[0].flags, &sample.values[1].flags}) {
    *flags |= must_be_known;
    EXPECT_EQ(status(sample), SY_UNSUPPORTED);
    *flags &= ~must_be_known;
  }
  EXPECT_EQ(status(sample), SY_OK);
}

TEST(PluginProgram, ReadsImmediatesOfTheirOwnType) {
  sy_tensor tensor = {};
  tensor.dtype = SY_FLOAT32;
  const float value = 1.25f;
  std::memcpy(tensor.immediate, &value, sizeof(value));
  EXPECT_EQ(sy::immediate_of<float>(tensor), 1.25f);
  EXPECT_THROW(sy::immediate_of<int64_t>(tensor), sy::Failure);
}

TEST(PluginDtype, KnowsSizesAndNames) {
  EXPECT_EQ(sy::dtype_bytes(SY_COMPLEX128), 16u);
  EXPECT_EQ(sy::dtype_bits(SY_UINT4), 4u);
  EXPECT_EQ(sy::contiguous_bytes(SY_INT4, 3), 2u);
  EXPECT_EQ(sy::contiguous_bytes(SY_BFLOAT16, 3), 6u);
  EXPECT_EQ(sy::dtype_name(SY_FLOAT8E5M2), "float8e5m2");
  EXPECT_EQ(sy::dtype_name(8), "unknown type");
  EXPECT_EQ(sy::dtype_bits(-1), 0u);
  EXPECT_EQ(sy::dtype_of<int16_t>, SY_INT16);
}

TEST(PluginClaims, BecomeRowsOfTheAbi) {
  const sy::ClaimTable claims = {
      {.op = "Equal", .dtypes = sy::float_dtypes, .output_dtypes = SY_DTYPE_BIT(SY_BOOL)},
      {.op = "Relu", .min_version = 6, .max_version = 14, .dtypes = SY_DTYPE_BIT(SY_FLOAT32)},
  };
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims.data()[0].struct_size, sizeof(sy_claim));
  EXPECT_EQ(claims.data()[0].output_dtypes, SY_DTYPE_BIT(SY_BOOL));
  EXPECT_EQ(claims.data()[1].output_dtypes, SY_DTYPE_BIT(SY_FLOAT32));
  EXPECT_EQ(claims.data()[1].max_version, 14u);
  EXPECT_STREQ(claims.data()[1].domain, "");
}

sy_option option(const char* key, sy_option_kind kind, int64_t integer, double real,
                 const char* text) {
  return {sizeof(sy_option), kind, key, integer, real, text, nullptr, 0};
}

TEST(PluginOptions, AreReadByKeyAndKind) {
  const sy_option items[] = {option("", SY_OPTION_STRING, 0, 0, "a"),
                             option("", SY_OPTION_STRING, 0, 0, "b")};
  sy_option given[] = {option("threads", SY_OPTION_INT, 3, 0, nullptr),
                       option("share", SY_OPTION_FLOAT, 0, 0.25, nullptr),
                       option("fast", SY_OPTION_BOOL, 1, 0, nullptr),
                       option("names", SY_OPTION_LIST, 0, 0, nullptr)};
  given[3].items = items;
  given[3].item_count = 2;
  sy_host host = {};
  host.options = given;
  host.option_count = 4;
  const sy::Options options(host);
  EXPECT_EQ(options.integer("threads", 1), 3);
  EXPECT_EQ(options.integer("missing", 1), 1);
  EXPECT_EQ(options.real("share", 1), 0.25);
  EXPECT_EQ(options.real("threads", 1), 3.0);
  EXPECT_TRUE(options.flag("fast", false));
  EXPECT_EQ(options.texts("names"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.text("missing", "x"), "x");
  EXPECT_THROW(options.text("threads", "x"), sy::Failure);
  EXPECT_THROW(options.integer("threads", 1, 4, 8), sy::Failure);
  EXPECT_THROW(options.reject_unknown({"threads", "share", "fast"}), sy::Failure);
  EXPECT_NO_THROW(options.reject_unknown({"threads", "share", "fast", "names"}));
}

TEST(PluginEntry, AgreesOnThisVersionOnly) {
  sy_entry_args args = {};
  args.min_version = args.max_version = SY_ABI_VERSION;
  EXPECT_NO_THROW(sy::negotiate_version(args));
  args.min_version = args.max_version = SY_ABI_VERSION + 1;
  EXPECT_THROW(sy::negotiate_version(args), sy::Failure);
}

}  // namespace
