#include "infer_op.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

TEST(QuantizeLinearTest, TheZeroPointTellsTheType) {
  EXPECT_EQ(InferOp("QuantizeLinear").input({2, 3}).input({}).input(DType::int8, {}).output(),
            "int8 [2, 3]");
  EXPECT_EQ(InferOp("QuantizeLinear").input({2, 3}).input({}).output(), "uint8 [2, 3]");
  const auto int4 = with("output_dtype", static_cast<std::int64_t>(DType::int4));
  EXPECT_EQ(InferOp("QuantizeLinear", int4).input({2, 3}).input({}).output(), "int4 [2, 3]");
  EXPECT_THAT(
      InferOp("QuantizeLinear", int4).input({2, 3}).input({}).input(DType::int8, {}).error(),
      HasSubstr("\"output_dtype\" is int4, but the zero point is int8"));
  EXPECT_THAT(InferOp("QuantizeLinear", with("output_dtype", std::int64_t{1}))
                  .input({2, 3})
                  .input({})
                  .error(),
              HasSubstr("would be float32"));
}

TEST(QuantizeLinearTest, DividesInATypeOfFloat32OrLess) {
  const auto error = [](DType precision) {
    return InferOp("QuantizeLinear", with("precision", static_cast<std::int64_t>(precision)))
        .input({4})
        .input({})
        .error();
  };
  EXPECT_EQ(error(DType::bfloat16), "no error");
  EXPECT_THAT(error(DType::float64), HasSubstr("\"precision\" is float64; it must be"));
  EXPECT_THAT(error(DType::int8), HasSubstr("\"precision\" is int8"));
}

TEST(QuantizeLinearTest, AnInt32InputTakesAFloatScale) {
  EXPECT_EQ(InferOp("QuantizeLinear").input(DType::int32, {4}).input(DType::float32, {1}).output(),
            "uint8 [4]");
}

TEST(DequantizeLinearTest, TheScaleTellsTheType) {
  EXPECT_EQ(
      InferOp("DequantizeLinear").input(DType::uint8, {2, 3}).input(DType::float16, {3}).output(),
      "float16 [2, 3]");
}

TEST(DequantizeLinearTest, ScalesGoAlongTheAxisOrInBlocks) {
  const auto op = [](Attributes attributes, Dims scale) {
    return InferOp("DequantizeLinear", std::move(attributes))
        .input(DType::int8, {4, 6})
        .input(std::move(scale));
  };
  EXPECT_EQ(op(with("axis", std::int64_t{0}), {4}).output(), "float32 [4, 6]");
  EXPECT_EQ(op(with("axis", std::int64_t{7}), {1}).output(), "float32 [4, 6]");
  EXPECT_THAT(op({}, {4}).error(), HasSubstr("it must be a scalar or [6]"));
  EXPECT_EQ(op(with("block_size", std::int64_t{2}), {4, 3}).output(), "float32 [4, 6]");
  EXPECT_THAT(op(with("block_size", std::int64_t{2}), {4, 2}).error(),
              HasSubstr("it must be [4, 3]"));
  EXPECT_THAT(op({}, {6}).input(DType::int8, {4}).error(), HasSubstr("scale and zero point"));
}

TEST(DynamicQuantizeLinearTest, GivesScaleAndZeroPoint) {
  InferOp op("DynamicQuantizeLinear");
  op.input({2, kUnknown});
  EXPECT_EQ(op.output(0), "uint8 [2, ?]");
  EXPECT_EQ(op.output(1), "float32 []");
  EXPECT_EQ(op.output(2), "uint8 []");
}

TEST(QuantizedProductsTest, HaveTheShapesOfTheirModels) {
  InferOp conv("QLinearConv", with("pads", std::vector<std::int64_t>{1, 1, 1, 1}));
  conv.input(DType::uint8, {1, 3, 8, 8}).input({}).input(DType::uint8, {});
  conv.input(DType::int8, {5, 3, 3, 3}).input({5}).input(DType::int8, {5});
  conv.input({}).input(DType::uint8, {}).input(DType::int32, {5});
  EXPECT_EQ(conv.output(), "uint8 [1, 5, 8, 8]");

  InferOp product("QLinearMatMul");
  product.input(DType::uint8, {2, 3}).input({}).input(DType::uint8, {});
  product.input(DType::int8, {3, 4})
      .input({})
      .input(DType::int8, {})
      .input({})
      .input(DType::int8, {});
  EXPECT_EQ(product.output(), "int8 [2, 4]");

  EXPECT_EQ(InferOp("ConvInteger")
                .input(DType::uint8, {1, 1, 3, 3})
                .input(DType::uint8, {1, 1, 2, 2})
                .output(),
            "int32 [1, 1, 2, 2]");
}

}  // namespace
}  // namespace switchyard
