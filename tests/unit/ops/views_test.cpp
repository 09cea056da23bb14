// Shapes of views, and the strides that make them without a copy.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kLast = INT64_MAX;
constexpr std::int64_t kFirst = INT64_MIN;

InferOp reshape(Dims shape, std::vector<std::int64_t> target, std::int64_t allowzero = 0) {
  InferOp op("Reshape", with("allowzero", allowzero));
  op.input(std::move(shape)).ints(std::move(target));
  return op;
}

TEST(ReshapeTest, InfersOneExtentAndCopiesZeros) {
  EXPECT_EQ(reshape({2, 3, 4}, {4, -1}).output(), "float32 [4, 6]");
  EXPECT_EQ(reshape({2, 3, 4}, {0, 12}).output(), "float32 [2, 12]");
  EXPECT_EQ(reshape({2, 3, 4}, {0, 0, -1, 2}).output(), "float32 [2, 3, 2, 2]");
  EXPECT_EQ(reshape({}, {}).output(), "float32 []");
  EXPECT_EQ(reshape({}, {1, 1}).output(), "float32 [1, 1]");
  EXPECT_EQ(reshape({1}, {}).output(), "float32 []");
}

TEST(ReshapeTest, KeepsEmptyTensorsEmpty) {
  EXPECT_EQ(reshape({0, 3}, {0, -1}).output(), "float32 [0, 3]");
  EXPECT_EQ(reshape({0, 3}, {3, 0}, 1).output(), "float32 [3, 0]");
  EXPECT_EQ(reshape({2, 0}, {5, -1}).output(), "float32 [5, 0]");
  EXPECT_EQ(reshape({2, 0}, {7, 0}, 1).view(), "[7, 0] strides [1, 1]");
}

TEST(ReshapeTest, TellsWhatItCanOfUnknownExtents) {
  EXPECT_EQ(reshape({kUnknown, 3, 4}, {0, -1}).output(), "float32 [?, 12]");
  EXPECT_EQ(reshape({kUnknown, 3, 4}, {-1, 12}).output(), "float32 [?, 12]");
  EXPECT_EQ(InferOp("Reshape").input({2, 3}).input(DType::int64, {3}).output(),
            "float32 [?, ?, ?]");
  EXPECT_EQ(InferOp("Reshape").input({2, 3}).input(DType::int64, {kUnknown}).output(), "float32");
  EXPECT_EQ(InferOp("Reshape").input_of_unknown_rank().ints({0, -1, 2}).output(),
            "float32 [?, ?, 2]");
}

TEST(ReshapeTest, SaysWhyAShapeDoesNotFit) {
  EXPECT_THAT(reshape({2, 3}, {4, 2}).error(), HasSubstr("[2, 3]"));
  EXPECT_THAT(reshape({2, 3}, {4, -1}).error(), HasSubstr("do not divide by 4"));
  EXPECT_THAT(reshape({2, 3}, {-1, -1}).error(), HasSubstr("more than one -1"));
  EXPECT_THAT(reshape({2, 3}, {-2, 3}).error(), HasSubstr("the extent -2"));
  EXPECT_THAT(reshape({2}, {2, 0}).error(), HasSubstr("no such axis"));
  EXPECT_THAT(reshape({0, 3}, {0, -1}, 1).error(), HasSubstr("allowzero=1"));
}

TEST(ReshapeTest, IsAViewWhereStridesAllowIt) {
  EXPECT_EQ(reshape({2, 3, 4}, {6, 4}).view(), "[6, 4] strides [4, 1]");
  EXPECT_EQ(reshape({2, 3, 4}, {6, 4}).view({24, 8, 2}), "[6, 4] strides [8, 2]");
  EXPECT_EQ(reshape({2, 6}, {2, 2, 3}).view({1, 2}), "[2, 2, 3] strides [1, 6, 2]");
  EXPECT_EQ(reshape({2, 3}, {6}).view({1, 2}), "copy");
  EXPECT_EQ(reshape({5, 3}, {15}).view({0, 0}), "[15] strides [0]");
}

TEST(FlattenTest, SplitsTheAxesInTwo) {
  const auto flatten = [](Dims shape, std::int64_t axis) {
    return InferOp("Flatten", with("axis", axis)).input(std::move(shape));
  };
  EXPECT_EQ(flatten({2, 3, 4}, 1).output(), "float32 [2, 12]");
  EXPECT_EQ(flatten({2, 3, 4}, 0).output(), "float32 [1, 24]");
  EXPECT_EQ(flatten({2, 3, 4}, 3).output(), "float32 [24, 1]");
  EXPECT_EQ(flatten({2, 3, 4}, -1).output(), "float32 [6, 4]");
  EXPECT_EQ(flatten({}, 0).output(), "float32 [1, 1]");
  EXPECT_EQ(flatten({kUnknown, 3, 4}, 1).output(), "float32 [?, 12]");
  EXPECT_EQ(flatten({kUnknown, 0}, 0).output(), "float32 [1, 0]");
  EXPECT_EQ(InferOp("Flatten").input_of_unknown_rank().output(), "float32 [?, ?]");
  EXPECT_THAT(flatten({2, 3}, 3).error(), HasSubstr("axis 3"));
  EXPECT_EQ(flatten({2, 3, 4}, 2).view({24, 8, 2}), "[6, 4] strides [8, 2]");
  EXPECT_EQ(flatten({2, 3, 4}, 1).view({4, 8, 1}), "copy");
}

TEST(SqueezeTest, DropsNamedAxesOrAllOfExtentOne) {
  EXPECT_EQ(InferOp("Squeeze").input({1, 3, 1}).output(), "float32 [3]");
  EXPECT_EQ(InferOp("Squeeze").input({1, 3, 1}).ints({-1}).output(), "float32 [1, 3]");
  EXPECT_EQ(InferOp("Squeeze").input({1, 3, 1}).ints({}).output(), "float32 [1, 3, 1]");
  EXPECT_EQ(InferOp("Squeeze").input({}).output(), "float32 []");
  EXPECT_EQ(InferOp("Squeeze").input({1, 3, 1}).ints({0}).view({7, 2, 5}), "[3, 1] strides [2, 5]");
  EXPECT_THAT(InferOp("Squeeze").input({1, 3}).ints({1}).error(), HasSubstr("extent 3"));
  EXPECT_THAT(InferOp("Squeeze").input({1, 3}).ints({2}).error(), HasSubstr("axis 2"));
  EXPECT_THAT(InferOp("Squeeze").input({1, 3}).ints({0, -2}).error(), HasSubstr("twice"));
}

TEST(SqueezeTest, NeedsNoKnownExtents) {
  EXPECT_EQ(InferOp("Squeeze").input({kUnknown, 3}).ints({0}).output(), "float32 [3]");
  EXPECT_EQ(InferOp("Squeeze").input({kUnknown, 3}).output(), "float32");
  EXPECT_EQ(InferOp("Squeeze").input({1, 3, 1}).input(DType::int64, {2}).output(), "float32 [?]");
}

TEST(UnsqueezeTest, AddsAxesOfExtentOne) {
  EXPECT_EQ(InferOp("Unsqueeze").input({3, 4}).ints({0, -1}).output(), "float32 [1, 3, 4, 1]");
  EXPECT_EQ(InferOp("Unsqueeze").input({}).ints({0}).output(), "float32 [1]");
  EXPECT_EQ(InferOp("Unsqueeze").input({kUnknown}).ints({1}).output(), "float32 [?, 1]");
  EXPECT_EQ(InferOp("Unsqueeze").input({3}).input(DType::int64, {2}).output(), "float32 [?, ?, ?]");
  EXPECT_EQ(InferOp("Unsqueeze").input({3, 4}).ints({1}).view({8, 2}),
            "[3, 1, 4] strides [8, 1, 2]");
  EXPECT_THAT(InferOp("Unsqueeze").input({3}).ints({2}).error(), HasSubstr("axis 2"));
}

TEST(TransposeTest, PermutesAxesAndStrides) {
  const std::vector<std::int64_t> perm = {2, 0, 1};
  EXPECT_EQ(InferOp("Transpose").input({2, 3, 4}).output(), "float32 [4, 3, 2]");
  EXPECT_EQ(InferOp("Transpose").input({}).output(), "float32 []");
  EXPECT_EQ(InferOp("Transpose", with("perm", perm)).input({2, kUnknown, 4}).output(),
            "float32 [4, 2, ?]");
  EXPECT_EQ(InferOp("Transpose", with("perm", perm)).input_of_unknown_rank().output(),
            "float32 [?, ?, ?]");
  EXPECT_EQ(InferOp("Transpose", with("perm", perm)).input({2, 3, 4}).view(),
            "[4, 2, 3] strides [1, 12, 4]");
  EXPECT_THAT(InferOp("Transpose", with("perm", perm)).input({2, 3}).error(),
              HasSubstr("each axis"));
  EXPECT_THAT(
      InferOp("Transpose", with("perm", std::vector<std::int64_t>{0, 0})).input({2, 3}).error(),
      HasSubstr("each axis"));
}

TEST(ExpandTest, BroadcastsBothWays) {
  EXPECT_EQ(InferOp("Expand").input({3, 1}).ints({2, 1, 4}).output(), "float32 [2, 3, 4]");
  EXPECT_EQ(InferOp("Expand").input({3, 4}).ints({1}).output(), "float32 [3, 4]");
  EXPECT_EQ(InferOp("Expand").input({}).ints({0, 2}).output(), "float32 [0, 2]");
  EXPECT_EQ(InferOp("Expand").input({1}).ints({0}).view({1}), "[0] strides [0]");
  EXPECT_EQ(InferOp("Expand").input({3, 1}).ints({2, 1, 4}).view(), "[2, 3, 4] strides [0, 1, 0]");
  EXPECT_THAT(InferOp("Expand").input({3}).ints({4}).error(), HasSubstr("extent 3 meets 4"));
  EXPECT_THAT(InferOp("Expand").input({3}).ints({-1}).error(), HasSubstr("negative"));
}

TEST(ExpandTest, TellsWhatItCanOfUnknownExtents) {
  EXPECT_EQ(InferOp("Expand").input({kUnknown, 1}).ints({2, 5}).output(), "float32 [2, 5]");
  EXPECT_EQ(InferOp("Expand").input({kUnknown, 1}).ints({1, 5}).output(), "float32 [?, 5]");
  EXPECT_EQ(InferOp("Expand").input({3, 1}).input(DType::int64, {2}).output(), "float32 [3, ?]");
}

InferOp slice(Dims shape, std::vector<std::int64_t> starts, std::vector<std::int64_t> ends,
              std::vector<std::int64_t> axes, std::vector<std::int64_t> steps) {
  InferOp op("Slice");
  op.input(std::move(shape)).ints(std::move(starts)).ints(std::move(ends));
  op.ints(std::move(axes)).ints(std::move(steps));
  return op;
}

TEST(SliceTest, ClampsItsEndsIntoTheAxis) {
  EXPECT_EQ(slice({20, 10}, {0, 2}, {3, kLast}, {0, 1}, {1, 1}).output(), "float32 [3, 8]");
  EXPECT_EQ(slice({20, 10}, {-3}, {kLast}, {-1}, {1}).output(), "float32 [20, 3]");
  EXPECT_EQ(slice({10}, {100}, {200}, {0}, {1}).output(), "float32 [0]");
  EXPECT_EQ(slice({10}, {5}, {2}, {0}, {1}).output(), "float32 [0]");
  EXPECT_EQ(slice({10}, {1}, {8}, {0}, {3}).output(), "float32 [3]");
  EXPECT_EQ(slice({0}, {-1}, {kFirst}, {0}, {-1}).output(), "float32 [0]");
  EXPECT_EQ(slice({10}, {0}, {kLast}, {0}, {kLast}).output(), "float32 [1]");
}

TEST(SliceTest, StepsBackWithNegativeStrides) {
  EXPECT_EQ(slice({10}, {-1}, {kFirst}, {0}, {-1}).view(), "[10] strides [-1] from 9");
  EXPECT_EQ(slice({10}, {8}, {1}, {0}, {-3}).view(), "[3] strides [-3] from 8");
  EXPECT_EQ(slice({10}, {kLast}, {kFirst}, {0}, {kFirst}).view(), "[1] strides [-10] from 9");
  EXPECT_EQ(slice({4, 5}, {3, 1}, {0, 4}, {0, 1}, {-2, 1}).view({10, 2}),
            "[2, 3] strides [-20, 2] from 32");
}

TEST(SliceTest, HasNoOffsetWhereNothingIsLeft) {
  EXPECT_EQ(slice({2, 5}, {5}, {9}, {1}, {1}).view(), "[2, 0] strides [5, 1]");
}

TEST(SliceTest, TakesTheFirstAxesByDefault) {
  EXPECT_EQ(InferOp("Slice").input({4, 5, 6}).ints({1, 2}).ints({3, 3}).output(),
            "float32 [2, 1, 6]");
}

TEST(SliceTest, TellsWhatItCanOfUnknownValues) {
  EXPECT_EQ(slice({kUnknown, 10}, {1}, {2}, {1}, {1}).output(), "float32 [?, 1]");
  EXPECT_EQ(slice({kUnknown, 10}, {1}, {2}, {0}, {1}).output(), "float32 [?, 10]");
  EXPECT_EQ(InferOp("Slice").input({4, 5}).input(DType::int64, {1}).ints({3}).output(),
            "float32 [?, 5]");
  EXPECT_EQ(InferOp("Slice")
                .input({4, 5})
                .input(DType::int64, {kUnknown})
                .input(DType::int64, {kUnknown})
                .output(),
            "float32 [?, ?]");
  EXPECT_EQ(InferOp("Slice").input_of_unknown_rank().ints({0}).ints({1}).output(), "float32");
}

TEST(SliceTest, SaysWhatIsWrong) {
  EXPECT_THAT(slice({4}, {0}, {1}, {0}, {0}).error(), HasSubstr("step of axis 0 is 0"));
  EXPECT_THAT(slice({4}, {0}, {1}, {1}, {1}).error(), HasSubstr("axis 1"));
  EXPECT_THAT(slice({4, 4}, {0, 0}, {1, 1}, {1, -1}, {1, 1}).error(), HasSubstr("twice"));
  EXPECT_THAT(slice({4, 4}, {0, 0}, {1}, {0, 1}, {1, 1}).error(), HasSubstr("one length"));
  EXPECT_THAT(InferOp("Slice").input({4}).ints({0, 0}).ints({1, 1}).error(), HasSubstr("2 starts"));
}

TEST(SplitTest, CutsAnAxisIntoParts) {
  EXPECT_EQ(InferOp("Split").input({6, 4}).ints({1, 5}).output(1), "float32 [5, 4]");
  EXPECT_EQ(InferOp("Split", with("num_outputs", std::int64_t{3})).input({7}).output(2),
            "float32 [1]");
  InferOp split("Split", with("axis", std::int64_t{-1}));
  split.input({2, 6}).ints({2, 0, 4});
  EXPECT_EQ(split.view({6, 1}, 0, 3), "[2, 2] strides [6, 1]");
  EXPECT_EQ(split.view({6, 1}, 1, 3), "[2, 0] strides [6, 1]");
  EXPECT_EQ(split.view({6, 1}, 2, 3), "[2, 4] strides [6, 1] from 2");
}

TEST(SplitTest, TellsWhatItCanOfUnknownValues) {
  EXPECT_EQ(InferOp("Split", with("num_outputs", std::int64_t{2})).input({kUnknown, 4}).output(1),
            "float32 [?, 4]");
  EXPECT_EQ(InferOp("Split").input({6, 4}).input(DType::int64, {2}).output(1), "float32 [?, 4]");
  EXPECT_EQ(InferOp("Split").input({kUnknown}).ints({1, 2}).output(1), "float32 [2]");
}

TEST(SplitTest, SaysWhatIsWrong) {
  EXPECT_THAT(InferOp("Split").input({6}).ints({1, 2}).error(2), HasSubstr("extent 6"));
  EXPECT_THAT(InferOp("Split").input({6}).ints({7, -1}).error(2), HasSubstr("negative"));
  EXPECT_THAT(InferOp("Split").input({6}).ints({3, 3}).error(3), HasSubstr("3"));
  EXPECT_THAT(InferOp("Split", with("num_outputs", std::int64_t{4})).input({5}).error(4),
              HasSubstr("cannot be split"));
  EXPECT_THAT(
      InferOp("Split", with("num_outputs", std::int64_t{2})).input({6}).ints({3, 3}).error(2),
      HasSubstr("not both"));
}

TEST(IdentityTest, IsTheInputItself) {
  EXPECT_EQ(InferOp("Identity").input({2, 3}).view({1, 2}), "[2, 3] strides [1, 2]");
  EXPECT_EQ(InferOp("Identity").input_of_unknown_rank(DType::int4).output(), "int4");
}

}  // namespace
}  // namespace switchyard
