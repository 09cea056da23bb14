// Windows that slide over spatial axes.
#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

InferOp conv(Attributes attributes, Dims x, Dims w) {
  InferOp op("Conv", std::move(attributes));
  op.input(std::move(x)).input(std::move(w));
  return op;
}

TEST(ConvTest, SlidesWithStridesPadsAndDilations) {
  EXPECT_EQ(conv({}, {1, 3, 5, 7}, {8, 3, 3, 3}).output(), "float32 [1, 8, 3, 5]");
  EXPECT_EQ(conv(with("pads", Ints{1, 1, 1, 1}, "strides", Ints{2, 2}), {1, 1, 7, 5}, {1, 1, 3, 3})
                .output(),
            "float32 [1, 1, 4, 3]");
  EXPECT_EQ(conv(with("dilations", Ints{2}), {1, 1, 9}, {4, 1, 3}).output(), "float32 [1, 4, 5]");
  EXPECT_EQ(conv({}, {0, 3, 5, 5}, {8, 3, 1, 1}).output(), "float32 [0, 8, 5, 5]");
  EXPECT_EQ(conv(with("group", std::int64_t{3}), {1, 6, 4, 4, 4}, {9, 2, 2, 2, 2}).output(),
            "float32 [1, 9, 3, 3, 3]");
}

TEST(ConvTest, PadsByItselfOnRequest) {
  const auto automatic = [](std::string pad) {
    return conv(with("auto_pad", std::move(pad), "strides", Ints{2}), {1, 1, 7}, {1, 1, 3})
        .output();
  };
  EXPECT_EQ(automatic("SAME_UPPER"), "float32 [1, 1, 4]");
  EXPECT_EQ(automatic("SAME_LOWER"), "float32 [1, 1, 4]");
  EXPECT_EQ(automatic("VALID"), "float32 [1, 1, 3]");
  EXPECT_THAT(conv(with("auto_pad", std::string("SAME")), {1, 1, 7}, {1, 1, 3}).error(),
              HasSubstr("SAME_UPPER"));
}

TEST(ConvTest, TellsWhatItCanOfUnknownExtents) {
  EXPECT_EQ(conv({}, {kUnknown, 3, kUnknown, 7}, {8, 3, 3, 3}).output(), "float32 [?, 8, ?, 5]");
  EXPECT_EQ(conv({}, {1, kUnknown, 5, 5}, {kUnknown, kUnknown, 3, 3}).output(),
            "float32 [1, ?, 3, 3]");
  EXPECT_EQ(InferOp("Conv").input_of_unknown_rank().input({8, 3, 3}).output(), "float32 [?, 8, ?]");
  EXPECT_EQ(InferOp("Conv").input({1, 3, 5}).input_of_unknown_rank().output(), "float32");
  EXPECT_EQ(InferOp("Conv", with("kernel_shape", Ints{3}))
                .input({1, 3, 5})
                .input_of_unknown_rank()
                .output(),
            "float32 [1, ?, 3]");
}

TEST(ConvTest, SaysWhatDoesNotFit) {
  EXPECT_THAT(conv({}, {1, 4, 5, 5}, {8, 3, 3, 3}).error(), HasSubstr("4 channels"));
  EXPECT_THAT(conv({}, {1, 3, 2, 5}, {8, 3, 3, 3}).error(), HasSubstr("spans 3"));
  EXPECT_THAT(conv({}, {1, 3, 5}, {8, 3, 3, 3}).error(), HasSubstr("one rank"));
  EXPECT_THAT(conv(with("kernel_shape", Ints{-1}), {1, 3, 5}, {8, 3, 3}).error(),
              HasSubstr("at least 1"));
  EXPECT_THAT(conv({}, {1, 3}, {8, 3}).error(), HasSubstr("at least 3"));
  EXPECT_THAT(conv(with("group", std::int64_t{0}), {1, 3, 5}, {8, 3, 3}).error(),
              HasSubstr("group is 0"));
  EXPECT_THAT(conv(with("group", std::int64_t{3}), {1, 3, 5}, {8, 1, 3}).error(),
              HasSubstr("groups"));
  EXPECT_THAT(conv(with("strides", Ints{0}), {1, 3, 5}, {8, 3, 3}).error(),
              HasSubstr("at least 1"));
  EXPECT_THAT(conv(with("pads", Ints{1}), {1, 3, 5}, {8, 3, 3}).error(), HasSubstr("2 numbers"));
  EXPECT_THAT(conv(with("kernel_shape", Ints{5}), {1, 3, 5}, {8, 3, 3}).error(), HasSubstr("5"));
  EXPECT_THAT(InferOp("Conv").input({1, 3, 5}).input({8, 3, 3}).input({7}).error(),
              HasSubstr("input 2 (\"B\") has shape [7]; it must be [8]"));
}

InferOp conv_transpose(Attributes attributes, Dims x, Dims w) {
  InferOp op("ConvTranspose", std::move(attributes));
  op.input(std::move(x)).input(std::move(w));
  return op;
}

TEST(ConvTransposeTest, GrowsWhatConvShrinks) {
  EXPECT_EQ(conv_transpose({}, {1, 1, 3, 3}, {1, 2, 3, 3}).output(), "float32 [1, 2, 5, 5]");
  const Attributes strided = with("strides", Ints{3, 2}, "output_padding", Ints{1, 1});
  EXPECT_EQ(conv_transpose(strided, {1, 1, 3, 3}, {1, 2, 3, 3}).output(), "float32 [1, 2, 10, 8]");
  const Attributes padded = with("strides", Ints{3, 2}, "pads", Ints{1, 2, 1, 2});
  EXPECT_EQ(conv_transpose(padded, {1, 1, 3, 3}, {1, 2, 3, 3}).output(), "float32 [1, 2, 7, 3]");
  EXPECT_EQ(conv_transpose(with("output_shape", Ints{10, 8}), {1, 1, 3, 3}, {1, 2, 3, 3}).output(),
            "float32 [1, 2, 10, 8]");
  EXPECT_EQ(conv_transpose(with("auto_pad", std::string("SAME_UPPER"), "strides", Ints{2}),
                           {1, 1, 3}, {1, 1, 3})
                .output(),
            "float32 [1, 1, 6]");
  EXPECT_EQ(conv_transpose(with("group", std::int64_t{2}), {1, 4, kUnknown}, {4, 3, 2}).output(),
            "float32 [1, 6, ?]");
}

TEST(ConvTransposeTest, SaysWhatDoesNotFit) {
  EXPECT_THAT(conv_transpose({}, {1, 2, 3}, {1, 2, 3}).error(), HasSubstr("2 channels"));
  EXPECT_THAT(conv_transpose(with("pads", Ints{3, 3}), {1, 1, 3}, {1, 1, 3}).error(),
              HasSubstr("pads take 6"));
  EXPECT_THAT(conv_transpose(with("output_shape", Ints{-1}), {1, 1, 3}, {1, 1, 3}).error(),
              HasSubstr("negative"));
  EXPECT_THAT(conv_transpose(with("output_shape", Ints{1, 2, 3}), {1, 1, 3}, {1, 1, 3}).error(),
              HasSubstr("output_shape"));
}

TEST(DeformConvTest, AgreesWithItsOffsets) {
  EXPECT_EQ(
      InferOp("DeformConv").input({1, 1, 3, 3}).input({1, 1, 2, 2}).input({1, 8, 2, 2}).output(),
      "float32 [1, 1, 2, 2]");
  EXPECT_EQ(InferOp("DeformConv")
                .input({1, 1, kUnknown, 3})
                .input({1, 1, 2, 2})
                .input({1, 8, 2, 2})
                .output(),
            "float32 [1, 1, 2, 2]");
  EXPECT_THAT(
      InferOp("DeformConv").input({1, 1, 3, 3}).input({1, 1, 2, 2}).input({1, 8, 3, 2}).error(),
      HasSubstr("offset\") has shape [1, 8, 3, 2]; it must be [1, 8, 2, 2]"));
}

std::string max_pool(Attributes attributes, Dims shape) {
  return InferOp("MaxPool", std::move(attributes)).input(std::move(shape)).output();
}

TEST(PoolTest, SlidesLikeConv) {
  EXPECT_EQ(max_pool(with("kernel_shape", Ints{2, 2}), {1, 3, 5, 5}), "float32 [1, 3, 4, 4]");
  EXPECT_EQ(max_pool(with("kernel_shape", Ints{3}, "dilations", Ints{2}), {1, 3, 7}),
            "float32 [1, 3, 3]");
  EXPECT_EQ(max_pool(with("kernel_shape", Ints{2}), {kUnknown, 3, kUnknown}), "float32 [?, 3, ?]");
  EXPECT_EQ(InferOp("MaxPool", with("kernel_shape", Ints{2})).input_of_unknown_rank().output(),
            "float32 [?, ?, ?]");
  EXPECT_EQ(InferOp("MaxPool", with("kernel_shape", Ints{2})).input({1, 3, 5}).output(1),
            "int64 [1, 3, 4]");
}

TEST(PoolTest, RoundsUpWithCeilModeButStartsNoWindowOutside) {
  const auto ceiling = [](Ints kernel, Ints strides, Ints pads, Dims shape) {
    return max_pool(with("kernel_shape", std::move(kernel), "strides", std::move(strides), "pads",
                         std::move(pads), "ceil_mode", std::int64_t{1}),
                    std::move(shape));
  };
  EXPECT_EQ(ceiling({3}, {2}, {0, 0}, {1, 1, 4}), "float32 [1, 1, 2]");
  EXPECT_EQ(ceiling({3}, {2}, {0, 0}, {1, 1, 5}), "float32 [1, 1, 2]");
  EXPECT_EQ(ceiling({1}, {2}, {0, 1}, {1, 1, 4}), "float32 [1, 1, 2]");
  EXPECT_EQ(ceiling({2}, {2}, {1, 1}, {1, 1, 3}), "float32 [1, 1, 2]");
}

// onnxruntime rounds what a window lacks, in strides, towards 0.
TEST(PoolTest, HasWindowsLargerThanTheInput) {
  for (const std::int64_t ceil : {0, 1}) {
    const auto wide = [&](Ints kernel, Ints strides, Dims shape) {
      return InferOp("MaxPool", with("kernel_shape", std::move(kernel), "strides",
                                     std::move(strides), "ceil_mode", ceil))
          .input(std::move(shape));
    };
    EXPECT_EQ(wide({6}, {2}, {1, 1, 5}).output(), "float32 [1, 1, 1]");
    EXPECT_EQ(wide({7}, {3}, {1, 1, 5}).output(), "float32 [1, 1, 1]");
    EXPECT_EQ(wide({7}, {2}, {1, 1, 5}).output(), "float32 [1, 1, 0]");
    EXPECT_EQ(wide({2, 8}, {1, 2}, {1, 1, 5, 5}).output(), "float32 [1, 1, 4, 0]");
    EXPECT_THAT(wide({9}, {2}, {1, 1, 5}).error(), HasSubstr("spans 9"));
    EXPECT_THAT(wide({1}, {2}, {1, 1, 0}).error(), HasSubstr("spans 1"));
  }
}

TEST(PoolTest, SaysWhatDoesNotFit) {
  const Attributes two = with("kernel_shape", Ints{2, 2});
  EXPECT_THAT(InferOp("AveragePool", two).input({1, 3, 5}).error(), HasSubstr("[1, 3, 5]"));
  EXPECT_THAT(InferOp("LpPool", with("kernel_shape", Ints{2, 3})).input({1, 3, 5, 1}).error(),
              HasSubstr("spans 3"));
  EXPECT_THAT(InferOp("MaxPool", with("kernel_shape", Ints{})).input({1, 3}).error(),
              HasSubstr("kernel_shape"));
}

TEST(GlobalPoolTest, LeavesOneElementOfEachChannel) {
  for (const std::int64_t p : {0, -1}) {
    EXPECT_THAT(InferOp("GlobalLpPool", with("p", p)).input({1, 3, 5, 1}).error(),
                HasSubstr("p is " + std::to_string(p) + "; it must be at least 1"));
  }
  for (const char* op : {"GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"}) {
    EXPECT_EQ(InferOp(op).input({2, 3, kUnknown, 5}).output(), "float32 [2, 3, 1, 1]");
    EXPECT_EQ(InferOp(op).input_of_unknown_rank().output(), "float32");
  }
}

TEST(MaxUnpoolTest, UndoesMaxPool) {
  const Attributes two = with("kernel_shape", Ints{2, 2}, "strides", Ints{2, 2});
  EXPECT_EQ(
      InferOp("MaxUnpool", two).input({1, 1, 2, 2}).input(DType::int64, {1, 1, 2, 2}).output(),
      "float32 [1, 1, 4, 4]");
  EXPECT_EQ(InferOp("MaxUnpool", two)
                .input({1, 1, 2, 2})
                .input(DType::int64, {1, 1, 2, 2})
                .ints({1, 1, 5, 5})
                .output(),
            "float32 [1, 1, 5, 5]");
  EXPECT_THAT(
      InferOp("MaxUnpool", two).input({1, 1, 2, 2}).input(DType::int64, {1, 1, 2, 3}).error(),
      HasSubstr("one shape"));
}

TEST(RegionTest, PoolsEachRegionIntoOneWindow) {
  EXPECT_EQ(InferOp("MaxRoiPool", with("pooled_shape", Ints{2, 3}))
                .input({1, 4, 9, 9})
                .input({5, 5})
                .output(),
            "float32 [5, 4, 2, 3]");
  const Attributes window = with("output_height", std::int64_t{5}, "output_width", std::int64_t{6});
  EXPECT_EQ(InferOp("RoiAlign", window)
                .input({1, 4, 9, 9})
                .input({kUnknown, 4})
                .input(DType::int64, {kUnknown})
                .output(),
            "float32 [?, 4, 5, 6]");
  EXPECT_THAT(InferOp("MaxRoiPool", with("pooled_shape", Ints{2}))
                  .input({1, 4, 9, 9})
                  .input({5, 5})
                  .error(),
              HasSubstr("[H, W]"));
}

}  // namespace
}  // namespace switchyard
