// Images resized and sampled at other positions.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

Literal floats(const Floats& values) {
  return Literal::of<float>(DType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

std::string scaled(Dims shape, const Floats& scales, Attributes attributes = {}) {
  return InferOp("Resize", std::move(attributes))
      .input(std::move(shape))
      .absent()
      .known(floats(scales))
      .output();
}

InferOp sized(Dims shape, Ints sizes, Attributes attributes = {}) {
  InferOp op("Resize", std::move(attributes));
  op.input(std::move(shape)).absent().absent().ints(std::move(sizes));
  return op;
}

TEST(ResizeTest, ScalesAndRoundsDown) {
  EXPECT_EQ(scaled({1, 1, 2, 4}, {1, 1, 0.6f, 0.6f}), "float32 [1, 1, 1, 2]");
  EXPECT_EQ(scaled({1, 1, 2, 2}, {1, 1, 2, 3.5f}), "float32 [1, 1, 4, 7]");
  EXPECT_EQ(scaled({10}, {0.7f}), "float32 [7]");  // as float32 has it
  EXPECT_EQ(scaled({kUnknown, 3}, {2, 2}), "float32 [?, 6]");
  EXPECT_EQ(scaled({2, 3}, {2}, with("axes", Ints{-1})), "float32 [2, 6]");
}

TEST(ResizeTest, TakesSizes) {
  EXPECT_EQ(sized({1, 1, 2, 4}, {1, 1, 3, 8}).output(), "float32 [1, 1, 3, 8]");
  EXPECT_EQ(sized({1, kUnknown}, {5}, with("axes", Ints{1})).output(), "float32 [1, 5]");
}

TEST(ResizeTest, KeepsTheAspectRatio) {
  const auto kept = [](Dims shape, std::string policy) {
    return sized(std::move(shape), {7, 8},
                 with("keep_aspect_ratio_policy", std::move(policy), "axes", Ints{2, 3}))
        .output();
  };
  EXPECT_EQ(kept({1, 1, 2, 4}, "not_larger"), "float32 [1, 1, 4, 8]");
  EXPECT_EQ(kept({1, 1, 2, 4}, "not_smaller"), "float32 [1, 1, 7, 14]");
  EXPECT_EQ(kept({1, 1, kUnknown, 4}, "not_larger"), "float32 [1, 1, ?, ?]");
  EXPECT_THAT(sized({2}, {3}, with("keep_aspect_ratio_policy", std::string("never"))).error(),
              HasSubstr("not_larger"));
}

TEST(ResizeTest, ScalesWhatACropKeeps) {
  InferOp op("Resize", with("coordinate_transformation_mode", std::string("tf_crop_and_resize")));
  op.input({4, 8}).known(floats({0, 0.25f, 1, 0.75f})).known(floats({1, 2}));
  EXPECT_EQ(op.output(), "float32 [4, 8]");
  InferOp without("Resize",
                  with("coordinate_transformation_mode", std::string("tf_crop_and_resize")));
  without.input({4, 8}).absent().known(floats({1, 2}));
  EXPECT_THAT(without.error(), HasSubstr("roi"));
  InferOp sized("Resize",
                with("coordinate_transformation_mode", std::string("tf_crop_and_resize")));
  sized.input({4, 8}).known(floats({0, 1})).absent().ints({4, 8});
  EXPECT_THAT(sized.error(), HasSubstr("roi must hold 4 numbers"));
}

TEST(ResizeTest, TakesAnEmptyTensorForNone) {
  EXPECT_EQ(
      InferOp("Resize").input({2, 3}).known(floats({})).known(floats({})).ints({4, 5}).output(),
      "float32 [4, 5]");
  EXPECT_EQ(InferOp("Resize").input({2, 3}).absent().known(floats({2, 2})).ints({}).output(),
            "float32 [4, 6]");
}

TEST(ResizeTest, WaitsForValuesThatAreNotKnownYet) {
  EXPECT_EQ(InferOp("Resize").input({2, 3}).absent().input({2}).output(), "float32 [?, ?]");
  EXPECT_EQ(InferOp("Resize")
                .input({2, 3})
                .absent()
                .input({kUnknown})
                .input(DType::int64, {kUnknown})
                .output(),
            "float32 [?, ?]");
  EXPECT_EQ(InferOp("Resize", with("axes", Ints{0})).input({2, 3}).absent().input({1}).output(),
            "float32 [?, 3]");
}

TEST(ResizeTest, SaysWhatIsWrong) {
  EXPECT_THAT(InferOp("Resize").input({2}).error(), HasSubstr("neither"));
  EXPECT_THAT(InferOp("Resize").input({2}).absent().known(floats({2})).ints({3}).error(),
              HasSubstr("both"));
  EXPECT_THAT(sized({2, 3}, {4}).error(), HasSubstr("2 numbers"));
  EXPECT_THAT(sized({2}, {-4}).error(), HasSubstr("negative"));
  EXPECT_THAT(InferOp("Resize").input({2}).absent().known(floats({0})).error(),
              HasSubstr("greater than 0"));
}

TEST(UpsampleTest, ScalesEveryAxis) {
  EXPECT_EQ(InferOp("Upsample").input({1, 1, 2, 2}).known(floats({1, 1, 2, 3})).output(),
            "float32 [1, 1, 4, 6]");
  EXPECT_EQ(InferOp("Upsample").input({1, 2}).input({2}).output(), "float32 [?, ?]");
}

TEST(GridSampleTest, HasTheGridsExtents) {
  EXPECT_EQ(InferOp("GridSample").input({2, 3, 4, 4}).input({2, 5, 6, 2}).output(),
            "float32 [2, 3, 5, 6]");
  EXPECT_EQ(InferOp("GridSample").input({kUnknown, 3, 4, 4, 4}).input({2, 5, 6, 7, 3}).output(),
            "float32 [2, 3, 5, 6, 7]");
  EXPECT_EQ(InferOp("GridSample").input_of_unknown_rank().input({2, 5, 6, 2}).output(),
            "float32 [2, ?, 5, 6]");
  EXPECT_THAT(InferOp("GridSample").input({2, 3, 4, 4}).input({2, 5, 6, 3}).error(),
              HasSubstr("[N, ..., 2]"));
  EXPECT_THAT(InferOp("GridSample").input({2, 3, 4, 4}).input({1, 5, 6, 2}).error(),
              HasSubstr("2 and 1"));
}

TEST(AffineGridTest, HasAPointForEachPosition) {
  EXPECT_EQ(InferOp("AffineGrid").input({2, 2, 3}).ints({2, 3, 5, 6}).output(),
            "float32 [2, 5, 6, 2]");
  EXPECT_EQ(InferOp("AffineGrid").input({2, 3, 4}).ints({2, 3, 4, 5, 6}).output(),
            "float32 [2, 4, 5, 6, 3]");
  EXPECT_EQ(InferOp("AffineGrid").input({2, 2, 3}).input(DType::int64, {4}).output(),
            "float32 [?, ?, ?, 2]");
  EXPECT_THAT(InferOp("AffineGrid").input({2, 2, 3}).ints({2, 3}).error(), HasSubstr("2 numbers"));
}

}  // namespace
}  // namespace switchyard
