#include "ops/catalogue.hpp"

#include <bit>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>

#include "ops/signature.hpp"
#include "ops/type_sets.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

TEST(CatalogueTest, OpsAreOrderedAndNumberedDensely) {
  std::uint32_t id = 0;
  std::string last;
  for (const Op& op : all_ops()) {
    EXPECT_EQ(op.id, id++);
    const std::string key = std::string(op.row->domain) + ":" + std::string(op.name());
    EXPECT_LT(last, key);
    last = key;
  }
  EXPECT_GT(id, 100u);
}

TEST(CatalogueTest, FindsEachOpByItsName) {
  for (const Op& op : all_ops()) EXPECT_EQ(find_op(op.row->domain, op.name()), &op);
  EXPECT_EQ(find_op("ai.onnx", "Add"), find_op("", "Add"));
  EXPECT_EQ(find_op("", "Added"), nullptr);
  EXPECT_EQ(find_op("com.nobody", "Add"), nullptr);
}

TEST(CatalogueTest, VersionsRiseAndEndAtTheCanonicalOne) {
  for (const Op& op : all_ops()) {
    for (std::size_t i = 1; i < revisions_of(op).size(); ++i) {
      EXPECT_LT(revisions_of(op)[i - 1].since, revisions_of(op)[i].since) << op.name();
    }
    EXPECT_EQ(revisions_of(op).back().since, op.version()) << op.name();
    EXPECT_EQ(revisions_of(op).back().upgrade, nullptr) << op.name();
    EXPECT_LE(op.version(), 27) << op.name();
  }
}

// Text and the containers that hold it stay with the host.
TEST(CatalogueTest, TheContractsTypesCoverOnnxs) {
  for (const Op& op : all_ops()) {
    const Signature& onnx = revisions_of(op).back();
    ASSERT_EQ(onnx.inputs.size(), op.canonical.inputs.size());
    for (std::size_t i = 0; i < onnx.inputs.size(); ++i) {
      const TypeSet missing = onnx.inputs[i].allowed & ~op.canonical.inputs[i].allowed;
      EXPECT_EQ(missing & ~type_set_of(DType::string), 0u)
          << op.name() << " input " << onnx.inputs[i].name << " lacks " << describe(missing);
    }
  }
}

TEST(CatalogueTest, EveryRowHasTheRulesItNeeds) {
  for (const Op& op : all_ops()) {
    if (op.row->runs_on == RunsOn::control) continue;
    EXPECT_NE(op.row->shape, nullptr) << op.name();
    EXPECT_EQ(op.row->runs_on == RunsOn::view, op.row->view != nullptr) << op.name();
    EXPECT_EQ(op.row->runs_on == RunsOn::literal, op.row->literal != nullptr) << op.name();
    for (const Formal& output : op.canonical.outputs) {
      bool told = op.row->type != nullptr || std::has_single_bit(output.allowed);
      for (const Formal& input : op.canonical.inputs) {
        told = told || (output.letter >= 0 && output.letter == input.letter);
      }
      EXPECT_TRUE(told) << op.name() << ": nothing tells the type of " << output.name;
    }
  }
}

TEST(CatalogueTest, HostInputsAreAMask) {
  const Op& reduce = *find_op("", "ReduceSum");
  EXPECT_FALSE(reduce.is_host_input(0));
  EXPECT_TRUE(reduce.is_host_input(1));
}

TEST(CatalogueTest, TheRevisionIsTheNewestThatTheOpsetKnows) {
  const Op& add = *find_op("", "Add");
  EXPECT_EQ(revision_for(add, 1).since, 1);
  EXPECT_EQ(revision_for(add, 6).since, 6);
  EXPECT_EQ(revision_for(add, 12).since, 7);
  EXPECT_EQ(revision_for(add, 21).since, 14);
  try {
    revision_for(*find_op("", "Mod"), 9);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    EXPECT_THAT(error.what(),
                HasSubstr("[Mod] is read from opset 10 on; the model declares opset 9"));
  }
}

}  // namespace
}  // namespace switchyard
