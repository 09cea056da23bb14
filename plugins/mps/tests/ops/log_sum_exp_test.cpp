// ReduceLogSumExp: no overflow where the result is none, and its limits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <typename T>
class LogSumExp : public testing::Test {};
TYPED_TEST_SUITE(LogSumExp, FloatAndHalf);

TYPED_TEST(LogSumExp, OverRowsAndColumns) {
  const auto x = numbers<TypeParam>(6);
  const auto value = [&](std::initializer_list<std::size_t> positions) {
    double sum = 0;
    for (const std::size_t position : positions) sum += std::exp(static_cast<double>(x[position]));
    return static_cast<TypeParam>(static_cast<float>(std::log(sum)));
  };
  Case("ReduceLogSumExp", 18)
      .attribute("keepdims", 0)
      .template input<TypeParam>({2, 3}, x)
      .host(Shape{1}, Numbers{1})
      .expect({2}, std::vector<TypeParam>{value({0, 1, 2}), value({3, 4, 5})}, 2e-3);
  Case("ReduceLogSumExp", 18)
      .attribute("keepdims", 1)
      .template input<TypeParam>({2, 3}, x)
      .host(Shape{1}, Numbers{-2})
      .expect({1, 3}, std::vector<TypeParam>{value({0, 3}), value({1, 4}), value({2, 5})}, 2e-3);
}

TYPED_TEST(LogSumExp, OfLargeNumbersIsFinite) {
  const auto large = static_cast<TypeParam>(1000.0f);
  const auto expected = static_cast<TypeParam>(1000.0f + std::log(2.0f));
  Case("ReduceLogSumExp", 18)
      .attribute("keepdims", 0)
      .template input<TypeParam>({2}, {large, large})
      .host(Shape{1}, Numbers{0})
      .expect({}, std::vector<TypeParam>{expected}, 1e-3);
}

TEST(LogSumExpLimits, CarryInfinitiesAndNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Case("ReduceLogSumExp", 18)
      .attribute("keepdims", 0)
      .input<float>({3, 2}, {-infinity, -infinity, infinity, 1, nan, 1})
      .host(Shape{1}, Numbers{1})
      .expect<float>({3}, {-infinity, infinity, nan});
}

}  // namespace
}  // namespace mps::op_tests
