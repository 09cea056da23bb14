// Attributes whose values are a closed set: each row names the set, and no other value passes, in
// any version of an op.
#include <algorithm>
#include <iterator>
#include <set>

#include "ops/allowed_values.hpp"
#include "ops/catalogue.hpp"
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

std::string error_of(const Op& op, const Signature& revision, const Attributes& given) {
  Attributes attributes = given;
  try {
    check_attributes(op.name(), revision, attributes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    return error.what();
  }
  return {};
}

/// Calls `visit(op, revision, spec)` for each attribute of each version of each op.
template <typename Visit>
void for_each_attribute(Visit&& visit) {
  for (const Op& op : all_ops()) {
    for (const Signature& revision : revisions_of(op)) {
      for (const AttributeSpec& spec : revision.attributes) visit(op, revision, spec);
    }
  }
}

TEST(ClosedAttributes, RefuseTextsOutsideOfTheSet) {
  std::size_t count = 0;
  for_each_attribute([&](const Op& op, const Signature& revision, const AttributeSpec& spec) {
    const AllowedValues values = allowed_values(spec.kind);
    if (values.texts.empty()) return;
    ++count;
    for (const std::string wrong : {"", "wrong", "LINEAR "}) {
      EXPECT_THAT(error_of(op, revision, with(spec.name, wrong)),
                  HasSubstr("\"" + std::string(spec.name) + "\" is \"" + wrong + "\"; it must be"))
          << op.name() << " " << revision.since;
    }
    for (const std::string_view right : values.texts) {
      EXPECT_THAT(error_of(op, revision, with(spec.name, std::string(right))),
                  Not(HasSubstr("it must be")))
          << op.name() << " " << revision.since;
    }
  });
  EXPECT_GT(count, 100u);
}

TEST(ClosedAttributes, RefuseNumbersOutsideOfTheRange) {
  std::size_t count = 0;
  for_each_attribute([&](const Op& op, const Signature& revision, const AttributeSpec& spec) {
    const AllowedValues values = allowed_values(spec.kind);
    if (!values.range) return;
    ++count;
    for (const std::int64_t wrong : {values.range->first - 1, values.range->second + 1,
                                     std::numeric_limits<std::int64_t>::max()}) {
      EXPECT_THAT(error_of(op, revision, with(spec.name, wrong)),
                  HasSubstr("\"" + std::string(spec.name) + "\" is " + std::to_string(wrong)))
          << op.name() << " " << revision.since;
    }
  });
  EXPECT_GT(count, 100u);
}

TEST(ClosedAttributes, HoldTheirOwnDefaults) {
  for_each_attribute([](const Op& op, const Signature& revision, const AttributeSpec& spec) {
    if (!spec.fallback) return;
    Attributes attributes;
    attributes.set(spec.name, *spec.fallback);
    EXPECT_THAT(error_of(op, revision, attributes), Not(HasSubstr("it must be")))
        << op.name() << " " << spec.name;
  });
}

// Any text is one of these; every other one is chosen from a set, which its row must name.
TEST(ClosedAttributes, AreAllTextsButThoseOfFreeForm) {
  const std::set<std::string> free = {
      "Einsum equation",
      "StringNormalizer locale",
      "StringSplit delimiter",
      "RegexFullMatch pattern",
      "Constant value_string",
      "AssertRange name",
      "Cast to",  // a type's name, which the upgrade reads
      "FusedConv activation",
      "FusedGemm activation"};  // an op's name, which the body reads
  for_each_attribute([&](const Op& op, const Signature&, const AttributeSpec& spec) {
    if (spec.kind != "text") return;
    EXPECT_EQ(free.count(std::string(op.name()) + " " + std::string(spec.name)), 1u)
        << op.name() << " " << spec.name;
  });
}

// A number that is 0 or 1 by default is a flag, unless it counts or names something.
TEST(ClosedAttributes, AreAllNumbersThatSwitch) {
  const std::set<std::string_view> counted = {
      "axis", "batch_dims", "block_size", "dtype", "group", "k", "kv_cache_bit_width", "num_heads",
      "offset_group", "output_datatype", "output_dtype", "output_height", "output_width",
      "precision", "rotary_embedding_dim", "sample_size", "sampling_ratio", "start", "stash_type",
      // Not 0 is true: these are older than the habit, or the op refuses what it has not.
      "is_test", "qk_output", "sliding_window_cache", "smooth_softmax"};
  for_each_attribute([&](const Op& op, const Signature&, const AttributeSpec& spec) {
    if (spec.kind != "int" || !spec.fallback) return;
    const std::int64_t fallback = std::get<std::int64_t>(*spec.fallback);
    if (fallback != 0 && fallback != 1) return;
    EXPECT_EQ(counted.count(spec.name), 1u) << op.name() << " " << spec.name;
  });
}

TEST(ClosedAttributes, OfARecurrentLayerAreTheFunctionsThatOnnxLists) {
  const auto error = [](std::string_view op, std::int64_t gates, std::vector<std::string> names) {
    return InferOp(op, with("activations", std::move(names)))
        .input({7, 2, 3})
        .input({1, gates * 5, 3})
        .input({1, gates * 5, 5})
        .error();
  };
  EXPECT_EQ(error("RNN", 1, {"relu"}), "no error");
  EXPECT_EQ(error("GRU", 3, {"Sigmoid", "Tanh"}), "no error");
  EXPECT_THAT(error("LSTM", 4, {"Sigmoid", "Tanh", "Sine"}), HasSubstr("\"Sine\""));
  EXPECT_THAT(error("LSTM", 4, {"Sigmoid", "Tanh"}), HasSubstr("it must hold 3"));
  EXPECT_THAT(error("RNN", 1, {"Relu", "Relu"}), HasSubstr("it must hold 1"));
}

TEST(ClosedAttributes, OfWhatAnOpComputesInAreFloatingPointTypes) {
  const auto error = [](std::string_view op, std::string_view name, std::int64_t dtype,
                        std::vector<Dims> shapes, Attributes attributes = {}) {
    attributes.set(name, dtype);
    InferOp infer(op, std::move(attributes));
    for (Dims& shape : shapes) infer.input(std::move(shape));
    return infer.error();
  };
  const std::vector<Dims> heads(3, Dims{1, 2, 3, 4}), rows = {{2, 3}, {3}};
  const std::vector<Dims> groups = {{1, 4, 5}, {4}, {4}};
  const Attributes two = with("num_groups", std::int64_t{2});
  for (const std::int64_t wrong : {7, 17, 99, -1}) {
    EXPECT_THAT(error("Attention", "softmax_precision", wrong, heads), HasSubstr("softmax_prec"));
    EXPECT_THAT(error("LayerNormalization", "stash_type", wrong, rows), HasSubstr("stash_type"));
    EXPECT_THAT(error("RMSNormalization", "stash_type", wrong, rows), HasSubstr("stash_type"));
    EXPECT_THAT(error("GroupNormalization", "stash_type", wrong, groups, two),
                HasSubstr("stash_type"));
  }
  EXPECT_EQ(error("Attention", "softmax_precision", 10, heads), "no error");
  EXPECT_EQ(error("RMSNormalization", "stash_type", 1, rows), "no error");
}

/// A node that is sound, and its attributes that are lists; each is then made longer and shorter.
struct Listed {
  std::string_view op;
  std::vector<std::pair<std::string_view, Ints>> lists;
  std::vector<std::pair<DType, Dims>> inputs;
};

std::vector<Listed> listed_nodes() {
  const DType f = DType::float32, u8 = DType::uint8, i64 = DType::int64;
  const std::vector<std::pair<std::string_view, Ints>> window = {
      {"kernel_shape", {3, 3}}, {"strides", {2, 2}}, {"dilations", {1, 1}}, {"pads", {1, 1, 1, 1}}};
  const auto but_dilations = [&] {
    auto lists = window;
    lists.erase(lists.begin() + 2);
    return lists;
  }();
  const auto and_more = [&](std::string_view name, Ints values) {
    auto lists = window;
    lists.emplace_back(name, values);
    return lists;
  };
  return {
      {"Conv", window, {{f, {1, 2, 9, 9}}, {f, {4, 2, 3, 3}}}},
      {"ConvInteger", window, {{u8, {1, 2, 9, 9}}, {u8, {4, 2, 3, 3}}}},
      {"ConvTranspose", and_more("output_padding", {1, 1}), {{f, {1, 2, 9, 9}}, {f, {2, 4, 3, 3}}}},
      {"ConvTranspose", {{"output_shape", {20, 20}}}, {{f, {1, 2, 9, 9}}, {f, {2, 4, 3, 3}}}},
      {"DeformConv",
       {{"kernel_shape", {2, 2}},
        {"strides", {1, 1}},
        {"dilations", {1, 1}},
        {"pads", {0, 0, 0, 0}}},
       {{f, {1, 2, 4, 4}}, {f, {3, 2, 2, 2}}, {f, {1, 8, 3, 3}}}},
      {"MaxPool", window, {{f, {1, 2, 9, 9}}}},
      {"AveragePool", window, {{f, {1, 2, 9, 9}}}},
      {"LpPool", window, {{f, {1, 2, 9, 9}}}},
      {"MaxUnpool", but_dilations, {{f, {1, 2, 3, 3}}, {i64, {1, 2, 3, 3}}}},
      {"MaxRoiPool", {{"pooled_shape", {2, 2}}}, {{f, {1, 2, 9, 9}}, {f, {1, 5}}}},
      {"Transpose", {{"perm", {1, 0, 2}}}, {{f, {1, 2, 3}}}},
  };
}

TEST(ListAttributes, HoldAsManyNumbersAsTheirOpWants) {
  for (const Listed& node : listed_nodes()) {
    const auto error_with = [&](std::string_view changed, const Ints& values) {
      Attributes attributes;
      for (const auto& [name, sound] : node.lists) {
        attributes.set(name, name == changed ? values : sound);
      }
      InferOp infer(node.op, attributes);
      for (const auto& [dtype, shape] : node.inputs) infer.input(dtype, shape);
      return infer.error();
    };
    EXPECT_EQ(error_with("", {}), "no error") << node.op;
    for (const auto& [name, sound] : node.lists) {
      Ints longer = sound, shorter = sound;
      longer.push_back(sound.back());
      shorter.pop_back();
      EXPECT_THAT(error_with(name, longer), HasSubstr(std::string(name))) << node.op << " longer";
      EXPECT_THAT(error_with(name, shorter), HasSubstr(std::string(name))) << node.op << " shorter";
    }
  }
}

}  // namespace
}  // namespace switchyard
