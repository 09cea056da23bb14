// Softmax, LogSoftmax, Hardmax, LpNormalization, CumSum, LRN.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class LineOf : public testing::Test {
 protected:
  static constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 2e-3;
  // A line shorter than a SIMD group, one longer than a threadgroup, and one of no power of two.
  const std::vector<Shape> shapes_ = {{2, 7, 3}, {3, 700}, {5, 1}};
};
TYPED_TEST_SUITE(LineOf, FloatAndHalf);

TYPED_TEST(LineOf, Softmaxes) {
  for (const Shape& shape : this->shapes_) {
    const auto x = numbers<TypeParam>(count_of(shape));
    for (const bool logarithm : {false, true}) {
      const auto expected = by_line<TypeParam>(shape, x, 1, [&](const auto& line) {
        double sum = 0;
        for (const TypeParam one : line) sum += std::exp(static_cast<double>(one));
        std::vector<TypeParam> made;
        for (const TypeParam one : line) {
          const double share = std::exp(static_cast<double>(one)) / sum;
          made.push_back(static_cast<TypeParam>(logarithm ? std::log(share) : share));
        }
        return made;
      });
      Case(logarithm ? "LogSoftmax" : "Softmax", 13)
          .attribute("axis", 1)
          .input(shape, x)
          .expect(shape, expected, this->tolerance);
    }
  }
}

TYPED_TEST(LineOf, Hardmaxes) {
  for (const Shape& shape : this->shapes_) {
    const auto x = wild<TypeParam>(count_of(shape), 4);
    for (size_t axis = 0; axis < 2; ++axis) {
      const auto expected = by_line<TypeParam>(shape, x, axis, [](const auto& line) {
        size_t best = 0;
        for (size_t i = 1; i < line.size(); ++i) {
          if (line[i] > line[best]) best = i;
        }
        std::vector<TypeParam> made(line.size(), TypeParam(0));
        made[best] = TypeParam(1);
        return made;
      });
      Case("Hardmax", 13)
          .attribute("axis", static_cast<int64_t>(axis))
          .input(shape, x)
          .expect(shape, expected);
    }
  }
}

TYPED_TEST(LineOf, HardmaxesOfInfinities) {
  const auto low = static_cast<TypeParam>(-INFINITY);
  Case("Hardmax", 13)
      .attribute("axis", -1)
      .template input<TypeParam>({2, 3}, {low, low, low, static_cast<TypeParam>(NAN), 5, 6})
      .template expect<TypeParam>({2, 3}, {1, 0, 0, 1, 0, 0});
}

TYPED_TEST(LineOf, Norms) {
  for (const Shape& shape : this->shapes_) {
    const auto x = numbers<TypeParam>(count_of(shape), 5);
    for (const int64_t p : {1, 2}) {
      const auto expected = by_line<TypeParam>(shape, x, 1, [&](const auto& line) {
        double sum = 0;
        for (const TypeParam one : line) sum += std::pow(std::fabs(static_cast<double>(one)), p);
        const double norm = p == 1 ? sum : std::sqrt(sum);
        std::vector<TypeParam> made;
        for (const TypeParam one : line) {
          made.push_back(static_cast<TypeParam>(norm == 0 ? 0 : static_cast<double>(one) / norm));
        }
        return made;
      });
      Case("LpNormalization", 1)
          .attribute("axis", 1)
          .attribute("p", p)
          .input(shape, x)
          .expect(shape, expected, this->tolerance);
    }
  }
}

TEST(Line, NormsOfLargeAndOfNoNumbers) {
  Case("LpNormalization", 1)
      .attribute("axis", 0)
      .attribute("p", 2)
      .input<float>({2}, {3e30f, 4e30f})
      .expect<float>({2}, {0.6f, 0.8f}, 1e-6);
  Case("LpNormalization", 1)
      .attribute("axis", 0)
      .attribute("p", 2)
      .input<float>({3}, {0, 0, 0})
      .expect<float>({3}, {0, 0, 0});
  Case("LpNormalization", 1)
      .attribute("axis", 0)
      .attribute("p", 2)
      .input<float>({2}, {INFINITY, 1})
      .expect<float>({2}, {NAN, 0});
  EXPECT_EQ(Case("LpNormalization", 1)
                .attribute("axis", 0)
                .attribute("p", 3)
                .input<float>({1}, {1})
                .output<float>({1}, {1})
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
}

template <typename T>
class RunningSumOf : public testing::Test {};
using Numeric = testing::Types<float, half, int8_t, int16_t, int32_t, int64_t, uint8_t>;
TYPED_TEST_SUITE(RunningSumOf, Numeric);

TYPED_TEST(RunningSumOf, Lines) {
  constexpr bool is_float = !std::is_integral_v<TypeParam>;
  using Wide = std::conditional_t<is_float, double, int64_t>;
  for (const Shape& shape : {Shape{2, 7, 3}, Shape{3, 300}, Shape{1, 1}}) {
    const auto x = numbers<TypeParam>(count_of(shape), 6);
    for (const bool exclusive : {false, true}) {
      for (const bool reverse : {false, true}) {
        const auto expected = by_line<TypeParam>(shape, x, 1, [&](auto line) {
          if (reverse) std::reverse(line.begin(), line.end());
          Wide total = 0;
          for (TypeParam& one : line) {
            const Wide before = total;
            total += static_cast<Wide>(one);
            one = static_cast<TypeParam>(exclusive ? before : total);
          }
          if (reverse) std::reverse(line.begin(), line.end());
          return line;
        });
        Case("CumSum", 14)
            .attribute("exclusive", exclusive ? 1 : 0)
            .attribute("reverse", reverse ? 1 : 0)
            .input(shape, x)
            .template host<int64_t>({}, {1})
            .expect(shape, expected, sizeof(TypeParam) == 2 ? 1e-3 : 1e-5);
      }
    }
  }
}

TEST(Line, RunningSumsOfWildNumbers) {
  Case("CumSum", 14)
      .attribute("exclusive", 0)
      .attribute("reverse", 0)
      .input<float>({5}, {1, INFINITY, 2, -INFINITY, 3})
      .host<int32_t>({1}, {-1})
      .expect<float>({5}, {1, INFINITY, INFINITY, NAN, NAN});
}

TYPED_TEST(LineOf, LocalResponses) {
  const Shape shape{2, 6, 2, 2};
  const auto x = numbers<TypeParam>(count_of(shape), 7);
  for (const int64_t size : {1, 2, 5, 20}) {
    Case("LRN", 13)
        .attribute("alpha", 0.25)
        .attribute("beta", 0.5)
        .attribute("bias", 1.5)
        .attribute("size", size)
        .input(shape, x)
        .expect(
            shape,
            made_by<TypeParam>(
                shape,
                [&](const Shape& at) {
                  const int64_t before = (size - 1) / 2, after = size - 1 - before;
                  double sum = 0;
                  for (int64_t c = std::max<int64_t>(0, at[1] - before);
                       c <= at[1] + after && c < 6; ++c) {
                    const auto one = static_cast<double>(x[flat(shape, {at[0], c, at[2], at[3]})]);
                    sum += one * one;
                  }
                  const double base = 1.5 + 0.25 / static_cast<double>(size) * sum;
                  return static_cast<double>(x[flat(shape, at)]) / std::pow(base, 0.5);
                }),
            this->tolerance);
  }
}

TEST(Line, NoElements) {
  Case("Softmax", 13).attribute("axis", 1).input<float>({2, 0}, {}).expect<float>({2, 0}, {});
  Case("CumSum", 14)
      .attribute("exclusive", 0)
      .attribute("reverse", 0)
      .input<float>({0, 2}, {})
      .host<int64_t>({}, {1})
      .expect<float>({0, 2}, {});
}

}  // namespace
}  // namespace mps::op_tests
