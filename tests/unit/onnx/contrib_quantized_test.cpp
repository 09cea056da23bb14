// Quantized ops of Microsoft's domain give what the real numbers give that their bytes stand for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "onnx/contrib_models.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<std::uint8_t>;

Tensor bytes(const Dims& shape, const Bytes& values) {
  return host_tensor<std::uint8_t>(shape, values);
}

float real(std::uint8_t byte, float scale, int zero) {
  return static_cast<float>(byte - zero) * scale;
}

std::uint8_t byte(float real, float scale, int zero) {
  const float whole = std::nearbyint(real / scale) + static_cast<float>(zero);
  return static_cast<std::uint8_t>(std::clamp(whole, 0.0F, 255.0F));
}

/// Equal, or next to each other where the formula's result lies at the edge between two.
void expect_bytes(const Tensor& found, const Bytes& expected) {
  const Bytes values = found.to_vector<std::uint8_t>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1) << i;
}

TEST(ContribQLinear, AddsAndMultipliesWithBroadcasting) {
  Numbers numbers;
  const Bytes a = numbers.bytes(12), b = numbers.bytes(4);
  const std::string graph =
      "g (uint8[3,4] a, uint8[4] b) => (c) <float s = {0.1}, uint8 z = {120}, float[1] t = {0.2},"
      " float u = {0.3}, uint8 v = {10}> { c = com.microsoft.";
  Bytes sums, products;
  for (std::size_t i = 0; i < 12; ++i) {
    const float x = real(a[i], 0.1F, 120), y = real(b[i % 4], 0.2F, 0);
    sums.push_back(byte(x + y, 0.3F, 10));
    products.push_back(byte(x * y, 0.3F, 10));
  }
  const Feeds feeds = {{"a", bytes({3, 4}, a)}, {"b", bytes({4}, b)}};
  expect_bytes(run_contrib(graph + "QLinearAdd (a, s, z, b, t, \"\", u, v) }", feeds)[0], sums);
  expect_bytes(run_contrib(graph + "QLinearMul (a, s, z, b, t, \"\", u, v) }", feeds)[0], products);
}

// Read as nodes of other ops, which a device that has none of its own computes, and joined again.
TEST(ContribQLinear, IsOneNodeWhereTheDeviceHasTheOp) {
  const Runtime runtime = start({{"cpu"}});
  const std::string parts = "c = com.microsoft.QLinearConcat <axis = 0> (s, z, a, s, z, a, s, z)";
  const std::string bytes = onnx::encode(
      contrib_model("g (uint8[2,3] a) => (c, d) <float s = {0.1}, uint8 z = {120}> {" + parts +
                    " d = com.microsoft.QLinearAdd (a, s, z, a, s, z, s, z) }"));
  std::vector<std::string> ops;
  for (const NodeExplanation& node : Model::from_bytes(runtime, bytes_of(bytes)).explain()) {
    ops.push_back(node.op);
  }
  EXPECT_THAT(ops, testing::IsSupersetOf({"QLinearConcat", "QLinearAdd"}));
  EXPECT_THAT(ops, testing::Not(testing::Contains("DequantizeLinear")));
}

TEST(ContribQLinear, MapsEachByte) {
  Numbers numbers;
  const Bytes x = numbers.bytes(64);
  const auto run = [&](const std::string& node) {
    return run_contrib(
        "g (uint8[8,8] x) => (y) <float s = {0.05}, uint8 z = {128},"
        " float t = {0.01}, uint8 w = {30}> { y = com.microsoft." +
            node + " }",
        {{"x", bytes({8, 8}, x)}})[0];
  };
  Bytes sigmoids, leaky;
  for (const std::uint8_t each : x) {
    const float value = real(each, 0.05F, 128);
    sigmoids.push_back(byte(1 / (1 + std::exp(-value)), 0.01F, 30));
    leaky.push_back(byte(value < 0 ? 0.1F * value : value, 0.01F, 30));
  }
  expect_bytes(run("QLinearSigmoid (x, s, z, t, w)"), sigmoids);
  expect_bytes(run("QLinearLeakyRelu <alpha = 0.1> (x, s, z, t, w)"), leaky);
}

TEST(ContribQLinear, KeepsSignedBytesSignedWithoutZeroPoints) {
  const Tensor y = run_contrib(
      "g (int8[3] x) => (y) <float s = {0.5}, float t = {0.25}> {"
      " y = com.microsoft.QLinearLeakyRelu <alpha = 0.5> (x, s, \"\", t) }",
      {{"x", host_tensor<std::int8_t>({3}, {-8, 0, 10})}})[0];
  EXPECT_EQ(y.to_vector<std::int8_t>(), (std::vector<std::int8_t>{-8, 0, 20}));
}

TEST(ContribQLinear, PoolsInBothLayouts) {
  const Bytes x = {10, 20, 30, 40, 50, 60, 70, 80};  // [1, 2, 2, 2], channels first
  const std::string ends = " <float s = {1}, uint8 z = {0}> { y = com.microsoft.";
  expect_bytes(run_contrib("g (uint8[1,2,2,2] x) => (y)" + ends +
                               "QLinearGlobalAveragePool (x, s, z, s, z) }",
                           {{"x", bytes({1, 2, 2, 2}, x)}})[0],
               {25, 65});
  expect_bytes(run_contrib("g (uint8[1,2,2,2] x) => (y)" + ends +
                               "QLinearGlobalAveragePool <channels_last = 1> (x, s, z, s, z) }",
                           {{"x", bytes({1, 2, 2, 2}, x)}})[0],
               {40, 50});
  const Tensor pooled = run_contrib(
      "g (uint8[1,2,2,2] x) => (y)" + ends +
          "QLinearAveragePool <channels_last = 1, kernel_shape = [2, 1]> (x, s, z, s, z) }",
      {{"x", bytes({1, 2, 2, 2}, x)}})[0];
  ASSERT_EQ(pooled.shape(), (Dims{1, 1, 2, 2}));
  expect_bytes(pooled, {30, 40, 50, 60});
}

TEST(ContribQLinear, ConcatenatesTensorsOfDifferentScales) {
  const std::string graph =
      "g (uint8[1,2] a, uint8[1,2] b) => (y) <float s = {0.5}, uint8 z = {0}, float t = {1},"
      " uint8 w = {10}> { y = com.microsoft.QLinearConcat <axis = 1> (t, w, a, s, z, b, t, z";
  const Feeds feeds = {{"a", bytes({1, 2}, {10, 20})}, {"b", bytes({1, 2}, {3, 4})}};
  expect_bytes(run_contrib(graph + ") }", feeds)[0], {15, 20, 13, 14});
  EXPECT_THAT(refusal(contrib_model(graph + ", a) }")), HasSubstr("9 inputs are not a list"));
}

TEST(ContribQLinear, TakesTheSoftmaxOfItsOpset) {
  const Bytes x = {0, 10, 20, 30, 0, 0, 0, 0};  // [1, 2, 4]
  const std::string graph =
      "g (uint8[1,2,4] x) => (y) <float s = {0.1}, uint8 z = {0}, float t = {0.01}> {"
      " y = com.microsoft.QLinearSoftmax ";
  const auto expected = [&](std::size_t width) {
    Bytes result;
    for (std::size_t row = 0; row < 8; row += width) {
      float sum = 0;
      for (std::size_t i = 0; i < width; ++i) sum += std::exp(real(x[row + i], 0.1F, 0));
      for (std::size_t i = 0; i < width; ++i) {
        result.push_back(byte(std::exp(real(x[row + i], 0.1F, 0)) / sum, 0.01F, 0));
      }
    }
    return result;
  };
  const Feeds feeds = {{"x", bytes({1, 2, 4}, x)}};
  expect_bytes(run_contrib(graph + "<opset = 13> (x, s, z, t, z) }", feeds)[0], expected(4));
  expect_bytes(run_contrib(graph + "<opset = 12> (x, s, z, t, z) }", feeds)[0], expected(8));
}

TEST(ContribQLinear, RefusesScalesOfSeveralNumbers) {
  EXPECT_THAT(refusal(contrib_model("g (uint8[2,2] x) => (y) <float[2] s = {1, 1}, uint8 z = {0}> {"
                                    " y = com.microsoft.QLinearSigmoid (x, s, z, s, z) }")),
              HasSubstr("must be a scalar or [1]"));
}

TEST(ContribQLinear, PicksFromTwoTensorsOfDifferentScales) {
  const Tensor z = run_contrib(
      "g (uint8[2] a, uint8[2,2] b) => (z) <bool[2,1] c = {1, 0}, float s = {0.5}, uint8 t = {10},"
      " float[1] u = {2}, uint8 v = {0}> {"
      " z = com.microsoft.QLinearWhere (c, a, s, t, b, u, v, u, t) }",
      {{"a", bytes({2}, {14, 30})}, {"b", bytes({2, 2}, {1, 2, 3, 250})}})[0];
  ASSERT_EQ(z.shape(), (Dims{2, 2}));
  expect_bytes(z, {11, 15, 13, 255});
}

TEST(ContribLinear, QuantizesAndBackAsTheOpsOfOnnx) {
  const auto y = run_contrib(
      "g (float[2,2] x) => (q, y, d) <float[2] s = {0.5, 2}, int16[2] z = {1000, -1000},"
      " float t = {1}> {"
      " q = com.microsoft.QuantizeLinear <axis = 0> (x, s, z)"
      " y = com.microsoft.DequantizeLinear <axis = 0> (q, s, z)"
      " d = com.microsoft.QuantizeLinear (x, t) }",
      {{"x", floats({2, 2}, {1, -3, 4, 300})}});
  EXPECT_EQ(y[0].to_vector<std::int16_t>(), (std::vector<std::int16_t>{1002, 994, -998, -850}));
  expect_near(y[1], {1, -3, 4, 300});
  expect_bytes(y[2], {1, 0, 4, 255});
}

TEST(ContribLinear, QuantizesToFourBits) {
  const Tensor y = run_contrib(
      "g (float[3] x) => (y) <float s = {0.5}, int4 z = {1}> {"
      " q = com.microsoft.QuantizeLinear (x, s, z)"
      " y = com.microsoft.DequantizeLinear (q, s, z) }",
      {{"x", floats({3}, {1, -2, 100})}})[0];
  expect_near(y, {1, -2, 3});
}

TEST(ContribMatMul, ScalesTheProductOfBytes) {
  Numbers numbers;
  const Bytes a = numbers.bytes(6), b = numbers.bytes(12);
  const Floats scales = {0.1F, 0.2F, 0.3F, 0.4F}, bias = numbers.many(4);
  const Bytes zeros = {1, 2, 3, 250};
  const Tensor y = run_contrib(
      "g (uint8[2,3] a, uint8[3,4] b, float[1] s, float[4] t, uint8 z, uint8[4] w, float[4] c)"
      " => (y) { y = com.microsoft.MatMulIntegerToFloat (a, b, s, t, z, w, c) }",
      {{"a", bytes({2, 3}, a)},
       {"b", bytes({3, 4}, b)},
       {"s", floats({1}, {0.01F})},
       {"t", floats({4}, scales)},
       {"z", bytes({}, {7})},
       {"w", bytes({4}, zeros)},
       {"c", floats({4}, bias)}})[0];
  Floats expected;
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        sum +=
            real(a[row * 3 + k], 0.01F, 7) * real(b[k * 4 + column], scales[column], zeros[column]);
      }
      expected.push_back(sum + bias[column]);
    }
  }
  expect_near(y, expected);
}

TEST(ContribMatMul, QuantizesTheFirstFactorAsItRuns) {
  const Tensor y = run_contrib(
      "g (float[1,2] a, int8[2,1] b, float[1] c) => (y) <float s = {0.5}> {"
      " y = com.microsoft.DynamicQuantizeMatMul (a, b, s, \"\", c) }",
      {{"a", floats({1, 2}, {0, 255})},
       {"b", host_tensor<std::int8_t>({2, 1}, {-3, 2})},
       {"c", floats({1}, {1})}})[0];
  expect_near(y, {256});
}

/// Packs numbers below 2^bits, the first of a byte in its lowest bits; rows end with whole bytes.
Bytes packed(const std::vector<int>& values, std::size_t row, int bits) {
  Bytes result;
  for (std::size_t start = 0; start < values.size(); start += row) {
    for (std::size_t i = 0; i < row; ++i) {
      const std::size_t position = i * static_cast<std::size_t>(bits) % 8;
      if (position == 0) result.push_back(0);
      result.back() |= static_cast<std::uint8_t>(values[start + i] << position);
    }
  }
  return result;
}

struct BitsCase {
  int bits;
  std::int64_t inputs, outputs, block;
  enum { none, bytes, floats } zeros;
};

class ContribMatMulBits : public testing::TestWithParam<BitsCase> {};

TEST_P(ContribMatMulBits, UnpacksTheWeights) {
  const auto [bits, inputs, outputs, block, zeros] = GetParam();
  Numbers numbers;
  const std::int64_t blocks = (inputs + block - 1) / block;
  const auto count = static_cast<std::size_t>(outputs * blocks);
  std::vector<int> whole(count * static_cast<std::size_t>(block));
  for (int& value : whole) value = numbers.below(1 << bits);
  std::vector<int> zero(count, 1 << (bits - 1));
  if (zeros != BitsCase::none) {
    for (int& value : zero) value = numbers.below(1 << bits);
  }
  const Floats scales = numbers.many(outputs * blocks), a = numbers.many(2 * inputs);
  Feeds feeds = {{"a", floats({2, inputs}, a)},
                 {"b", bytes({outputs, blocks, block * bits / 8},
                             packed(whole, static_cast<std::size_t>(block), bits))},
                 {"s", floats({outputs, blocks}, scales)}};
  std::string type = "float", zero_input;
  if (zeros == BitsCase::bytes) {
    const Bytes rows = packed(zero, static_cast<std::size_t>(blocks), bits);
    feeds.emplace_back("z",
                       bytes({outputs, static_cast<std::int64_t>(rows.size()) / outputs}, rows));
    type = "uint8";
  } else if (zeros == BitsCase::floats) {
    feeds.emplace_back("z", floats({outputs, blocks}, Floats(zero.begin(), zero.end())));
  }
  if (zeros != BitsCase::none) zero_input = ", z";
  const Tensor y = run_contrib(
      fmt::format("g (float[2,k] a, uint8[n,i,j] b, float[n,i] s{}) => (y) {{ y = "
                  "com.microsoft.MatMulNBits <K = {}, N = {}, bits = {}, block_size = {}> "
                  "(a, b, s{}) }}",
                  zeros == BitsCase::none ? "" : ", " + type + "[n,l] z", inputs, outputs, bits,
                  block, zero_input),
      feeds)[0];
  Floats expected;
  for (std::int64_t row = 0; row < 2; ++row) {
    for (std::int64_t n = 0; n < outputs; ++n) {
      float sum = 0;
      for (std::int64_t k = 0; k < inputs; ++k) {
        const auto in_block = static_cast<std::size_t>(n * blocks + k / block);
        const int value =
            whole[in_block * static_cast<std::size_t>(block) + static_cast<std::size_t>(k % block)];
        sum += a[static_cast<std::size_t>(row * inputs + k)] *
               static_cast<float>(value - zero[in_block]) * scales[in_block];
      }
      expected.push_back(sum);
    }
  }
  expect_near(y, expected, 1e-4F);
}

INSTANTIATE_TEST_SUITE_P(Packings, ContribMatMulBits,
                         testing::Values(BitsCase{4, 32, 3, 16, BitsCase::none},
                                         BitsCase{4, 40, 5, 16, BitsCase::bytes},
                                         BitsCase{4, 48, 2, 16, BitsCase::floats},
                                         BitsCase{8, 20, 4, 16, BitsCase::bytes},
                                         BitsCase{8, 16, 1, 32, BitsCase::none},
                                         BitsCase{2, 70, 3, 16, BitsCase::bytes}));

TEST(ContribMatMul, RefusesPackingsThatItDoesNotKnow) {
  const auto refused = [](const std::string& attributes, const std::string& more = "") {
    return refusal(
        contrib_model("g (float[1,16] a, uint8[1,1,8] b, float[1,1] s, int32[16] i) => (y)"
                      " { y = com.microsoft.MatMulNBits <N = 1, K = 16, " +
                      attributes + "> (a, b, s" + more + ") }"));
  };
  EXPECT_EQ(refused("block_size = 16"), "");
  EXPECT_THAT(refused("block_size = 16, bits = 3"), HasSubstr("bits is 3"));
  EXPECT_THAT(refused("block_size = 24"), HasSubstr("power of 2"));
  EXPECT_THAT(refused("block_size = 32"), HasSubstr("\"B\""));
  EXPECT_THAT(refused("block_size = 16, weight_prepacked = 1"), HasSubstr("weight_prepacked"));
  EXPECT_THAT(refused("block_size = 16", ", \"\", i"), HasSubstr("g_idx"));
}

TEST(ContribRecurrent, RunsAnLstmOnWeightsOfBytes) {
  Numbers numbers;
  const Bytes w = numbers.bytes(3 * 8), r = numbers.bytes(2 * 8);
  Floats real_w(24), real_r(16);
  for (std::size_t gate = 0; gate < 8; ++gate) {
    for (std::size_t i = 0; i < 3; ++i) real_w[gate * 3 + i] = real(w[i * 8 + gate], 0.01F, 100);
    for (std::size_t i = 0; i < 2; ++i) {
      real_r[gate * 2 + i] =
          real(r[i * 8 + gate], 0.001F * static_cast<float>(gate + 1), static_cast<int>(gate));
    }
  }
  Floats r_scale;
  Bytes r_zero;
  for (int gate = 0; gate < 8; ++gate) {
    r_scale.push_back(0.001F * static_cast<float>(gate + 1));
    r_zero.push_back(static_cast<std::uint8_t>(gate));
  }
  const Tensor x = numbers.tensor({4, 2, 3}), b = numbers.tensor({1, 16});
  const auto found = run_contrib(
      "g (float[4,2,3] x, uint8[1,3,8] w, uint8[1,2,8] r, float[1,16] b, float[1] s, uint8[1] z,"
      "   float[1,8] t, uint8[1,8] u) => (y, h, c) { y, h, c = com.microsoft.DynamicQuantizeLSTM"
      " <hidden_size = 2> (x, w, r, b, \"\", \"\", \"\", \"\", s, z, t, u) }",
      {{"x", x},
       {"w", bytes({1, 3, 8}, w)},
       {"r", bytes({1, 2, 8}, r)},
       {"b", b},
       {"s", floats({1}, {0.01F})},
       {"z", bytes({1}, {100})},
       {"t", floats({1, 8}, r_scale)},
       {"u", bytes({1, 8}, r_zero)}});
  const auto expected = run_contrib(
      "g (float[4,2,3] x, float[1,8,3] w, float[1,8,2] r, float[1,16] b) => (y, h, c) {"
      " y, h, c = LSTM <hidden_size = 2> (x, w, r, b) }",
      {{"x", x}, {"w", floats({1, 8, 3}, real_w)}, {"r", floats({1, 8, 2}, real_r)}, {"b", b}});
  for (std::size_t i = 0; i < 3; ++i) expect_near(found[i], expected[i].to_vector<float>());
}

}  // namespace
}  // namespace switchyard
