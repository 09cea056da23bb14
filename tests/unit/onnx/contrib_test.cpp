// Ops of Microsoft's domain give what their formulas say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "onnx/contrib_models.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

double gelu(double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }
double fast_gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.797885 * x + 0.035677 * x * x * x));
}

template <typename Function>
Floats mapped(const Floats& values, Function function) {
  Floats results;
  for (const float value : values) results.push_back(static_cast<float>(function(value)));
  return results;
}

TEST(ContribPointwise, GeluAndItsFormsFollowTheirFormulas) {
  const Floats x = {-3, -1, -0.5F, 0, 0.25F, 2};
  const auto run = [&](const std::string& node) {
    return run_contrib("g (float[2,3] x) => (y) { y = com.microsoft." + node + " (x) }",
                       {{"x", floats({2, 3}, x)}})[0];
  };
  expect_near(run("Gelu"), mapped(x, gelu));
  expect_near(run("FastGelu"), mapped(x, fast_gelu));
  expect_near(run("QuickGelu"), mapped(x, [](double v) { return v / (1 + std::exp(-1.702 * v)); }));
  expect_near(run("QuickGelu <alpha = 2.0>"),
              mapped(x, [](double v) { return v / (1 + std::exp(-2 * v)); }));
}

TEST(ContribPointwise, AddsABiasFirst) {
  const Feeds feeds = {{"x", floats({2, 2}, {-1, 0, 1, 2})}, {"b", floats({2}, {0.5F, -1})}};
  const Floats sums = {-0.5F, -1, 1.5F, 1};
  const std::string inputs = "g (float[n,m] x, float[k] b) => (y) { y = com.microsoft.";
  expect_near(run_contrib(inputs + "BiasGelu (x, b) }", feeds)[0], mapped(sums, gelu));
  expect_near(run_contrib(inputs + "FastGelu (x, b) }", feeds)[0], mapped(sums, fast_gelu));
}

// One number would broadcast, and so would a row for a single column.
TEST(ContribPointwise, RefusesABiasOfAnotherLengthWhereverItShows) {
  EXPECT_THAT(refusal(contrib_model("g (float[2,3] x, float[1] b) => (y) {"
                                    " y = com.microsoft.BiasGelu (x, b) }")),
              HasSubstr("\"bias\""));
  const Error error = error_of([] {
    run_contrib("g (float[n,m] x, float[k] b) => (y) { y = com.microsoft.BiasGelu (x, b) }",
                {{"x", floats({2, 2}, {0, 1, 2, 3})}, {"b", floats({1}, {1})}});
  });
  EXPECT_THAT(error.what(), HasSubstr("Reshape"));
}

TEST(ContribLinear, FusedMatMulTransposesItsFactors) {
  Numbers numbers;
  const Floats a = numbers.many(24), b = numbers.many(60);
  // a is [2,3,4]; with both transpositions its batch is its second axis, and its rows are the last.
  const Tensor y = run_contrib(
      "g (float[2,3,4] a, float[3,2,5] b) => (y) {"
      " y = com.microsoft.FusedMatMul <alpha = 0.5, transA = 1, transBatchA = 1> (a, b) }",
      {{"a", floats({2, 3, 4}, a)}, {"b", floats({3, 2, 5}, {b.begin(), b.begin() + 30})}})[0];
  ASSERT_EQ(y.shape(), (Dims{3, 4, 5}));
  Floats expected;
  for (std::size_t batch = 0; batch < 3; ++batch) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t column = 0; column < 5; ++column) {
        float sum = 0;
        for (std::size_t k = 0; k < 2; ++k) {
          sum += a[(k * 3 + batch) * 4 + row] * b[(batch * 2 + k) * 5 + column];
        }
        expected.push_back(sum / 2);
      }
    }
  }
  expect_near(y, expected);
}

TEST(ContribLinear, FusedMatMulTransposesNoVector) {
  const Tensor y = run_contrib(
      "g (float[2] a, float[3,2] b) => (y) {"
      " y = com.microsoft.FusedMatMul <transA = 1, transB = 1> (a, b) }",
      {{"a", floats({2}, {1, 2})}, {"b", floats({3, 2}, {1, 2, 3, 4, 5, 6})}})[0];
  expect_near(y, {5, 11, 17});
}

TEST(ContribLinear, FusedConvAddsAndActivates) {
  const std::string graph =
      "g (float[1,1,1,3] x, float[1,1,1,1] w, float[1] b, float[1,1,1,3] z) => (y) {"
      " y = com.microsoft.FusedConv <activation = \"Clip\", activation_params = [0.0, 6.0]>"
      " (x, w, b, z) }";
  const Feeds feeds = {{"x", floats({1, 1, 1, 3}, {-2, 1, 4})},
                       {"w", floats({1, 1, 1, 1}, {2})},
                       {"b", floats({1}, {1})},
                       {"z", floats({1, 1, 1, 3}, {0, 1, 0})}};
  expect_near(run_contrib(graph, feeds)[0], {0, 4, 6});
}

TEST(ContribLinear, RefusesActivationsThatItDoesNotKnow) {
  EXPECT_THAT(
      refusal(contrib_model("g (float[1,1,3] x, float[1,1,1] w) => (y) {"
                            " y = com.microsoft.FusedConv <activation = \"Warp\"> (x, w) }")),
      HasSubstr("the activation \"Warp\" is not supported"));
  EXPECT_THAT(
      refusal(contrib_model("g (float[1,2] x, float[2,1] w) => (y) {"
                            " y = com.microsoft.FusedGemm <activation = \"LeakyRelu\"> (x, w) }")),
      HasSubstr("takes 1 parameters; the node gives 0"));
}

TEST(ContribLinear, FusedGemmActivates) {
  const Tensor y = run_contrib(
      "g (float[1,2] a, float[2,2] b, float[2] c) => (y) { y = com.microsoft.FusedGemm"
      " <activation = \"LeakyRelu\", activation_alpha = 0.5, alpha = 2.0, transB = 1> (a, b, c) }",
      {{"a", floats({1, 2}, {1, -1})},
       {"b", floats({2, 2}, {1, 2, 3, 1})},
       {"c", floats({2}, {-2, 1})}})[0];
  expect_near(y, {-2, 5});
}

TEST(ContribLinear, FusedGemmScalesActivations) {
  const auto run = [](const std::string& activation) {
    return run_contrib(
        "g (float[1,2] a, float[2,2] b) => (y) { y = com.microsoft.FusedGemm"
        " <activation = \"" +
            activation + "\", activation_alpha = 0.5, activation_beta = 2.0> (a, b) }",
        {{"a", floats({1, 2}, {1, -1})}, {"b", floats({2, 2}, {1, 2, 3, 1})}})[0];
  };
  const Floats x = {-2, 1};
  expect_near(run("ScaledTanh"), mapped(x, [](double v) { return 0.5 * std::tanh(2 * v); }));
  expect_near(run("ParametricSoftplus"),
              mapped(x, [](double v) { return 0.5 * std::log1p(std::exp(2 * v)); }));
}

/// Each row of `x` brought to mean 0 and variance 1, or divided by its root mean square alone.
Floats normalized(const Floats& x, std::size_t width, bool centres) {
  Floats result;
  for (std::size_t row = 0; row < x.size(); row += width) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < width; ++i) mean += x[row + i] / static_cast<double>(width);
    if (!centres) mean = 0;
    for (std::size_t i = 0; i < width; ++i) {
      square += (x[row + i] - mean) * (x[row + i] - mean) / static_cast<double>(width);
    }
    for (std::size_t i = 0; i < width; ++i) {
      result.push_back(static_cast<float>((x[row + i] - mean) / std::sqrt(square)));
    }
  }
  return result;
}

TEST(ContribNormalization, NormalizesTheSumOfInputSkipAndBias) {
  Numbers numbers;
  const Floats x = numbers.many(24), skip = numbers.many(12), bias = numbers.many(4);
  Floats sum;
  for (std::size_t i = 0; i < 24; ++i) sum.push_back(x[i] + skip[i % 12] + bias[i % 4]);
  const Feeds feeds = {{"x", floats({2, 3, 4}, x)},
                       {"s", floats({3, 4}, skip)},
                       {"g", floats({4}, {1, 1, 1, 1})},
                       {"b", floats({4}, bias)}};
  const std::string inputs = "g (float[2,n,4] x, float[m,4] s, float[4] g, float[4] b) => (y, t) {";
  const auto layer = run_contrib(
      inputs + " y, \"\", \"\", t = com.microsoft.SkipLayerNormalization (x, s, g, \"\", b) }",
      feeds);
  expect_near(layer[0], normalized(sum, 4, true), 1e-4F);
  expect_near(layer[1], sum);
  const auto simple = run_contrib(
      inputs + " y, \"\", \"\", t = com.microsoft.SkipSimplifiedLayerNormalization (x, s, g, b) }",
      feeds);
  expect_near(simple[0], normalized(sum, 4, false), 1e-4F);
  expect_near(simple[1], sum);
}

TEST(ContribNormalization, SimplifiedLayerNormalizationStandsInTheDefaultDomain) {
  const auto outputs = run_contrib(
      "g (float[1,2] x, float[2] s) => (y, r) {"
      " y, r = SimplifiedLayerNormalization <epsilon = 0.0> (x, s) }",
      {{"x", floats({1, 2}, {3, 4})}, {"s", floats({2}, {2, 1})}});
  const float root = std::sqrt(12.5F);
  expect_near(outputs[0], {6 / root, 4 / root});
  expect_near(outputs[1], {1 / root});
}

// onnxruntime's optimisers write it into models of any opset.
TEST(ContribNormalization, LayerNormalizationIsReadFromTheFirstOpsetOn) {
  const Runtime runtime = start({{"cpu"}});
  for (const std::int64_t opset : {1, 11, 16}) {
    const std::string bytes = onnx::encode(
        model_of("g (float[1,2] x, float[2] s, float[2] b) => (float[1,2] y) {"
                 " y = LayerNormalization <axis = -1, epsilon = 0.0, stash_type = 1> (x, s, b) }",
                 opset));
    const Tensor y = Model::from_bytes(runtime, bytes_of(bytes))
                         .run({{"x", floats({1, 2}, {3, 5})},
                               {"s", floats({2}, {2, 1})},
                               {"b", floats({2}, {0, 10})}})[0]
                         .tensor;
    expect_near(y, {-2, 11});
  }
}

TEST(ContribNormalization, EmbedsWordsPositionsAndSegments) {
  const auto outputs = run_contrib(
      "g (int32[1,3] ids, int32[1,3] segments, float[4,2] words, float[5,2] places,"
      "   float[2,2] kinds, float[2] g, float[2] b, int32[1,3] mask) => (y, m, e) {"
      " y, m, e = com.microsoft.EmbedLayerNormalization"
      " (ids, segments, words, places, kinds, g, b, mask) }",
      {{"ids", host_tensor<std::int32_t>({1, 3}, {3, 0, 1})},
       {"segments", host_tensor<std::int32_t>({1, 3}, {0, 1, 1})},
       {"words", floats({4, 2}, {1, 2, 3, 5, 0, 0, 7, 9})},
       {"places", floats({5, 2}, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5})},
       {"kinds", floats({2, 2}, {10, 10, 20, 20})},
       {"g", floats({2}, {2, 2})},
       {"b", floats({2}, {1, 1})},
       {"mask", host_tensor<std::int32_t>({1, 3}, {1, 1, 0})}});
  const Floats sum = {17, 20, 21, 24, 23, 28};
  expect_near(outputs[2], sum);
  Floats expected = normalized(sum, 2, true);
  for (float& value : expected) value = 2 * value + 1;
  expect_near(outputs[0], expected);
  EXPECT_EQ(outputs[1].to_vector<std::int32_t>(), (std::vector<std::int32_t>{2}));
}

// Not even those that count from the end, which Gather would take.
TEST(ContribNormalization, RefusesIdsThatNameNoRow) {
  const auto error = [](std::vector<std::int32_t> ids, std::vector<std::int32_t> segments,
                        std::vector<std::int32_t> positions) {
    return run_error(
        "g (int32[1,2] ids, int32[1,2] segments, float[4,2] words, float[5,2] places,"
        "   float[2,2] kinds, float[2] g, int32[1,2] p) => (y) {"
        " y = com.microsoft.EmbedLayerNormalization"
        " (ids, segments, words, places, kinds, g, g, \"\", p) }",
        {{"ids", host_tensor<std::int32_t>({1, 2}, ids)},
         {"segments", host_tensor<std::int32_t>({1, 2}, segments)},
         {"words", floats({4, 2}, Floats(8))},
         {"places", floats({5, 2}, Floats(10))},
         {"kinds", floats({2, 2}, Floats(4))},
         {"g", floats({2}, {2, 2})},
         {"p", host_tensor<std::int32_t>({1, 2}, positions)}});
  };
  EXPECT_EQ(error({3, 0}, {0, 1}, {0, 4}), "");
  EXPECT_THAT(error({3, -1}, {0, 1}, {0, 4}),
              testing::HasSubstr("input_ids[1] is -1; it must be from 0 to 3"));
  EXPECT_THAT(error({3, 0}, {2, 1}, {0, 4}),
              testing::HasSubstr("segment_ids[0] is 2; it must be from 0 to 1"));
  EXPECT_THAT(error({3, 0}, {0, 1}, {0, -5}),
              testing::HasSubstr("position_ids[1] is -5; it must be from 0 to 4"));
}

}  // namespace
}  // namespace switchyard
