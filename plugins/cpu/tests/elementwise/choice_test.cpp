// Logic, bits, comparisons, Where and Clip.
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

TEST(Logic, TruthTables) {
  const Value x = value<bool>({4}, {false, false, true, true});
  const Value y = value<bool>({4}, {false, true, false, true});
  EXPECT_EQ(as_doubles(run_pair("And", x, y, SY_BOOL)), (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(as_doubles(run_pair("Or", x, y, SY_BOOL)), (std::vector<double>{0, 1, 1, 1}));
  EXPECT_EQ(as_doubles(run_pair("Xor", x, y, SY_BOOL)), (std::vector<double>{0, 1, 1, 0}));
  EXPECT_EQ(as_doubles(run_pair("Equal", x, y, SY_BOOL)), (std::vector<double>{1, 0, 0, 1}));
}

TEST(Bits, ShiftsAndMasks) {
  const Value x = value<uint8_t>({4}, {0xf0, 1, 255, 16});
  const Value by = value<uint8_t>({4}, {4, 7, 8, 1});
  const auto shift = [&](const char* direction) {
    return numbers<uint8_t>(OneNode("BitShift")
                                .attribute("direction", direction)
                                .input(x)
                                .input(by)
                                .output(SY_UINT8, {4})
                                .run());
  };
  EXPECT_EQ(shift("LEFT"), (std::vector<uint8_t>{0, 128, 0, 32}));
  EXPECT_EQ(shift("RIGHT"), (std::vector<uint8_t>{15, 0, 0, 8}));
  const Value a = value<int64_t>({2}, {12, -1});
  const Value b = value<int64_t>({2}, {10, 5});
  EXPECT_EQ(numbers<int64_t>(run_pair("BitwiseAnd", a, b, SY_INT64)), (std::vector<int64_t>{8, 5}));
  EXPECT_EQ(numbers<int64_t>(run_pair("BitwiseOr", a, b, SY_INT64)),
            (std::vector<int64_t>{14, -1}));
  EXPECT_EQ(numbers<int64_t>(run_pair("BitwiseXor", a, b, SY_INT64)),
            (std::vector<int64_t>{6, -6}));
}

TEST(Where, EverySizeAndBroadcast) {
  const Value condition = value<bool>({2, 1}, {true, false});
  for (const sy_dtype dtype : {SY_BOOL, SY_INT8, SY_FLOAT16, SY_FLOAT32, SY_INT64}) {
    const Value x = from_doubles(dtype, {3}, {1, 0, 1});
    const Value y = from_doubles(dtype, {2, 3}, {0, 0, 0, 0, 1, 0});
    for (const Value& right : layouts_of(y)) {
      EXPECT_EQ(
          as_doubles(
              OneNode("Where").input(condition).input(x).input(right).output(dtype, {2, 3}).run()),
          (std::vector<double>{1, 0, 1, 0, 1, 0}));
    }
  }
}

TEST(Comparisons, LongRowsWithNansOnEitherSide) {
  const Shape shape = {2, 37};
  std::vector<double> x = small_numbers(shape, 0);
  std::vector<double> y = small_numbers(shape, 4);
  for (size_t i = 0; i < x.size(); i += 5) x[i] = nan;
  for (size_t i = 0; i < y.size(); i += 7) y[i] = nan;
  const Value whole = from_doubles(SY_FLOAT32, shape, x),
              other = from_doubles(SY_FLOAT32, shape, y);
  const Value one = from_doubles(SY_FLOAT32, {1}, {6}), hole = from_doubles(SY_FLOAT32, {1}, {nan});
  const Value column = from_doubles(SY_FLOAT32, {2, 1}, {5, nan});
  for (const BinaryCase& c : binary_cases()) {
    if (c.output != SY_BOOL) continue;
    for (const auto& [left, right] : {std::pair{&whole, &other},
                                      {&whole, &one},
                                      {&one, &whole},
                                      {&whole, &hole},
                                      {&hole, &whole},
                                      {&whole, &column},
                                      {&column, &whole}}) {
      const Value got = OneNode(c.op).input(*left).input(*right).output(SY_BOOL, shape).run();
      EXPECT_EQ(as_doubles(got), binary_reference(shape, *left, *right, c.exact)) << c.op;
    }
  }
}

TEST(Where, LongRowsOfFourByteElements) {
  const Shape shape = {2, 37};
  std::vector<double> chosen = small_numbers(shape, 2);
  for (double& number : chosen) number = std::fmod(number, 3) == 0;
  const Value condition = from_doubles(SY_BOOL, shape, chosen);
  for (const sy_dtype dtype : {SY_FLOAT32, SY_INT32}) {
    const Value whole = from_doubles(dtype, shape, small_numbers(shape, 1));
    const Value one = from_doubles(dtype, {}, {-5});
    for (const Value& layout : layouts_of(whole)) {
      for (const auto& [x, y] :
           {std::pair{&layout, &whole}, {&whole, &layout}, {&layout, &one}, {&one, &layout}}) {
        std::vector<double> want =
            binary_reference(shape, *x, *y, [](double left, double) { return left; });
        const auto otherwise = as_doubles(broadcast(*y, shape));
        for (size_t i = 0; i < want.size(); ++i) want[i] = chosen[i] != 0 ? want[i] : otherwise[i];
        const Value got =
            OneNode("Where").input(condition).input(*x).input(*y).output(dtype, shape).run();
        EXPECT_EQ(as_doubles(got), want);
      }
    }
  }
}

TEST(Where, Nibbles) {
  const Value condition = value<bool>({2, 1}, {true, false});
  EXPECT_EQ(unpacked_integers(OneNode("Where")
                                  .input(condition)
                                  .input(packed_integers(SY_INT4, {3}, {1, -2, 3}))
                                  .input(packed_integers(SY_INT4, {}, {7}))
                                  .output(SY_INT4, {2, 3})
                                  .run()),
            (std::vector<int>{1, -2, 3, 7, 7, 7}));
}

TEST(Clip, BoundsInAnyCombination) {
  const std::vector<double> elements = {-5, -1, 0, 2, 9};
  for (const sy_dtype dtype :
       {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT8, SY_INT32, SY_INT64}) {
    const Value x = from_doubles(dtype, {5}, elements);
    const Value least = from_doubles(dtype, {}, {-2});
    const Value most = from_doubles(dtype, {}, {3});
    expect_near(OneNode("Clip").input(x).input(least).input(most).output(dtype, {5}).run(),
                {-2, -1, 0, 2, 3}, 0);
    expect_near(
        OneNode("Clip").input(spaced(x)).absent_input().input(most).output(dtype, {5}).run(),
        {-5, -1, 0, 2, 3}, 0);
    expect_near(OneNode("Clip").input(x).immediate(least).output(dtype, {5}).run(),
                {-2, -1, 0, 2, 9}, 0);
    expect_near(OneNode("Clip").input(x).output(dtype, {5}).run(), elements, 0);
    expect_near(OneNode("Clip").input(x).input(most).input(least).output(dtype, {5}).run(),
                {-2, -2, -2, -2, -2}, 0);
  }
  const Value odd = value<float>({3}, {NAN, INFINITY, -INFINITY});
  expect_near(OneNode("Clip").input(odd).output(SY_FLOAT32, {3}).run(), {nan, infinity, -infinity},
              0);
}

}  // namespace
}  // namespace cpu::testing
