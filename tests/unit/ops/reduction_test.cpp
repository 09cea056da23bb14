#include "infer_op.hpp"
#include "recorded_draft.hpp"

namespace switchyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kNo = 0;
constexpr std::int64_t kYes = 1;

TEST(ReduceTest, AxesGoOrBecomeOnes) {
  EXPECT_EQ(InferOp("ReduceSum").input({2, 3, 4}).ints({1}).output(), "float32 [2, 1, 4]");
  EXPECT_EQ(InferOp("ReduceSum", with("keepdims", kNo)).input({2, 3, 4}).ints({0, -1}).output(),
            "float32 [3]");
  EXPECT_EQ(InferOp("ReduceMax", with("keepdims", kNo)).input({kUnknown, 3}).ints({1}).output(),
            "float32 [?]");
  EXPECT_EQ(InferOp("ReduceMax").input({}).output(), "float32 []");
}

TEST(ReduceTest, NoAxesMeansAllUnlessTheNodeSaysNone) {
  EXPECT_EQ(InferOp("ReduceMean").input({2, 3}).output(), "float32 [1, 1]");
  EXPECT_EQ(InferOp("ReduceMean").input({2, 3}).ints({}).output(), "float32 [1, 1]");
  EXPECT_EQ(InferOp("ReduceMean", with("keepdims", kNo)).input_of_unknown_rank().output(),
            "float32 []");
  EXPECT_EQ(InferOp("ReduceMean", with("noop_with_empty_axes", kYes)).input({2, 3}).output(),
            "float32 [2, 3]");
  EXPECT_EQ(InferOp("ReduceMean", with("noop_with_empty_axes", kYes, "keepdims", kNo))
                .input_of_unknown_rank()
                .output(),
            "float32");
}

TEST(ReduceTest, UnknownAxesLeaveTheRankAtMost) {
  EXPECT_EQ(InferOp("ReduceMin").input({2, 3}).input(DType::int64, {1}).output(), "float32 [?, ?]");
  EXPECT_EQ(InferOp("ReduceMin", with("keepdims", kNo))
                .input({2, 3, 4})
                .input(DType::int64, {2})
                .output(),
            "float32 [?]");
  EXPECT_EQ(InferOp("ReduceMin", with("keepdims", kNo))
                .input({2, 3})
                .input(DType::int64, {kUnknown})
                .output(),
            "float32");
}

TEST(ReduceTest, AxesLieInsideTheInput) {
  EXPECT_THAT(InferOp("ReduceL2").input({2, 3}).ints({2}).error(),
              HasSubstr("axis 2 lies outside [-2, 1] for rank 2"));
  EXPECT_THAT(
      InferOp("ReduceL2", with("keepdims", kNo)).input({2}).input(DType::int64, {2}).error(),
      HasSubstr("2 axes are too many for input [2]"));
}

TEST(ArgReduceTest, GivesIndices) {
  EXPECT_EQ(InferOp("ArgMax", with("axis", std::int64_t{-1})).input({2, 3}).output(),
            "int64 [2, 1]");
  EXPECT_EQ(InferOp("ArgMin", with("keepdims", kNo)).input({2, 3}).output(), "int64 [3]");
  EXPECT_THAT(InferOp("ArgMin").input({0, 3}).error(), HasSubstr("no element along axis 0"));
}

TEST(AlongAxisTest, KeepsTheShapeAndChecksTheAxis) {
  EXPECT_EQ(InferOp("Softmax").input({2, 3}).output(), "float32 [2, 3]");
  EXPECT_THAT(InferOp("Hardmax", with("axis", std::int64_t{2})).input({2, 3}).error(),
              HasSubstr("axis 2 lies outside"));
  EXPECT_EQ(InferOp("CumSum").input({2, 3}).number(-1).output(), "float32 [2, 3]");
  EXPECT_THAT(InferOp("CumSum").input({2, 3}).number(2).error(), HasSubstr("axis 2 lies outside"));
}

TEST(OldReduceTest, AxesBecomeAnInput) {
  RecordedDraft draft("ReduceMean", with("axes", std::vector<std::int64_t>{1, 2}, "keepdims", kNo),
                      1);
  const Op& op = draft.upgrade_from(9);
  EXPECT_EQ(&op, find_op("", "ReduceMean"));
  EXPECT_EQ(draft.text(), "ReduceMean(in0, constant0)");
  EXPECT_THAT(draft.constants[0].to_int64s(), ElementsAre(1, 2));
  EXPECT_FALSE(draft.node.attributes.has("axes"));
  EXPECT_EQ(draft.node.attributes.get_int("keepdims", 7), 0);
  EXPECT_EQ(draft.node.attributes.get_int("noop_with_empty_axes", 7), 0);
}

TEST(OldReduceTest, NoAxesStayNone) {
  RecordedDraft draft("ReduceSum", {}, 1);
  draft.upgrade_from(11);
  EXPECT_EQ(draft.text(), "ReduceSum(in0)");
}

TEST(OldSoftmaxTest, AlongTheLastAxisNothingChanges) {
  RecordedDraft last("Softmax", with("axis", std::int64_t{2}), 1);
  last.knowing({2, 3, 4});
  last.upgrade_from(9);
  EXPECT_EQ(last.node.attributes.get_int("axis", 0), 2);
  EXPECT_TRUE(last.before.empty());
  RecordedDraft ones("Softmax", {}, 1);
  ones.knowing({2, 1000, 1, 1});
  ones.upgrade_from(11);
  EXPECT_EQ(ones.node.attributes.get_int("axis", 0), 1);
  EXPECT_TRUE(ones.after.empty());
}

TEST(OldSoftmaxTest, RowsOfSeveralDimensionsAreFlattened) {
  RecordedDraft draft("LogSoftmax", {}, 1);
  draft.knowing({2, 3, kUnknown});
  draft.upgrade_from(11);
  EXPECT_THAT(draft.text_before(), ElementsAre("Shape(in0)", "Flatten(in0)"));
  EXPECT_EQ(draft.before[1].attributes.get_int("axis", 7), 1);
  EXPECT_EQ(draft.text(), "LogSoftmax(before1)");
  EXPECT_EQ(draft.node.attributes.get_int("axis", 7), -1);
  ASSERT_EQ(draft.after.size(), 1u);
  EXPECT_EQ(RecordedDraft::text_of(draft.after[0].op, draft.after[0].inputs), "Reshape(before0)");
  EXPECT_EQ(draft.after[0].attributes.get_int("allowzero", 0), 1);
}

}  // namespace
}  // namespace switchyard
