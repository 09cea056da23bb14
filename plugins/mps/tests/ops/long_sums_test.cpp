// Sums over very many terms of one sign and size, and moments of numbers far from 0: what a float
// that took the terms one after another would get wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

constexpr int64_t length = 200'003;
constexpr float term = 0.1f;
constexpr double total = length * static_cast<double>(term);

std::vector<float> filled(int64_t count, float number) {
  return std::vector<float>(static_cast<size_t>(count), number);
}

TEST(LongSums, OfReductions) {
  for (const auto& [op, expected] : {std::pair<const char*, double>{"ReduceSum", total},
                                     {"ReduceMean", static_cast<double>(term)},
                                     {"ReduceL1", total}}) {
    Case(op, 18)
        .attribute("keepdims", 0)
        .input({length}, filled(length, term))
        .output<float>({}, {static_cast<float>(expected)}, 1e-6)
        .check_once();
  }
}

TEST(LongSums, OfProducts) {
  for (const int64_t depth : {int64_t{32'000}, length}) {
    const double expected = static_cast<double>(depth) * static_cast<double>(term);
    Case("MatMul", 13)
        .input({1, depth}, filled(depth, term))
        .input({depth, 2}, filled(2 * depth, 1))
        .output<float>({1, 2}, filled(2, static_cast<float>(expected)), 5e-6)
        .check_once();
  }
}

TEST(LongSums, OfEinsumWithARepeatedLetter) {
  constexpr int64_t extent = 400;
  Case("Einsum", 12)
      .attribute("equation", "iij->j")
      .input({extent, extent, 1}, filled(extent * extent, term))
      .output<float>({1}, {extent * term}, 1e-5)
      .check_once();
}

TEST(LongSums, OfConvolutionsAndPools) {
  Case("Conv", 11)
      .input({1, 1, length}, filled(length, term))
      .input({1, 1, length}, filled(length, 1))
      .output<float>({1, 1, 1}, {static_cast<float>(total)}, 1e-6)
      .check_once();
  Case("AveragePool", 11)
      .attribute("kernel_shape", std::vector<int64_t>{length})
      .input({1, 1, length}, filled(length, term))
      .output<float>({1, 1, 1}, {term}, 1e-6)
      .check_once();
}

TEST(LongSums, OfRunningSums) {
  std::vector<float> expected;
  for (int64_t i = 1; i <= length; ++i) {
    expected.push_back(static_cast<float>(static_cast<double>(i) * static_cast<double>(term)));
  }
  Case("CumSum", 14)
      .input({length}, filled(length, term))
      .host<int64_t>({}, {0})
      .output<float>({length}, expected, 1e-6)
      .check_once();
}

// Every thread of a group begins with the largest, beside which the others are `term`.
TEST(LongSums, OfLogarithmsOfSums) {
  constexpr int64_t threads = 256;
  std::vector<float> x = filled(length, std::log(term));
  std::fill_n(x.begin(), threads, 0.0f);
  const double expected = std::log(threads + (length - threads) * static_cast<double>(term));
  Case("ReduceLogSumExp", 18)
      .attribute("keepdims", 0)
      .input({length}, x)
      .output<float>({}, {static_cast<float>(expected)}, 2e-7)
      .check_once();
}

TEST(LongSums, OfResponsesOfManyChannels) {
  constexpr int64_t channels = 3000;
  const double expected = 1 / (10 * static_cast<double>(term));
  Case("LRN", 13)
      .attribute("size", 2 * channels)
      .attribute("alpha", 20.0)
      .attribute("beta", 1.0)
      .attribute("bias", 0.0)
      .input({1, channels, 1}, filled(channels, term))
      .output<float>({1, channels, 1}, filled(channels, static_cast<float>(expected)), 5e-7)
      .check_once();
}

TEST(LongSums, OfScattersToOnePosition) {
  constexpr int64_t updates = 4000;
  const std::vector<int64_t> positions(updates, 1);
  Case("ScatterElements", 18)
      .attribute("reduction", "add")
      .input({2}, filled(2, 0))
      .input({updates}, positions)
      .input({updates}, filled(updates, term))
      .output<float>({2}, {0, updates * term}, 1e-6)
      .check_once();
  Case("ScatterElements", 18)
      .attribute("reduction", "add")
      .input<half>({2}, {half(0.0f), half(0.0f)})
      .input({updates}, positions)
      .input({updates}, std::vector<half>(updates, half(1.0f)))
      .output<half>({2}, {half(0.0f), half(4000.0f)})
      .check_once();
}

// The gradient of a line of two is 0 but for epsilon, that of the scale is the standardized line.
TEST(Moments, OfNumbersFarFromZeroOnTheWayBack) {
  Case("LayerNormalizationGradient", 1)
      .domain("switchyard")
      .attribute("axis", -1)
      .attribute("epsilon", 0.0)
      .attribute("stash_type", 1)
      .input<float>({1, 2}, {3, 4})
      .input<float>({1, 2}, {10000001, 10000002})
      .input<float>({2}, {1, 1})
      .output<float>({1, 2}, {0, 0}, 1e-5)
      .output<float>({2}, {-3, 4}, 1e-6)
      .output<float>({2}, {3, 4})
      .check_once();
}

TEST(Moments, OfNumbersFarFromZero) {
  Case("ReduceMean", 18)
      .attribute("keepdims", 0)
      .input<float>({3}, {10000001, 10000002, 10000003})
      .output<float>({}, {10000002})
      .check_once();
  Case("LayerNormalization", 17)
      .attribute("epsilon", 0.0)
      .input<float>({2, 2}, {10000001, 10000002, 5, 7})
      .input<float>({2}, {1, 1})
      .output<float>({2, 2}, {-1, 1, -1, 1}, 1e-6)
      .check_once();
  const float high = std::sqrt(1.5f);
  Case("InstanceNormalization", 6)
      .attribute("epsilon", 0.0)
      .input<float>({1, 1, 3}, {10000001, 10000002, 10000003})
      .input<float>({1}, {1})
      .input<float>({1}, {0})
      .output<float>({1, 1, 3}, {-high, 0, high}, 1e-6)
      .check_once();
}

}  // namespace
}  // namespace mps::op_tests
