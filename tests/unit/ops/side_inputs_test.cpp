// What scales, zero points, biases, states, lengths and thresholds must be: a shape that does not
// go with the data's is refused before any kernel sees it, and so are numbers that would overflow.
#include <limits>

#include "ops/infer_op.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

/// A node of one op whose inputs are given in short, one of which is then made wrong.
struct Sound {
  std::string_view op;
  Attributes attributes;
  std::vector<std::pair<DType, Dims>> inputs;

  std::string error_with(std::size_t changed, const Dims& shape) const {
    InferOp node(op, attributes);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      node.input(inputs[i].first, i == changed ? shape : inputs[i].second);
    }
    return node.error();
  }
};

constexpr DType f = DType::float32, u8 = DType::uint8, i8 = DType::int8, i32 = DType::int32,
                i64 = DType::int64;

std::vector<Sound> sound_nodes() {
  return {
      {"RNN",
       {},
       {{f, {7, 2, 3}}, {f, {1, 5, 3}}, {f, {1, 5, 5}}, {f, {1, 10}}, {i32, {2}}, {f, {1, 2, 5}}}},
      {"GRU",
       with("layout", std::int64_t{1}),
       {{f, {2, 7, 3}},
        {f, {1, 15, 3}},
        {f, {1, 15, 5}},
        {f, {1, 30}},
        {i32, {2}},
        {f, {2, 1, 5}}}},
      {"LSTM",
       with("direction", std::string("bidirectional")),
       {{f, {7, 2, 3}},
        {f, {2, 20, 3}},
        {f, {2, 20, 5}},
        {f, {2, 40}},
        {i32, {2}},
        {f, {2, 2, 5}},
        {f, {2, 2, 5}},
        {f, {2, 15}}}},
      {"QLinearConv",
       {},
       {{u8, {1, 3, 8, 8}},
        {f, {}},
        {u8, {}},
        {i8, {5, 3, 3, 3}},
        {f, {5}},
        {i8, {5}},
        {f, {}},
        {u8, {}},
        {i32, {5}}}},
      {"ConvInteger", {}, {{u8, {1, 3, 8, 8}}, {i8, {5, 3, 3, 3}}, {u8, {}}, {i8, {5}}}},
      {"QLinearMatMul",
       {},
       {{u8, {2, 3}}, {f, {2}}, {u8, {2}}, {i8, {3, 4}}, {f, {4}}, {i8, {4}}, {f, {}}, {u8, {}}}},
      {"MatMulInteger", {}, {{u8, {2, 3}}, {i8, {3, 4}}, {u8, {2}}, {i8, {4}}}},
      {"Conv", {}, {{f, {1, 3, 8, 8}}, {f, {5, 3, 3, 3}}, {f, {5}}}},
      {"ConvTranspose", {}, {{f, {1, 3, 8, 8}}, {f, {3, 5, 3, 3}}, {f, {5}}}},
      {"DeformConv",
       {},
       {{f, {1, 2, 4, 4}}, {f, {3, 2, 2, 2}}, {f, {1, 8, 3, 3}}, {f, {3}}, {f, {1, 4, 3, 3}}}},
      {"BatchNormalization", {}, {{f, {2, 3, 4}}, {f, {3}}, {f, {3}}, {f, {3}}, {f, {3}}}},
      {"InstanceNormalization", {}, {{f, {2, 3, 4}}, {f, {3}}, {f, {3}}}},
      {"GroupNormalization",
       with("num_groups", std::int64_t{2}),
       {{f, {2, 4, 5}}, {f, {4}}, {f, {4}}}},
      {"LayerNormalization", {}, {{f, {2, 5, 4}}, {f, {4}}, {f, {4}}}},
      {"Gemm", {}, {{f, {2, 3}}, {f, {3, 4}}, {f, {4}}}},
      {"Dropout", {}, {{f, {2, 3}}, {f, {}}, {DType::bool_, {}}}},
      {"Clip", {}, {{f, {2, 3}}, {f, {}}, {f, {}}}},
      {"ReverseSequence", {}, {{f, {4, 2, 3}}, {i64, {2}}}},
      {"NonMaxSuppression", {}, {{f, {1, 3, 4}}, {f, {1, 2, 3}}, {i64, {}}, {f, {}}, {f, {}}}},
      {"RoiAlign", {}, {{f, {1, 2, 6, 6}}, {f, {3, 4}}, {i64, {3}}}},
      {"NegativeLogLikelihoodLoss", {}, {{f, {4, 3, 2}}, {i32, {4, 2}}, {f, {3}}}},
      {"GatherND", with("batch_dims", std::int64_t{1}), {{f, {2, 5}}, {i64, {2, 1}}}},
      {"ScatterND", {}, {{f, {3, 3}}, {i64, {2, 1}}, {f, {2, 3}}}},
      {"ScatterElements", {}, {{f, {3, 3}}, {i64, {1, 2}}, {f, {1, 2}}}},
  };
}

/// Weights of another size make another result, and nothing wrong.
std::size_t second_factor(std::string_view op) {
  if (op == "QLinearConv" || op == "QLinearMatMul") return 3;
  if (op == "Conv" || op == "ConvTranspose" || op == "ConvInteger") return 1;
  return op == "MatMulInteger" ? 1 : 0;
}

// Among them are those that were read, or written, behind their ends.
TEST(SideInputTest, MustGoWithTheData) {
  for (const Sound& node : sound_nodes()) {
    EXPECT_EQ(node.error_with(SIZE_MAX, {}), "no error") << node.op;
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
      if (i == second_factor(node.op)) continue;
      Dims longer = node.inputs[i].second, deeper = longer;
      if (longer.empty())
        longer = {2};
      else
        longer[longer.size() - 1] += 3;
      deeper.insert(0, 3);
      for (const Dims& shape : {longer, deeper}) {
        EXPECT_NE(node.error_with(i, shape), "no error")
            << node.op << " with input " << i << " of shape " << describe(shape);
      }
    }
  }
}

TEST(SideInputTest, MustHoldAnElementWhereOneIsRead) {
  for (const Sound& node : sound_nodes()) {
    if (node.op == "ScatterElements" || node.op == "GatherND" || node.op == "RoiAlign") continue;
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
      EXPECT_NE(node.error_with(i, {0}), "no error") << node.op << " with input " << i << " empty";
    }
  }
}

TEST(SideInputTest, TheMessageNamesTheInputAndWhatItMustBe) {
  EXPECT_EQ(
      sound_nodes()[2].error_with(6, {1}),
      "[LSTM] input 6 (\"initial_c\") has shape [1]; it must be [2, 2, 5]: directions, batch, "
      "hidden");
}

TEST(SideInputTest, ScalesOfAProductLieAlongRowsOrColumns) {
  const auto product = [](Dims left, Dims right) {
    InferOp node("QLinearMatMul");
    node.input(u8, {6, 2, 3}).input(std::move(left)).input(u8, {});
    node.input(i8, {6, 3, 4}).input(std::move(right)).input(i8, {}).input({}).input(u8, {});
    return node.error();
  };
  EXPECT_EQ(product({6, 2, 1}, {6, 1, 4}), "no error");
  EXPECT_EQ(product({1, 2, 1}, {1}), "no error");
  EXPECT_THAT(product({6, 2, 3}, {}), HasSubstr("broadcasts to [6, 2, 1]"));
  EXPECT_THAT(product({3}, {}), HasSubstr("for each of the 2 rows"));
  EXPECT_THAT(product({}, {3}), HasSubstr("for each of the 4 columns"));
}

TEST(SideInputTest, ABatchOfIndicesIsThatOfTheData) {
  const Attributes batched = with("batch_dims", std::int64_t{1});
  EXPECT_THAT(InferOp("GatherND", batched).input({0, 5}).input(i64, {2, 1}).error(),
              HasSubstr("the batches of data and indices must be equal, not 0 and 2"));
  EXPECT_THAT(InferOp("GatherElements").input({3, 3}).input(i64, {1, 4}).error(),
              HasSubstr("reach beyond data [3, 3] on axis 1"));
}

TEST(OverflowTest, EndsInAnError) {
  const auto ints = [](Ints values) { return values; };
  EXPECT_THAT(
      InferOp("DepthToSpace", with("blocksize", std::int64_t{1} << 32)).input({1, 4, 2, 2}).error(),
      HasSubstr("blocksize is 4294967296; it must be at most 2147483647"));
  EXPECT_THAT(InferOp("Range").number(-kHuge).number(kHuge).number(1).error(),
              HasSubstr("more than a tensor holds"));
  EXPECT_THAT(InferOp("MaxPool", with("kernel_shape", ints({3}), "dilations", ints({kHuge})))
                  .input({1, 1, 9})
                  .error(),
              HasSubstr("each must be at most 2147483647"));
  EXPECT_THAT(InferOp("Reshape").input({2, 3}).ints({1LL << 32, 1LL << 32, -1}).error(),
              HasSubstr("do not divide"));
  EXPECT_THAT(InferOp("Pad").input({2}).ints({kHuge, kHuge}).error(), HasSubstr("too large"));
  EXPECT_THAT(InferOp("Tile").input({1LL << 40}).ints({1LL << 40}).error(), HasSubstr("cannot be"));
  EXPECT_THAT(InferOp("Split").input({4}).ints({kHuge, kHuge, 6}).error(3),
              HasSubstr("cannot be split"));
  EXPECT_THAT(InferOp("Expand").input({}).ints({1LL << 40, 1LL << 40}).error(),
              HasSubstr("cannot be"));
  EXPECT_THAT(InferOp("Relu").input({1LL << 40, 1LL << 40}).error(), HasSubstr("cannot be"));
}

TEST(EmptyTest, NothingIsSampledFromNothing) {
  EXPECT_THAT(InferOp("Resize", with("mode", std::string("linear")))
                  .input({1, 1, 0, 4})
                  .absent()
                  .absent()
                  .ints({1, 1, 2, 2})
                  .error(),
              HasSubstr("holds no element"));
  EXPECT_THAT(InferOp("GridSample").input({1, 1, 0, 4}).input({1, 2, 2, 2}).error(),
              HasSubstr("holds no element"));
  EXPECT_THAT(InferOp("ConvTranspose").input({1, 1, 2}).input({1, 1, 0}).error(),
              HasSubstr("kernels without elements"));
}

}  // namespace
}  // namespace switchyard
