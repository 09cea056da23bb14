// Rows of the domain "switchyard": gradients, optimizer steps and random numbers.
#include "ops/row.hpp"

#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

InferOp own(std::string_view op, Attributes attributes = {}) {
  return InferOp(op, std::move(attributes), "switchyard");
}

TEST(GradientRowsTest, ConvolutionTakesTheShapeThatItIsAsked) {
  EXPECT_EQ(own("ConvInputGradient", with("pads", Ints{2, 2, 2, 2}))
                .input({64, 6, 28, 28})
                .input({6, 1, 5, 5})
                .ints({64, 1, 28, 28})
                .output(),
            "float32 [64, 1, 28, 28]");
  EXPECT_EQ(own("ConvWeightGradient", with("group", std::int64_t{2}))
                .input(DType::bfloat16, {1, 4, 9})
                .input(DType::bfloat16, {1, 6, 7})
                .ints({6, 2, 3})
                .output(),
            "bfloat16 [6, 2, 3]");
  EXPECT_EQ(own("ConvInputGradient")
                .input({kUnknown, 6, 28, 28})
                .input({6, 1, 5, 5})
                .input(DType::int64, {4})
                .output(),
            "float32 [?, ?, ?, ?]");
}

TEST(GradientRowsTest, ConvolutionRefusesWhatTheForwardOpCannotHaveMade) {
  const auto input_gradient = [](Dims dy, Dims weights, Ints shape) {
    return own("ConvInputGradient")
        .input(std::move(dy))
        .input(std::move(weights))
        .ints(shape)
        .error();
  };
  EXPECT_EQ(input_gradient({1, 4, 6, 6}, {4, 3, 3, 3}, {1, 3, 8, 8}), "no error");
  EXPECT_THAT(input_gradient({1, 4, 6, 6}, {4, 3, 3, 3}, {1, 3, 9, 8}),
              HasSubstr("windows over [1, 3, 9, 8] take 7 positions on axis 2, but dY has shape"));
  EXPECT_THAT(input_gradient({2, 4, 6, 6}, {4, 3, 3, 3}, {1, 3, 8, 8}), HasSubstr("batch of dY"));
  EXPECT_THAT(input_gradient({1, 5, 6, 6}, {4, 3, 3, 3}, {1, 3, 8, 8}),
              HasSubstr("channels of dY"));
  EXPECT_THAT(input_gradient({1, 4, 6, 6}, {4, 3, 3, 3}, {1, 2, 8, 8}), HasSubstr("channels of X"));
  EXPECT_THAT(input_gradient({1, 4, 6, 6}, {4, 3, 3, 3}, {1, 3, 8}), HasSubstr("one rank"));
  EXPECT_THAT(own("ConvWeightGradient").input({1, 3, 8}).input({1, 4, 6}).ints({4, 3, 4}).error(),
              HasSubstr("take 5 positions on axis 2"));
}

TEST(GradientRowsTest, Pooling) {
  EXPECT_EQ(own("MaxPoolGradient")
                .input({2, 3, 4})
                .input(DType::int64, {2, 3, 4})
                .ints({2, 3, 9})
                .output(),
            "float32 [2, 3, 9]");
  EXPECT_THAT(own("MaxPoolGradient")
                  .input({2, 3, 4})
                  .input(DType::int64, {2, 3, 5})
                  .ints({2, 3, 9})
                  .error(),
              HasSubstr("must be of one shape"));
  EXPECT_THAT(own("MaxPoolGradient")
                  .input({2, 3, 4})
                  .input(DType::int64, {2, 3, 4})
                  .ints({2, 4, 9})
                  .error(),
              HasSubstr("channels of dY is 3; it must be 4"));
  EXPECT_EQ(own("MaxPoolGather").input({2, 3, 9}).input(DType::int64, {2, 3, 4}).output(),
            "float32 [2, 3, 4]");
  const Attributes window = with("kernel_shape", Ints{3}, "strides", Ints{2});
  EXPECT_EQ(own("AveragePoolGradient", window).input({2, 3, 4}).ints({2, 3, 9}).output(),
            "float32 [2, 3, 9]");
  EXPECT_THAT(own("AveragePoolGradient", window).input({2, 3, 4}).ints({2, 3, 8}).error(),
              HasSubstr("windows over [2, 3, 8] take 3 positions on axis 2"));
}

TEST(GradientRowsTest, OfSoftmaxIsOfOneShape) {
  const auto op = [](std::int64_t axis = -1) { return own("SoftmaxGradient", with("axis", axis)); };
  EXPECT_EQ(op().input({2, 3}).input({2, 3}).output(), "float32 [2, 3]");
  EXPECT_EQ(op().input({kUnknown, 3}).input({2, kUnknown}).output(), "float32 [2, 3]");
  EXPECT_EQ(op().input({}).input({}).output(), "float32 []");
  EXPECT_THAT(op().input({2, 3}).input({2, 4}).error(), HasSubstr("must be of one shape"));
  EXPECT_THAT(op(2).input({2, 3}).input({2, 3}).error(), HasSubstr("axis"));
}

TEST(GradientRowsTest, OfLayerNormalization) {
  const auto op = [](std::int64_t axis, DType dtype = DType::float32, std::int64_t stash = 1) {
    return own("LayerNormalizationGradient", with("axis", axis, "stash_type", stash))
        .input(dtype, {2, 3, 4})
        .input(dtype, {2, 3, 4});
  };
  InferOp layer = op(1, DType::float16);
  layer.input(DType::float16, {3, 4});
  EXPECT_EQ(layer.output(0), "float16 [2, 3, 4]");
  EXPECT_EQ(layer.output(1), "float16 [3, 4]");
  EXPECT_EQ(layer.output(2), "float16 [3, 4]");
  EXPECT_THAT(op(-1).input({1}).error(), HasSubstr("the scale must be of a line's shape"));
  EXPECT_THAT(op(3).input({4}).error(), HasSubstr("axis"));
  EXPECT_THAT(op(-1, DType::float64).input(DType::float64, {4}).error(),
              HasSubstr("stash_type is 1; for float64 it must be 11"));
  EXPECT_THAT(op(-1, DType::float16, 11).input(DType::float16, {4}).error(),
              HasSubstr("for float16 it must be 1"));
}

TEST(GradientRowsTest, NormsByChannelsHaveANumberForEachChannel) {
  const auto batch = [](DType dtype = DType::float32, std::int64_t stash = 1) {
    return own("BatchNormalizationGradient", with("stash_type", stash))
        .input(dtype, {2, 6, 4})
        .input(dtype, {2, 6, 4});
  };
  InferOp made = batch(DType::bfloat16);
  made.input(DType::bfloat16, {kUnknown});
  EXPECT_EQ(made.output(0), "bfloat16 [2, 6, 4]");
  EXPECT_EQ(made.output(1), "bfloat16 [6]");
  EXPECT_EQ(made.output(2), "bfloat16 [6]");
  EXPECT_THAT(batch().input({4}).error(), HasSubstr("one number for each channel"));
  EXPECT_THAT(batch(DType::float32, 11).input({6}).error(), HasSubstr("it must be 1"));
  EXPECT_THAT(own("BatchNormalizationGradient").input({6}).input({6}).input({6}).error(),
              HasSubstr("a dimension of channels"));
  const auto groups = [](std::int64_t count) {
    return own("GroupNormalizationGradient", with("num_groups", count))
        .input({2, 6, 4})
        .input({2, 6, 4})
        .input({6});
  };
  EXPECT_EQ(groups(3).output(1), "float32 [6]");
  EXPECT_THAT(groups(4).error(), HasSubstr("6 channels do not divide into 4 groups"));
  EXPECT_THAT(groups(0).error(), HasSubstr("num_groups"));
}

TEST(OptimizerRowsTest, StateKeepsTheParametersShapeAndType) {
  InferOp adam = own("AdamStep");
  for (int i = 0; i < 4; ++i) adam.input(DType::float16, {3, 5});
  for (int i = 0; i < 3; ++i) adam.input({});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(adam.output(i), "float16 [3, 5]");
  EXPECT_THAT(own("SgdStep").input({3}).input({4}).input({}).error(), HasSubstr("its gradient"));
  EXPECT_THAT(own("SgdStep").input({3}).input({3}).input({1}).error(), HasSubstr("a scalar"));
  const Dims shape = {3};
  EXPECT_THAT(
      own("SgdStep").input(DType::float64, shape).input(DType::float64, shape).input({}).error(),
      HasSubstr("takes its rate and the other scalars in float64"));
}

TEST(PhiloxRowsTest, ShapeIsAnInputAndTypeAnAttribute) {
  EXPECT_EQ(own("PhiloxNormal", with("dtype", std::int64_t{11}))
                .ints({2, 3})
                .number(1)
                .number(2)
                .output(),
            "float64 [2, 3]");
  EXPECT_EQ(own("PhiloxUniform").input(DType::int64, {2}).number(1).number(2).output(),
            "float32 [?, ?]");
  InferOp integers = own("PhiloxInteger");
  EXPECT_EQ(integers.ints({4}).number(1).number(2).number(0).number(9).output(), "int64 [4]");
  EXPECT_THAT(own("PhiloxUniform").ints({-2}).number(1).number(2).error(), HasSubstr("-2"));
  EXPECT_THAT(own("PhiloxUniform").ints({2}).ints({1}).number(2).error(), HasSubstr("a scalar"));
  EXPECT_FALSE(find_op("switchyard", "PhiloxUniform")->row->random);
}

}  // namespace
}  // namespace switchyard
