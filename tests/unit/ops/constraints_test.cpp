// What inputs beside the data must be: each rule with what it takes, what it passes over, and what
// it says of the rest.
#include "ops/shapes/constraints.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <switchyard/error.hpp>
#include <vector>

#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using Rule = std::function<void(const Inference&)>;
using Shape = std::optional<Dims>;

ValueInfo absent() { return {}; }

/// What the rule says of a node with these inputs; "" if it takes them.
std::string refusal(const Rule& rule, const std::vector<ValueInfo>& inputs,
                    const Attributes& attributes = {}) {
  std::vector<ValueInfo> outputs(1);
  try {
    rule(Inference("Op", attributes, inputs, outputs));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    return error.what();
  }
  return {};
}

/// The same with data [2, 3] as input 0, and an input 1 of that shape, or of unknown rank.
std::string refusal_of(const Rule& rule, const Shape& shape) {
  return refusal(rule, {{DType::float32, Dims{2, 3}}, {DType::float32, shape}});
}

bool takes(const Rule& rule, const Shape& shape) { return refusal_of(rule, shape).empty(); }

/// Every rule passes over what is absent, or of unknown rank: the run shows that.
void expect_passes_over_what_is_not_known(const Rule& rule) {
  EXPECT_TRUE(takes(rule, std::nullopt));
  EXPECT_EQ(refusal(rule, {{DType::float32, Dims{2, 3}}, absent()}), "");
  EXPECT_EQ(refusal(rule, {{DType::float32, Dims{2, 3}}}), "");
}

TEST(Constraints, OneElementIsAScalarOrAListOfOne) {
  const Rule rule = [](const Inference& node) { require_one_element(node, 1, "k"); };
  expect_passes_over_what_is_not_known(rule);
  EXPECT_TRUE(takes(rule, Dims{}));
  EXPECT_TRUE(takes(rule, Dims{1}));
  EXPECT_TRUE(takes(rule, Dims{kUnknown}));
  EXPECT_EQ(refusal_of(rule, Dims{2}),
            "[Op] input 1 (\"k\") has shape [2]; it must be a scalar or [1]");
  EXPECT_FALSE(takes(rule, Dims{0}));
  EXPECT_FALSE(takes(rule, Dims{1, 1}));
}

TEST(Constraints, AListIsOfRank1AtMost) {
  const Rule rule = [](const Inference& node) { require_list(node, 1, "axes"); };
  expect_passes_over_what_is_not_known(rule);
  for (const Dims& shape : {Dims{}, Dims{0}, Dims{7}}) EXPECT_TRUE(takes(rule, shape));
  EXPECT_EQ(refusal_of(rule, Dims{1, 7}),
            "[Op] input 1 (\"axes\") has shape [1, 7]; it must be a list, of rank 1");
}

TEST(Constraints, OneForEachIsAListOfThatLength) {
  const Rule rule = [](const Inference& node) {
    require_one_for_each(node, 1, "bias", 3, "channels");
  };
  expect_passes_over_what_is_not_known(rule);
  EXPECT_TRUE(takes(rule, Dims{3}));
  EXPECT_TRUE(takes(rule, Dims{kUnknown}));
  EXPECT_EQ(refusal_of(rule, Dims{2}),
            "[Op] input 1 (\"bias\") has shape [2]; it must be [3]: one number for each of the 3 "
            "channels");
  for (const Dims& shape : {Dims{}, Dims{1}, Dims{3, 1}}) EXPECT_FALSE(takes(rule, shape));
}

TEST(Constraints, OneForEachOfAnUnknownCountIsAnyList) {
  const Rule rule = [](const Inference& node) {
    require_one_for_each(node, 1, "bias", kUnknown, "channels");
  };
  EXPECT_TRUE(takes(rule, Dims{5}));
  EXPECT_EQ(refusal_of(rule, Dims{5, 5}),
            "[Op] input 1 (\"bias\") has shape [5, 5]; it must be [?]: one number for each of the "
            "channels");
}

TEST(Constraints, OneOrOneForEachIsEither) {
  const Rule rule = [](const Inference& node) {
    require_one_or_one_for_each(node, 1, "scale", 3, "channels");
  };
  expect_passes_over_what_is_not_known(rule);
  for (const Dims& shape : {Dims{}, Dims{1}, Dims{3}}) EXPECT_TRUE(takes(rule, shape));
  for (const Dims& shape : {Dims{0}, Dims{2}, Dims{1, 3}}) EXPECT_FALSE(takes(rule, shape));
}

TEST(Constraints, AShapeIsThatShape) {
  const Rule rule = [](const Inference& node) {
    require_shape(node, 1, "state", {1, kUnknown, 4}, "layers, batch, size");
  };
  expect_passes_over_what_is_not_known(rule);
  EXPECT_TRUE(takes(rule, Dims{1, 9, 4}));
  EXPECT_TRUE(takes(rule, Dims{kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(refusal_of(rule, Dims{1, 9, 5}),
            "[Op] input 1 (\"state\") has shape [1, 9, 5]; it must be [1, ?, 4]: layers, batch, "
            "size");
  EXPECT_FALSE(takes(rule, Dims{1, 9}));
}

TEST(Constraints, WhatBroadcastsDoesNotChangeTheTarget) {
  const Rule rule = [](const Inference& node) { require_broadcast_to(node, 1, "m", {2, 3}); };
  expect_passes_over_what_is_not_known(rule);
  for (const Dims& shape : {Dims{}, Dims{1}, Dims{3}, Dims{2, 1}, Dims{kUnknown, 3}}) {
    EXPECT_TRUE(takes(rule, shape));
  }
  for (const Dims& shape : {Dims{2}, Dims{0}, Dims{3, 3}, Dims{1, 2, 3}}) {
    EXPECT_FALSE(takes(rule, shape));
  }
}

TEST(Constraints, SamplesComeFromAnElement) {
  const auto says = [](const Dims& given, const Dims& result) {
    return refusal([&](const Inference& node) { require_samples(node, result); },
                   {{DType::float32, given}});
  };
  EXPECT_EQ(says({0, 3}, {0, 6}), "");
  EXPECT_EQ(says({1, 3}, {2, 6}), "");
  EXPECT_EQ(says({kUnknown, 3}, {2, 6}), "");
  EXPECT_EQ(says({0, 3}, {2, 6}), "[Op] [0, 3] holds no element, of which [2, 6] cannot be made");
}

TEST(Constraints, AnAttributeLiesWithinItsEnds) {
  const auto says = [](const Attributes& attributes) {
    return refusal([](const Inference& node) { attribute_within(node, "p", 2, 1, 9); }, {},
                   attributes);
  };
  EXPECT_EQ(says({}), "");
  EXPECT_EQ(says(with("p", std::int64_t{1})), "");
  EXPECT_EQ(says(with("p", std::int64_t{9})), "");
  EXPECT_EQ(says(with("p", std::int64_t{0})), "[Op] p is 0; it must be at least 1");
  EXPECT_EQ(says(with("p", std::int64_t{10})), "[Op] p is 10; it must be at most 9");
}

}  // namespace
}  // namespace switchyard
