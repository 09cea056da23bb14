// Sums over a million terms, of one sign and size: an accumulator that took them one after another
// would be wrong in its second digit.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

constexpr int64_t length = 1'000'003;
constexpr float term = 0.1f;
constexpr double total = length * static_cast<double>(term);
constexpr double closeness = 5e-6;

void expect_all(const Value& y, double expected, double relative = closeness) {
  for (const double number : as_doubles(y)) ASSERT_NEAR(number, expected, relative * expected);
}

TEST(LongSums, ProductsOfEveryNarrowShape) {
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {1, 4}, {4, 1}, {4, 5}}) {
    const Value a = filled({m, length}, term), b = filled({length, n}, 1);
    const Value a_turned = transposed(a, {1, 0});
    const Value b_turned = transposed(b, {1, 0});
    for (const Value& left : {a, a_turned}) {
      for (const Value& right : {b, b_turned}) {
        SCOPED_TRACE(sy::text(m, " by ", n));
        expect_all(OneNode("MatMul", 13).input(left).input(right).output(SY_FLOAT32, {m, n}).run(),
                   total);
      }
    }
  }
}

TEST(LongSums, ProductsThatAddToWhatIsThere) {
  const Value y = OneNode("Gemm", 13)
                      .attribute("alpha", 2.0)
                      .attribute("beta", 3.0)
                      .input(filled({3, length}, term))
                      .input(filled({length, 3}, 1))
                      .input(filled({3, 3}, 7))
                      .output(SY_FLOAT32, {3, 3})
                      .run();
  expect_all(y, 2 * total + 21);
}

TEST(LongSums, ProductsOfHalvesAndConstants) {
  const Value y = OneNode("MatMul", 13)
                      .input(filled({4, length}, 0.0078125, SY_FLOAT16))
                      .constant(filled({length, 3}, 1, SY_FLOAT16), 77001)
                      .output(SY_FLOAT16, {4, 3})
                      .run();
  expect_all(y, length * 0.0078125, 1e-3);
  const Value z = OneNode("MatMul", 13)
                      .input(filled({4, length}, term))
                      .constant(filled({length, 3}, 1), 77002)
                      .output(SY_FLOAT32, {4, 3})
                      .run();
  expect_all(z, total);
}

TEST(LongSums, Einsum) {
  const Value y = OneNode("Einsum", 12)
                      .attribute("equation", "i,i->")
                      .input(filled({length}, term))
                      .input(filled({length}, 1))
                      .output(SY_FLOAT32, {})
                      .run();
  expect_all(y, total);
}

TEST(LongSums, Convolutions) {
  const auto convolve = [](const Value& x, const Value& w, const Shape& shape, int64_t group) {
    return OneNode("Conv", 11)
        .attribute("group", group)
        .input(x)
        .input(w)
        .output(SY_FLOAT32, shape)
        .run();
  };
  expect_all(convolve(filled({1, 1, length}, term), filled({1, 1, length}, 1), {1, 1, 1}, 1),
             total);
  constexpr int64_t quarter = length / 4;
  expect_all(convolve(filled({1, 4, quarter}, term), filled({2, 4, quarter}, 1), {1, 2, 1}, 1),
             4 * quarter * static_cast<double>(term));
  expect_all(convolve(filled({1, 4, quarter}, term), filled({4, 1, quarter}, 1), {1, 4, 1}, 4),
             quarter * static_cast<double>(term));
}

TEST(LongSums, GradientsOfConvolutionsByWeights) {
  const auto gradient = [](const Shape& x, const Shape& y, const Shape& w, int64_t group) {
    return OneNode("ConvWeightGradient", 1, switchyard_domain)
        .attribute("group", group)
        .input(filled(x, term))
        .input(filled(y, 1))
        .host_input(value<int64_t>({static_cast<int64_t>(w.size())}, w))
        .output(SY_FLOAT32, w)
        .run();
  };
  expect_all(gradient({1, 3, length}, {1, 2, length}, {2, 3, 1}, 1), total);
  expect_all(gradient({1, 4, length}, {1, 4, length}, {4, 1, 1}, 4), total);
}

TEST(LongSums, PoolsOfLargeWindows) {
  for (const char* op : {"AveragePool", "LpPool"}) {
    const bool sums = std::string(op) == "LpPool";
    OneNode node(op, 18);
    node.attribute("kernel_shape", std::vector<int64_t>{length});
    if (sums) node.attribute("p", 1);
    const Value y = node.input(filled({1, 2, length}, term)).output(SY_FLOAT32, {1, 2, 1}).run();
    expect_all(y, sums ? total : static_cast<double>(term));
  }
}

TEST(LongSums, ScattersOfManyUpdatesToOnePosition) {
  const Value positions = filled({length, 1}, 1, SY_INT64);
  const Value y = OneNode("ScatterND", 16)
                      .attribute("reduction", "add")
                      .input(filled({3, 2}, 5))
                      .input(positions)
                      .input(filled({length, 2}, term))
                      .output(SY_FLOAT32, {3, 2})
                      .run();
  const double sum = 5 + total;
  const std::vector<double> expected = {5, 5, sum, sum, 5, 5};
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(as_doubles(y)[i], expected[i], closeness * sum);
}

// A sum of bfloat16 that is rounded after each term stays at 256.
TEST(LongSums, ScattersOfNarrowFloatsAreRoundedOnce) {
  for (const sy_dtype dtype : {SY_BFLOAT16, SY_FLOAT16}) {
    const Value y = OneNode("ScatterElements", 18)
                        .attribute("reduction", "add")
                        .input(filled({2}, 0, dtype))
                        .input(filled({4096}, -1, SY_INT64))
                        .input(filled({4096}, 1, dtype))
                        .output(dtype, {2})
                        .run();
    EXPECT_EQ(as_doubles(y), (std::vector<double>{0, 4096}));
  }
}

TEST(LongSums, GradientsOfPoolsThatMeetInOnePosition) {
  for (const bool last : {false, true}) {
    std::vector<int64_t> indices(length, 1);
    indices.resize(2 * length, 5);
    Value grads = filled({1, 2, length, 1}, term), positions = value({1, 2, length, 1}, indices);
    if (last) grads = channels_last(grads), positions = channels_last(positions);
    const Value y = OneNode("MaxPoolGradient", 1, switchyard_domain)
                        .input(grads)
                        .input(positions)
                        .host_input(value<int64_t>({4}, {1, 2, 4, 1}))
                        .output(SY_FLOAT32, {1, 2, 4, 1})
                        .run();
    const std::vector<double> expected = {0, total, 0, 0, 0, total, 0, 0};
    for (size_t i = 0; i < 8; ++i) EXPECT_NEAR(as_doubles(y)[i], expected[i], 2e-7 * total);
  }
}

TEST(LongSums, ResponsesOfManyChannels) {
  constexpr int64_t channels = 20'000;
  const Value y = OneNode("LRN", 13)
                      .attribute("size", 2 * channels)
                      .attribute("alpha", 2.0 * channels)
                      .attribute("beta", 1.0)
                      .attribute("bias", 0.0)
                      .input(filled({1, channels, 1}, term))
                      .output(SY_FLOAT32, {1, channels, 1})
                      .run();
  expect_all(y, 1 / (channels * static_cast<double>(term)), 5e-7);
}

OneNode linear_attention(int64_t length, int64_t width) {
  OneNode node("LinearAttention", 27);
  node.attribute("kv_num_heads", 1).attribute("q_num_heads", 1).attribute("scale", 1.0);
  node.attribute("update_rule", "linear");
  node.input(filled({1, length, width}, 1)).input(filled({1, length, width}, term));
  node.input(filled({1, length, 1}, 1)).output(SY_FLOAT32, {1, length, 1});
  return node;
}

TEST(LongSums, StatesOfManyTokensAndWidths) {
  EXPECT_NEAR(as_doubles(linear_attention(length, 1).run()).back(), total, 2e-7 * total);
  expect_all(linear_attention(1, length).run(), total, 2e-7);
}

TEST(LongSums, CausalConvolutionsOfLongWindows) {
  const Value y = OneNode("CausalConvWithState", 27)
                      .input(filled({1, 1, 2}, 1))
                      .input(filled({1, 1, length}, term))
                      .absent_input()
                      .input(filled({1, 1, length - 1}, 1))
                      .output(SY_FLOAT32, {1, 1, 2})
                      .run();
  expect_all(y, total, 2e-7);
}

TEST(LongSums, ReductionsAndNorms) {
  for (const char* op : {"ReduceSum", "ReduceL1"}) {
    for (const int64_t axis : {0, 1}) {
      const Value x = filled(axis == 0 ? Shape{length, 3} : Shape{3, length}, term);
      const Value y = OneNode(op, 18)
                          .attribute("keepdims", 0)
                          .input(x)
                          .input(value<int64_t>({1}, {axis}))
                          .output(SY_FLOAT32, {3})
                          .run();
      expect_all(y, total, 2e-7);
    }
  }
}

}  // namespace
}  // namespace cpu::testing
