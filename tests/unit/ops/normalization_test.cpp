#include "infer_op.hpp"
#include "recorded_draft.hpp"

namespace switchyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

InferOp batch_normalization(Attributes attributes, Dims x, std::int64_t channels) {
  InferOp op("BatchNormalization", std::move(attributes));
  op.input(std::move(x));
  for (int i = 0; i < 4; ++i) op.input({channels});
  return op;
}

TEST(BatchNormalizationTest, OneNumberAChannel) {
  EXPECT_EQ(batch_normalization({}, {2, 3, 4, 4}, 3).output(), "float32 [2, 3, 4, 4]");
  EXPECT_EQ(batch_normalization({}, {kUnknown, kUnknown}, 3).output(), "float32 [?, ?]");
  EXPECT_THAT(batch_normalization({}, {2, 3, 4}, 4).error(),
              HasSubstr("has shape [4]; it must be [3]: one number for each of the 3 channels"));
}

TEST(BatchNormalizationTest, StatisticsNeedTraining) {
  auto training = batch_normalization(with("training_mode", std::int64_t{1}), {2, 3}, 3);
  EXPECT_EQ(training.output(2), "float32 [3]");
  EXPECT_THAT(batch_normalization({}, {2, 3}, 3).error(3), HasSubstr("only with training_mode=1"));
}

TEST(LayerNormalizationTest, StatisticsHaveTheirOwnType) {
  InferOp op("LayerNormalization", with("axis", std::int64_t{1}));
  op.input(DType::float16, {2, 3, 4}).input(DType::float16, {3, 4});
  EXPECT_EQ(op.output(0), "float16 [2, 3, 4]");
  EXPECT_EQ(op.output(1), "float32 [2, 1, 1]");
  EXPECT_EQ(op.output(2), "float32 [2, 1, 1]");
  EXPECT_THAT(InferOp("LayerNormalization").input({2, 3}).input({4}).error(),
              HasSubstr("broadcasts to [2, 3]"));
  EXPECT_THAT(InferOp("LayerNormalization", with("stash_type", std::int64_t{7}))
                  .input({2})
                  .input({2})
                  .error(2),
              HasSubstr("\"stash_type\" is int64"));
}

TEST(GroupNormalizationTest, GroupsDivideTheChannels) {
  const auto op = [](std::int64_t groups) {
    return InferOp("GroupNormalization", with("num_groups", groups))
        .input({2, 6, 4})
        .input({6})
        .input({6});
  };
  EXPECT_EQ(op(3).output(), "float32 [2, 6, 4]");
  EXPECT_THAT(op(4).error(), HasSubstr("6 channels do not divide into 4 groups"));
  EXPECT_THAT(op(0).error(), HasSubstr("must be at least 1"));
}

TEST(OldBatchNormalizationTest, OneOutputIsNoTraining) {
  RecordedDraft draft("BatchNormalization", with("is_test", std::int64_t{1}), 5);
  draft.upgrade_from(6);
  EXPECT_EQ(draft.text(), "BatchNormalization(in0, in1, in2, in3, in4)");
  EXPECT_EQ(draft.node.attributes.get_int("training_mode", 7), 0);
  EXPECT_FALSE(draft.node.attributes.has("is_test"));
  EXPECT_FALSE(draft.node.attributes.has("spatial"));
}

TEST(OldBatchNormalizationTest, FurtherOutputsAreTraining) {
  RecordedDraft draft("BatchNormalization", {}, 5, 5);
  draft.upgrade_from(9);
  EXPECT_EQ(draft.node.attributes.get_int("training_mode", 0), 1);
  EXPECT_EQ(draft.node.outputs.size(), 3u);
  RecordedDraft unnamed("BatchNormalization", {}, 5, 1);
  unnamed.node.outputs.resize(5);
  unnamed.upgrade_from(9);
  EXPECT_EQ(unnamed.node.attributes.get_int("training_mode", 7), 0);
  EXPECT_EQ(unnamed.node.outputs.size(), 1u);
}

TEST(OldBatchNormalizationTest, RefusesStatisticsThatItDoesNotGive) {
  RecordedDraft draft("BatchNormalization", {}, 5);
  EXPECT_THROW(draft.upgrade_from(6), Error);
}

TEST(OldBatchNormalizationTest, SingleFeaturesAreFlattenedIntoChannels) {
  RecordedDraft draft("BatchNormalization", with("spatial", std::int64_t{0}), 5);
  draft.upgrade_from(7);
  EXPECT_THAT(
      draft.text_before(),
      ElementsAre("Shape(in0)", "Flatten(in0)", "Reshape(in1, constant0)",
                  "Reshape(in2, constant0)", "Reshape(in3, constant0)", "Reshape(in4, constant0)"));
  EXPECT_EQ(draft.text(), "BatchNormalization(before1, before2, before3, before4, before5)");
  ASSERT_EQ(draft.after.size(), 1u);
  EXPECT_EQ(draft.after[0].op, "Reshape");
}

TEST(OldGroupNormalizationTest, AGroupsScaleIsRepeatedForItsChannels) {
  RecordedDraft draft("GroupNormalization", with("num_groups", std::int64_t{2}), 3);
  draft.upgrade_from(18);
  EXPECT_THAT(draft.text_before(),
              ElementsAre("Shape(in0)", "Div(before0, constant0)", "Concat(constant0, before1)",
                          "Unsqueeze(in1, constant1)", "Expand(before3, before2)",
                          "Reshape(before4, constant2)", "Unsqueeze(in2, constant1)",
                          "Expand(before6, before2)", "Reshape(before7, constant2)"));
  EXPECT_EQ(draft.text(), "GroupNormalization(in0, before5, before8)");
}

}  // namespace
}  // namespace switchyard
