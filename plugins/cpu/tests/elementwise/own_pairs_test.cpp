// Atan2, Hypot, LogAddExp, FloorDivide, Remainder and Pow: ends, signs, and how exact they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "elementwise/binary_cases.hpp"
#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

const std::vector<float>& ends_of_float() {
  static const auto& ends = *new std::vector<float>([] {
    constexpr float least = std::numeric_limits<float>::denorm_min();
    constexpr float huge = std::numeric_limits<float>::max();
    std::vector<float> made;
    for (const float size : {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 0x1p-126f, least, huge, 8388607.0f,
                             16777216.0f, static_cast<float>(infinity), static_cast<float>(nan)}) {
      made.insert(made.end(), {size, -size});
    }
    return made;
  }());
  return ends;
}

struct FloatPairs {
  std::vector<float> x, y;

  std::vector<float> run(OneNode node) const {
    const auto count = static_cast<int64_t>(x.size());
    return numbers<float>(node.input(value<float>({count}, x))
                              .input(value<float>({count}, y))
                              .output(SY_FLOAT32, {count})
                              .run());
  }
};

FloatPairs pairs_of_ends() {
  FloatPairs pairs;
  for (const float x : ends_of_float()) {
    for (const float y : ends_of_float()) pairs.x.push_back(x), pairs.y.push_back(y);
  }
  return pairs;
}

// Numbers of all sizes and signs.
FloatPairs random_pairs(size_t count, int exponents) {
  FloatPairs pairs;
  uint32_t state = 1;
  const auto draw = [&] {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  };
  const auto number = [&] {
    const int exponent = static_cast<int>(draw() % (2 * exponents + 1)) - exponents;
    const float size = std::ldexp(1 + static_cast<float>(draw()) * 0x1p-24f, exponent);
    return draw() % 2 == 0 ? size : -size;
  };
  for (size_t i = 0; i < count; ++i) pairs.x.push_back(number()), pairs.y.push_back(number());
  return pairs;
}

TEST(OwnPairs, EndsAndSignsAreThoseOfC) {
  const FloatPairs pairs = pairs_of_ends();
  for (const BinaryCase& c : own_cases()) {
    if (c.op != "Atan2" && c.op != "Hypot") continue;
    const std::vector<float> got = pairs.run(c.node());
    for (size_t i = 0; i < got.size(); ++i) {
      const double want = c.exact(pairs.x[i], pairs.y[i]);
      EXPECT_LE(units_apart(SY_FLOAT32, got[i], want), c.units)
          << c.op << " of " << pairs.x[i] << " and " << pairs.y[i] << " is " << got[i];
      if (std::isnan(want)) continue;
      EXPECT_EQ(std::signbit(got[i]), std::signbit(want)) << c.op;
    }
  }
}

TEST(OwnPairs, OfEverySize) {
  for (const int exponents : {4, 120}) {
    const FloatPairs pairs = random_pairs(100000, exponents);
    for (const BinaryCase& c : own_cases()) {
      if (c.op == "FloorDivide") continue;
      const std::vector<float> got = pairs.run(c.node());
      for (size_t i = 0; i < got.size(); ++i) {
        const double want = c.exact(pairs.x[i], pairs.y[i]);
        // Where the terms of LogAddExp cancel, digits of the larger are lost.
        if (c.op == "LogAddExp" && std::abs(got[i] - want) <= 1e-7) continue;
        ASSERT_LE(units_apart(SY_FLOAT32, got[i], want), c.units)
            << c.op << " of " << pairs.x[i] << " and " << pairs.y[i] << " is " << got[i];
      }
    }
  }
}

TEST(OwnPairs, LogAddExpOfInfinities) {
  const auto far = static_cast<float>(infinity);
  const FloatPairs pairs{{far, -far, far, -far, 1, -far}, {far, -far, -far, 2, far, 3e38f}};
  EXPECT_EQ(pairs.run(OneNode("LogAddExp", 1, "switchyard")),
            (std::vector<float>{far, -far, far, 2, far, 3e38f}));
  const FloatPairs holes{{static_cast<float>(nan), 1}, {1, static_cast<float>(nan)}};
  for (const float got : holes.run(OneNode("LogAddExp", 1, "switchyard"))) {
    EXPECT_TRUE(std::isnan(got));
  }
}

// The exact quotient rounded down, then to float; infinite over 0.
TEST(OwnPairs, FloorDivideIsExact) {
  for (const FloatPairs& pairs :
       {pairs_of_ends(), random_pairs(100000, 12), random_pairs(100000, 60)}) {
    const std::vector<float> got = pairs.run(OneNode("FloorDivide", 1, "switchyard"));
    for (size_t i = 0; i < got.size(); ++i) {
      const double x = pairs.x[i], y = pairs.y[i];
      double want = x / y;
      if (y != 0) {
        const double rest = std::fmod(x, y);
        want = (x - rest) / y - (rest != 0 && (rest < 0) != (y < 0) ? 1 : 0);
      }
      ASSERT_LE(units_apart(SY_FLOAT32, got[i], want), 0.51) << x << " over " << y;
      if (want != 0) continue;
      ASSERT_EQ(std::signbit(got[i]), std::signbit(x / y)) << x << " over " << y;
    }
  }
}

// By the divisor 0, and of an infinite dividend, NaN; else the sign of the divisor, so that a small
// number by the negative infinity is that infinity.
TEST(OwnPairs, RemainderHasTheSignOfTheDivisor) {
  for (const FloatPairs& pairs :
       {pairs_of_ends(), random_pairs(100000, 12), random_pairs(100000, 60)}) {
    const std::vector<float> got = pairs.run(OneNode("Remainder", 1, "switchyard"));
    for (size_t i = 0; i < got.size(); ++i) {
      const double x = pairs.x[i], y = pairs.y[i];
      ASSERT_LE(units_apart(SY_FLOAT32, got[i], floored_remainder(x, y)), 0.51) << x << " by " << y;
      if (got[i] != 0) continue;
      ASSERT_EQ(std::signbit(got[i]), std::signbit(x)) << x << " by " << y;
    }
  }
}

TEST(OwnPairs, FloorDivideOfIntegers) {
  const auto divide = [](const Value& x, const Value& y) {
    return OneNode("FloorDivide", 1, "switchyard").input(x).input(y).output(x.dtype, x.shape).run();
  };
  const Value x = value<int32_t>({7}, {7, -7, 7, -7, 6, 5, INT32_MIN});
  const Value y = value<int32_t>({7}, {2, 2, -2, -2, -3, 0, -1});
  EXPECT_EQ(numbers<int32_t>(divide(x, y)), (std::vector<int32_t>{3, -4, -4, 3, -2, 0, INT32_MIN}));
  const Value bytes = value<uint8_t>({3}, {255, 7, 9}), by = value<uint8_t>({3}, {2, 0, 3});
  EXPECT_EQ(numbers<uint8_t>(divide(bytes, by)), (std::vector<uint8_t>{127, 0, 3}));
  const Value wide = value<int64_t>({2}, {INT64_MIN, INT64_MAX});
  EXPECT_EQ(numbers<int64_t>(divide(wide, value<int64_t>({2}, {3, -2}))),
            (std::vector<int64_t>{-3074457345618258603, -4611686018427387904}));
}

std::vector<float> power(const std::vector<float>& x, const std::vector<float>& y) {
  return FloatPairs{x, y}.run(OneNode("Pow"));
}

TEST(Pow, EndsAndSignsAreThoseOfC) {
  const auto [x, y] = pairs_of_ends();
  const std::vector<float> got = power(x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    const auto want = static_cast<float>(std::pow(double{x[i]}, double{y[i]}));
    const bool is_same = got[i] == want && std::signbit(got[i]) == std::signbit(want);
    EXPECT_TRUE(is_same || (std::isnan(got[i]) && std::isnan(want)))
        << x[i] << " to the power " << y[i] << " is " << got[i] << ", expected " << want;
  }
}

TEST(Pow, IsRoundedOnce) {
  std::vector<float> x, y;
  uint32_t state = 1;
  const auto random = [&](float low, float high) {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * static_cast<float>(state >> 8) * 0x1p-24f;
  };
  for (int i = 0; i < 300000; ++i) {
    const float power_of_two = std::ldexp(1.0f, static_cast<int>(random(-149, 127)));
    const float bases[] = {random(0, 4), random(0.99f, 1.01f), power_of_two * random(1, 2)};
    const float exponents[] = {random(-40, 40), random(-5000, 5000), random(-2, 2)};
    x.push_back(bases[i % 3]), y.push_back(exponents[i % 3]);
  }
  const std::vector<float> got = power(x, y);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, units_apart(SY_FLOAT32, got[i], std::pow(double{x[i]}, double{y[i]})));
  }
  EXPECT_LE(worst, 0.7);
}

TEST(Pow, WholeResultsAreExact) {
  std::vector<float> x, y, want;
  for (int base = -12; base <= 12; ++base) {
    for (int exponent = 0; exponent <= 6; ++exponent) {
      x.push_back(static_cast<float>(base)), y.push_back(static_cast<float>(exponent));
      want.push_back(static_cast<float>(std::pow(base, exponent)));
    }
  }
  EXPECT_EQ(power(x, y), want);
}

}  // namespace
}  // namespace cpu::testing
