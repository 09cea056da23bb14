// Elements copied to other positions, or chosen by position or value.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

TEST(ConcatTest, AddsUpOneAxis) {
  const Attributes last = with("axis", std::int64_t{-1});
  EXPECT_EQ(InferOp("Concat", last).input({2, 3}).input({2, 0}).input({2, 4}).output(),
            "float32 [2, 7]");
  EXPECT_EQ(InferOp("Concat", last).input({2, 3}).input({kUnknown, 4}).output(), "float32 [2, 7]");
  EXPECT_EQ(InferOp("Concat", last).input({2, 3}).input({2, kUnknown}).output(), "float32 [2, ?]");
  EXPECT_EQ(InferOp("Concat", last).input({2, 3}).input_of_unknown_rank().output(),
            "float32 [2, ?]");
  EXPECT_THAT(InferOp("Concat", last).input({2, 3}).input({4, 3}).error(),
              HasSubstr("all axes but"));
  EXPECT_THAT(InferOp("Concat", last).input({2, 3}).input({2}).error(), HasSubstr("[2"));
  EXPECT_THAT(InferOp("Concat", last).input({}).input({}).error(), HasSubstr("rank 0"));
}

TEST(TileTest, MultipliesExtents) {
  EXPECT_EQ(InferOp("Tile").input({2, 3}).ints({1, 4}).output(), "float32 [2, 12]");
  EXPECT_EQ(InferOp("Tile").input({kUnknown, 3}).ints({2, 0}).output(), "float32 [?, 0]");
  EXPECT_EQ(InferOp("Tile").input({}).ints({}).output(), "float32 []");
  EXPECT_EQ(InferOp("Tile").input({2, 3}).input(DType::int64, {2}).output(), "float32 [?, ?]");
  EXPECT_THAT(InferOp("Tile").input({2, 3}).ints({2}).error(), HasSubstr("rank"));
  EXPECT_THAT(InferOp("Tile").input({2}).ints({-2}).error(), HasSubstr("negative"));
}

TEST(PadTest, AddsToBothEnds) {
  EXPECT_EQ(InferOp("Pad").input({2, 3}).ints({0, 1, 2, 3}).output(), "float32 [4, 7]");
  EXPECT_EQ(InferOp("Pad").input({5}).ints({-2, -1}).output(), "float32 [2]");
  EXPECT_EQ(InferOp("Pad").input({5}).ints({1, -2}).output(), "float32 [4]");
  EXPECT_EQ(InferOp("Pad").input({0}).ints({1, 1}).output(), "float32 [2]");
  EXPECT_EQ(InferOp("Pad").input({2, 3}).ints({1, 2}).absent().ints({-1}).output(),
            "float32 [2, 6]");
  EXPECT_EQ(InferOp("Pad").input({kUnknown, 3}).ints({1, 1, 1, 1}).output(), "float32 [?, 5]");
  EXPECT_EQ(InferOp("Pad").input({2, 3}).input(DType::int64, {4}).output(), "float32 [?, ?]");
  EXPECT_THAT(InferOp("Pad").input({2, 3}).ints({1, 1}).error(), HasSubstr("2 axes"));
  EXPECT_THAT(InferOp("Pad").input({2}).ints({-2, -1}).error(), HasSubstr("extent 2"));
}

TEST(CenterCropPadTest, GivesItsAxesTheShape) {
  EXPECT_EQ(InferOp("CenterCropPad").input({20, 10}).ints({10, 30}).output(), "float32 [10, 30]");
  EXPECT_EQ(
      InferOp("CenterCropPad", with("axes", Ints{-1})).input({20, kUnknown}).ints({4}).output(),
      "float32 [20, 4]");
  EXPECT_THAT(InferOp("CenterCropPad").input({20, 10}).ints({4}).error(), HasSubstr("axes"));
}

TEST(SpaceTest, MovesBlocksBetweenSpaceAndDepth) {
  const Attributes two = with("blocksize", std::int64_t{2});
  EXPECT_EQ(InferOp("DepthToSpace", two).input({1, 8, 2, kUnknown}).output(),
            "float32 [1, 2, 4, ?]");
  EXPECT_EQ(InferOp("SpaceToDepth", two).input({1, 2, 4, 6}).output(), "float32 [1, 8, 2, 3]");
  EXPECT_THAT(InferOp("DepthToSpace", two).input({1, 6, 2, 2}).error(), HasSubstr("divide by 4"));
  EXPECT_THAT(InferOp("SpaceToDepth", two).input({1, 2, 3, 6}).error(), HasSubstr("divide by 2"));
  EXPECT_THAT(
      InferOp("SpaceToDepth", with("blocksize", std::int64_t{0})).input({1, 2, 4, 4}).error(),
      HasSubstr("blocksize is 0"));
}

TEST(Col2ImTest, UnitesBlocksIntoAnImage) {
  EXPECT_EQ(InferOp("Col2Im").input({1, 10, 12}).ints({5, 7}).ints({1, 5}).output(),
            "float32 [1, 2, 5, 7]");
  EXPECT_EQ(InferOp("Col2Im").input({1, 10, 12}).input(DType::int64, {2}).ints({1, 5}).output(),
            "float32 [?, ?, ?, ?]");
  EXPECT_THAT(InferOp("Col2Im").input({1, 9, 12}).ints({5, 5}).ints({1, 5}).error(),
              HasSubstr("divide by 5"));
}

TEST(TriluTest, NeedsAMatrix) {
  EXPECT_EQ(InferOp("Trilu").input({4, 2, 3}).output(), "float32 [4, 2, 3]");
  EXPECT_THAT(InferOp("Trilu").input({4}).error(), HasSubstr("at least 2"));
}

TEST(ReverseSequenceTest, HasOneLengthForEachBatch) {
  EXPECT_EQ(InferOp("ReverseSequence").input({4, 3}).input(DType::int64, {3}).output(),
            "float32 [4, 3]");
  EXPECT_THAT(InferOp("ReverseSequence").input({4, 3}).input(DType::int64, {4}).error(),
              HasSubstr("sequence_lens"));
  EXPECT_THAT(InferOp("ReverseSequence", with("batch_axis", std::int64_t{0}))
                  .input({4, 3})
                  .input(DType::int64, {4})
                  .error(),
              HasSubstr("time_axis"));
}

TEST(DropoutTest, HasAMaskOfTheSameShape) {
  EXPECT_EQ(InferOp("Dropout").input({2, 3}).output(), "float32 [2, 3]");
  EXPECT_EQ(InferOp("Dropout").input({2, 3}).output(1), "bool [2, 3]");
}

/// "int64 [at most 2, 3]".
std::string bound(InferOp op, std::size_t i = 0) {
  const ValueInfo info = op.outputs(i + 1)[i];
  return (info.bounded ? "at most " : "exactly ") + describe(*info.shape);
}

TEST(CompressTest, TakesAtMostWhatThereIs) {
  const Attributes rows = with("axis", std::int64_t{0});
  EXPECT_EQ(bound(InferOp("Compress", rows).input({3, 2}).input(DType::bool_, {3})),
            "at most [3, 2]");
  EXPECT_EQ(bound(InferOp("Compress", rows).input({3, 2}).input(DType::bool_, {2})),
            "at most [2, 2]");
  EXPECT_EQ(bound(InferOp("Compress").input({3, 2}).input(DType::bool_, {5})), "at most [5]");
  EXPECT_EQ(bound(InferOp("Compress").input({kUnknown}).input(DType::bool_, {kUnknown})),
            "at most [?]");
}

TEST(CompressTest, RefusesMoreConditionsThanPositions) {
  const Attributes rows = with("axis", std::int64_t{0});
  EXPECT_THAT(InferOp("Compress", rows).input({3, 2}).input(DType::bool_, {4}).error(),
              HasSubstr("the condition holds 4 elements for 3 positions"));
  EXPECT_THAT(InferOp("Compress").input({3, 2}).input(DType::bool_, {7}).error(),
              HasSubstr("the condition holds 7 elements for 6 positions"));
}

TEST(UniqueTest, BoundsAllButTheInverse) {
  EXPECT_EQ(bound(InferOp("Unique").input({2, 3})), "at most [6]");
  EXPECT_EQ(bound(InferOp("Unique").input({2, 3}), 2), "exactly [6]");
  const Attributes columns = with("axis", std::int64_t{1});
  EXPECT_EQ(bound(InferOp("Unique", columns).input({2, 3})), "at most [2, 3]");
  EXPECT_EQ(bound(InferOp("Unique", columns).input({2, 3}), 1), "at most [3]");
  EXPECT_EQ(bound(InferOp("Unique", columns).input({2, 3}), 3), "at most [3]");
}

TEST(NonZeroTest, HasOneRowForEachAxis) {
  EXPECT_EQ(bound(InferOp("NonZero").input({2, 3})), "at most [2, 6]");
  EXPECT_EQ(bound(InferOp("NonZero").input({})), "at most [0, 1]");
  EXPECT_EQ(bound(InferOp("NonZero").input({0, kUnknown})), "at most [2, 0]");
}

TEST(TopKTest, ShortensOneAxis) {
  EXPECT_EQ(InferOp("TopK").input({2, 5}).ints({3}).output(), "float32 [2, 3]");
  EXPECT_EQ(InferOp("TopK").input({2, 5}).ints({3}).output(1), "int64 [2, 3]");
  EXPECT_EQ(InferOp("TopK", with("axis", std::int64_t{0})).input({2, 5}).ints({0}).output(),
            "float32 [0, 5]");
  EXPECT_EQ(InferOp("TopK").input({2, 5}).input(DType::int64, {1}).output(), "float32 [2, ?]");
  EXPECT_EQ(InferOp("TopK").input({2, kUnknown}).ints({3}).output(), "float32 [2, 3]");
  EXPECT_THAT(InferOp("TopK").input({2, 5}).ints({6}).error(), HasSubstr("only 5"));
  EXPECT_THAT(InferOp("TopK").input({2, 5}).ints({1, 2}).error(), HasSubstr("a scalar or [1]"));
}

TEST(NonMaxSuppressionTest, BoundsBoxesByClassAndLimit) {
  const auto nms = [] { return InferOp("NonMaxSuppression").input({2, 6, 4}).input({2, 3, 6}); };
  EXPECT_EQ(bound(nms().number(4)), "at most [24, 3]");
  EXPECT_EQ(bound(nms().ints({100})), "at most [36, 3]");
  EXPECT_EQ(bound(nms()), "at most [0, 3]");
  EXPECT_EQ(bound(nms().input(DType::int64, {})), "at most [36, 3]");
  EXPECT_THAT(InferOp("NonMaxSuppression").input({2, 6, 4}).input({2, 3, 5}).error(),
              HasSubstr("6 and 5"));
  EXPECT_THAT(InferOp("NonMaxSuppression").input({2, 6, 5}).input({2, 3, 6}).error(),
              HasSubstr("coordinates"));
}

TEST(GatherTest, PutsIndicesInThePositionOfAnAxis) {
  const auto gather = [](Dims data, Dims indices, std::int64_t axis) {
    InferOp op("Gather", with("axis", axis));
    op.input(std::move(data)).input(DType::int64, std::move(indices));
    return op;
  };
  EXPECT_EQ(gather({5, 4, 3}, {2, 6}, 1).output(), "float32 [5, 2, 6, 3]");
  EXPECT_EQ(gather({5, 4, 3}, {}, 0).output(), "float32 [4, 3]");
  EXPECT_EQ(gather({5, 4, 3}, {0}, -1).output(), "float32 [5, 4, 0]");
  EXPECT_EQ(gather({kUnknown, 4}, {kUnknown}, 1).output(), "float32 [?, ?]");
  EXPECT_THAT(gather({5, 4}, {1}, 2).error(), HasSubstr("axis 2"));
  EXPECT_THAT(gather({}, {1}, 0).error(), HasSubstr("rank 0"));
}

TEST(GatherTest, TakesElementsOneByOne) {
  EXPECT_EQ(InferOp("GatherElements").input({3, 4}).input(DType::int64, {2, 4}).output(),
            "float32 [2, 4]");
  EXPECT_THAT(InferOp("GatherElements").input({3, 4}).input(DType::int64, {2}).error(),
              HasSubstr("one rank"));
}

TEST(GatherTest, TakesWhatManyIndicesAddress) {
  const auto gather = [](Dims data, Dims indices, std::int64_t batch) {
    InferOp op("GatherND", with("batch_dims", batch));
    op.input(std::move(data)).input(DType::int64, std::move(indices));
    return op;
  };
  EXPECT_EQ(gather({2, 3, 4}, {5, 2}, 0).output(), "float32 [5, 4]");
  EXPECT_EQ(gather({2, 3, 4}, {3}, 0).output(), "float32 []");
  EXPECT_EQ(gather({2, 3, 4}, {2, 1}, 1).output(), "float32 [2, 4]");
  EXPECT_EQ(gather({2, 3, 4}, {5, kUnknown}, 0).output(), "float32");
  EXPECT_THAT(gather({2, 3}, {5, 3}, 0).error(), HasSubstr("3 axes"));
  EXPECT_THAT(gather({2, 3}, {5, 1}, 2).error(), HasSubstr("batch_dims is 2"));
}

TEST(ScatterTest, KeepsTheDatasShape) {
  EXPECT_EQ(
      InferOp("ScatterElements").input({3, 4}).input(DType::int64, {1, 2}).input({1, 2}).output(),
      "float32 [3, 4]");
  EXPECT_THAT(
      InferOp("ScatterElements").input({3, 4}).input(DType::int64, {1, 2}).input({2, 2}).error(),
      HasSubstr("one shape"));
  EXPECT_EQ(InferOp("ScatterND").input({3, 4}).input(DType::int64, {5, 1}).input({5, 4}).output(),
            "float32 [3, 4]");
  EXPECT_THAT(InferOp("ScatterND").input({3, 4}).input(DType::int64, {5, 1}).input({5, 3}).error(),
              HasSubstr("[5, 4]"));
}

}  // namespace
}  // namespace switchyard
