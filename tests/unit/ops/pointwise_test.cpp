#include "infer_op.hpp"
#include "recorded_draft.hpp"

namespace switchyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(UnaryTest, KeepsShapeAndType) {
  EXPECT_EQ(InferOp("Sqrt").input(DType::bfloat16, {2, kUnknown}).output(), "bfloat16 [2, ?]");
  EXPECT_EQ(InferOp("Sqrt").input_of_unknown_rank().output(), "float32");
  EXPECT_EQ(InferOp("IsNaN").input(DType::float16, {}).output(), "bool []");
  EXPECT_EQ(InferOp("Neg").input(DType::int8, {0}).output(), "int8 [0]");
}

TEST(UnaryTest, RefusesOtherTypesAndCounts) {
  EXPECT_THAT(
      InferOp("Sqrt").input(DType::int32, {2}).error(),
      HasSubstr(
          "[Sqrt] input 0 (\"X\") is int32; it may be float32, float16, float64 or bfloat16"));
  EXPECT_THAT(InferOp("Neg").input(DType::uint8, {2}).error(), HasSubstr("is uint8"));
  EXPECT_THAT(InferOp("Sqrt").input({2}).input({2}).error(), HasSubstr("takes at most 1 input,"));
  EXPECT_THAT(InferOp("Sqrt").error(), HasSubstr("input 0 (\"X\") is missing"));
  EXPECT_THAT(InferOp("Sqrt").input({2}).error(2), HasSubstr("at most 1 output"));
}

TEST(BroadcastTest, AlignsShapesAtTheirEnds) {
  EXPECT_EQ(InferOp("Add").input({2, 1, 4}).input({3, 1}).output(), "float32 [2, 3, 4]");
  EXPECT_EQ(InferOp("Add").input({}).input({5}).output(), "float32 [5]");
  EXPECT_EQ(InferOp("Add").input({1}).input({0}).output(), "float32 [0]");
  EXPECT_EQ(InferOp("Sum").input({2, 1}).input({1, 3}).input({1}).output(), "float32 [2, 3]");
  EXPECT_EQ(InferOp("Where").input(DType::bool_, {3, 1}).input({4}).input({}).output(),
            "float32 [3, 4]");
}

TEST(BroadcastTest, UnknownExtentsFollowTheKnownOnes) {
  EXPECT_EQ(InferOp("Mul").input({kUnknown, 3}).input({1, 3}).output(), "float32 [?, 3]");
  EXPECT_EQ(InferOp("Mul").input({kUnknown, 3}).input({7, 3}).output(), "float32 [7, 3]");
  EXPECT_EQ(InferOp("Mul").input({kUnknown}).input({kUnknown}).output(), "float32 [?]");
  EXPECT_EQ(InferOp("Mul").input({kUnknown}).input({1}).output(), "float32 [?]");
  EXPECT_EQ(InferOp("Mul").input({3}).input_of_unknown_rank().output(), "float32");
}

TEST(BroadcastTest, SaysWhatDoesNotFit) {
  EXPECT_THAT(InferOp("Add").input({2, 3}).input({2, 4}).error(),
              HasSubstr("[Add] shapes [2, 3] and [2, 4] do not broadcast"));
  EXPECT_THAT(InferOp("Add").input({0}).input({2}).error(), HasSubstr("do not broadcast"));
  EXPECT_THAT(
      InferOp("Add").input({2}).input(DType::int32, {2}).error(),
      HasSubstr("input 1 (\"B\") is int32, but an earlier input of the same type T is float32"));
}

TEST(BroadcastTest, ComparisonsGiveBool) {
  EXPECT_EQ(InferOp("Less").input(DType::int8, {2, 1}).input(DType::int8, {3}).output(),
            "bool [2, 3]");
  EXPECT_EQ(InferOp("And").input(DType::bool_, {2}).input(DType::bool_, {}).output(), "bool [2]");
  EXPECT_EQ(InferOp("Pow").input({2}).input(DType::int64, {1}).output(), "float32 [2]");
}

TEST(BroadcastTest, BitShiftKnowsTwoDirections) {
  EXPECT_EQ(InferOp("BitShift", with("direction", std::string("LEFT")))
                .input(DType::uint8, {2})
                .input(DType::uint8, {2})
                .output(),
            "uint8 [2]");
  EXPECT_THAT(InferOp("BitShift", with("direction", std::string("UP")))
                  .input(DType::uint8, {2})
                  .input(DType::uint8, {2})
                  .error(),
              HasSubstr("must be LEFT or RIGHT"));
}

TEST(PReluTest, TheSlopeNeverWidensTheInput) {
  EXPECT_EQ(InferOp("PRelu").input({2, 3, 4}).input({3, 1}).output(), "float32 [2, 3, 4]");
  EXPECT_THAT(InferOp("PRelu").input({2, 1}).input({3}).error(),
              HasSubstr("it must be one that broadcasts to ["));
  EXPECT_THAT(InferOp("PRelu").input({3}).input({1, 3}).error(),
              HasSubstr("it must be one that broadcasts to ["));
}

TEST(ClipTest, BoundsAreScalars) {
  EXPECT_EQ(InferOp("Clip").input({2, 3}).absent().input({}).output(), "float32 [2, 3]");
  EXPECT_EQ(InferOp("Clip").input({2, 3}).input({1}).output(), "float32 [2, 3]");
  EXPECT_THAT(InferOp("Clip").input({2}).input({2}).error(),
              HasSubstr("has shape [2]; it must be a scalar or [1]"));
}

TEST(GeluTest, KnowsTwoForms) {
  EXPECT_EQ(InferOp("Gelu", with("approximate", std::string("tanh"))).input({4}).output(),
            "float32 [4]");
  EXPECT_THAT(InferOp("Gelu", with("approximate", std::string("sigmoid"))).input({4}).error(),
              HasSubstr("must be none or tanh"));
}

TEST(OldBroadcastTest, AnAxisGivesTheSecondInputTrailingOnes) {
  RecordedDraft draft("Add", with("broadcast", std::int64_t{1}, "axis", std::int64_t{1}), 2);
  draft.knowing({2, 3, 4, 5}).knowing({3});
  draft.upgrade_from(6);
  EXPECT_EQ(draft.text(), "Add(in0, before0)");
  EXPECT_THAT(draft.text_before(), ElementsAre("Unsqueeze(in1, constant0)"));
  EXPECT_THAT(draft.constants[0].to_int64s(), ElementsAre(1, 2));
  EXPECT_EQ(draft.node.attributes.size(), 0u);
}

TEST(OldBroadcastTest, NoAxisOrTheLastNeedsNothing) {
  RecordedDraft suffix("Mul", with("broadcast", std::int64_t{1}), 2);
  suffix.upgrade_from(1);
  EXPECT_EQ(suffix.text(), "Mul(in0, in1)");
  RecordedDraft last("And", with("broadcast", std::int64_t{1}, "axis", std::int64_t{-2}), 2);
  last.knowing({2, 3, 4}).knowing({3, 4});
  last.upgrade_from(6);
  EXPECT_EQ(last.text(), "And(in0, in1)");
}

TEST(OldBroadcastTest, AnAxisNeedsBothRanks) {
  RecordedDraft draft("Pow", with("broadcast", std::int64_t{1}, "axis", std::int64_t{0}), 2);
  draft.knowing({2, 3});
  EXPECT_THROW(draft.upgrade_from(6), Error);
  RecordedDraft beyond("Pow", with("broadcast", std::int64_t{1}, "axis", std::int64_t{1}), 2);
  beyond.knowing({2, 3}).knowing({2, 3});
  EXPECT_THROW(beyond.upgrade_from(6), Error);
}

TEST(OldPReluTest, ASlopeOfChannelsIsAligned) {
  RecordedDraft channels("PRelu", {}, 2);
  channels.knowing({2, 3, 4, 4}).knowing({3});
  channels.upgrade_from(6);
  EXPECT_EQ(channels.text(), "PRelu(in0, before0)");
  EXPECT_THAT(channels.constants[0].to_int64s(), ElementsAre(1, 2));
  RecordedDraft shared("PRelu", {}, 2);
  shared.knowing({2, 3, 4, 4}).knowing({1});
  shared.upgrade_from(1);
  EXPECT_EQ(shared.text(), "PRelu(in0, in1)");
}

TEST(OldClipTest, BoundsBecomeConstantsOfTheInputsType) {
  RecordedDraft draft("Clip", with("min", -1.5f), 1);
  draft.knowing({2}, DType::float16);
  draft.upgrade_from(6);
  EXPECT_EQ(draft.text(), "Clip(in0, constant0, constant1)");
  EXPECT_EQ(draft.constants[0].dtype(), DType::float16);
  EXPECT_EQ(draft.constants[0].values<std::uint16_t>()[0], float16_bits(-1.5f));
  EXPECT_EQ(draft.constants[1].values<std::uint16_t>()[0], 0x7C00);  // 3.4e38 is infinite here
}

TEST(OldClipTest, TheFirstVersionHadNoDefaults) {
  RecordedDraft draft("Clip", with("max", 6.0f), 1);
  draft.knowing({2});
  draft.upgrade_from(1);
  EXPECT_EQ(draft.text(), "Clip(in0, , constant0)");
}

}  // namespace
}  // namespace switchyard
