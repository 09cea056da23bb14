// Arithmetic and comparisons of two tensors, in every type, layout and broadcast.
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

double floor_mod(double x, double y) { return x - y * std::floor(x / y); }

std::vector<BinaryCase> binary_cases() {
  std::vector<BinaryCase> cases = own_cases();
  const std::vector<BinaryCase> of_onnx = {
      {"Add", [](double x, double y) { return x + y; }},
      {"Sub", [](double x, double y) { return x - y; }},
      {"Mul", [](double x, double y) { return x * y; }},
      {"Div", [](double x, double y) { return x / y; }, 0, false},
      {"Min", [](double x, double y) { return std::min(x, y); }},
      {"Max", [](double x, double y) { return std::max(x, y); }},
      {"Sum", [](double x, double y) { return x + y; }},
      {"Mean", [](double x, double y) { return (x + y) / 2; }, 0, false},
      {"Pow", [](double x, double y) { return std::pow(x, y); }, 0, false},
      {"PRelu", [](double x, double y) { return x < 0 ? x * y : x; }},
      {"Mod", floor_mod},
      {"Equal", [](double x, double y) { return x == y ? 1.0 : 0.0; }, SY_BOOL},
      {"Less", [](double x, double y) { return x < y ? 1.0 : 0.0; }, SY_BOOL},
      {"Greater", [](double x, double y) { return x > y ? 1.0 : 0.0; }, SY_BOOL},
      {"LessOrEqual", [](double x, double y) { return x <= y ? 1.0 : 0.0; }, SY_BOOL},
      {"GreaterOrEqual", [](double x, double y) { return x >= y ? 1.0 : 0.0; }, SY_BOOL},
  };
  cases.insert(cases.end(), of_onnx.begin(), of_onnx.end());
  return cases;
}

class Binary : public ::testing::TestWithParam<BinaryCase> {
 protected:
  std::vector<sy_dtype> dtypes() const {
    std::vector<sy_dtype> made;
    if (GetParam().floats) made = {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16};
    if (GetParam().integers) {
      for (const sy_dtype dtype :
           {SY_INT8, SY_INT16, SY_INT32, SY_INT64, SY_UINT8, SY_UINT16, SY_UINT32, SY_UINT64}) {
        made.push_back(dtype);
      }
    }
    return made;
  }

  void expect_right(const Value& left, const Value& right, const Shape& shape,
                    const Shape& strides = {}, int64_t offset = 0) const {
    const BinaryCase& c = GetParam();
    const sy_dtype dtype = c.output == 0 ? left.dtype : c.output;
    const Value output =
        c.node().input(left).input(right).output(dtype, shape, strides, offset).run();
    std::vector<double> want = binary_reference(shape, left, right, c.exact);
    // Differences below 0 wrap.
    if ((sy::unsigned_dtypes & SY_DTYPE_BIT(dtype)) != 0) {
      for (double& number : want) {
        if (number < 0) number += std::ldexp(1.0, static_cast<int>(sy::dtype_bits(dtype)));
      }
    }
    const bool floating = (sy::float_dtypes & SY_DTYPE_BIT(dtype)) != 0;
    expect_near(output, want, floating ? c.units : 0);
  }
};

TEST_P(Binary, EveryTypeInEveryLayout) {
  const Shape shape = {3, 4, 5};
  for (const sy_dtype dtype : dtypes()) {
    const auto lefts = layouts_of(from_doubles(dtype, shape, small_numbers(shape, 0)));
    const auto rights = layouts_of(from_doubles(dtype, shape, small_numbers(shape, 5)));
    for (size_t i = 0; i < lefts.size(); ++i) {
      for (size_t k = 0; k < rights.size(); ++k) {
        const Value& layout = lefts[(i + k) % lefts.size()];
        expect_right(lefts[i], rights[k], shape, layout.strides, layout.offset);
      }
    }
  }
}

TEST_P(Binary, EveryBroadcast) {
  const Shape shape = {2, 9, 3, 11};
  for (const sy_dtype dtype : {dtypes().front(), dtypes().back()}) {
    for (const Shape& part : {Shape{}, Shape{1}, Shape{11}, Shape{3, 1}, Shape{9, 1, 1},
                              Shape{2, 1, 3, 1}, Shape{1, 9, 1, 11}, Shape{2, 9, 3, 11}}) {
      const Value whole = from_doubles(dtype, shape, small_numbers(shape, 1));
      const Value other = from_doubles(dtype, part, small_numbers(part, 3));
      expect_right(whole, other, shape);
      expect_right(other, whole, shape);
      expect_right(transposed(whole, {0, 2, 3, 1}), other, shape,
                   transposed(whole, {0, 2, 3, 1}).strides);
    }
    const Value row = from_doubles(dtype, {1, 7}, small_numbers({7}, 1));
    const Value column = from_doubles(dtype, {300, 1}, small_numbers({300}, 3));
    expect_right(row, column, {300, 7});
  }
}

// Images whose channels lie side by side, beside numbers of channels, of images, and of both, and
// beside images that lie otherwise: few channels and many, and positions that no row of some
// divides.
TEST_P(Binary, ChannelsSideBySide) {
  for (const sy_dtype dtype : {dtypes().front(), dtypes().back()}) {
    for (const int64_t channels : {2, 6, 32, 130, 520}) {
      const int64_t height = channels < 100 ? 7 : 3;
      const Shape shape = {3, channels, height, channels % 4 == 0 ? 8 : 11};
      const Value whole = from_doubles(dtype, shape, small_numbers(shape, 3));
      const Value last = channels_last(whole);
      for (const Shape& part : {Shape{channels, 1, 1}, Shape{3, channels, 1, 1}, Shape{3, 1, 1, 1},
                                Shape{height, 1}, shape}) {
        SCOPED_TRACE(sy::text(shape, " and ", part));
        const Value other = from_doubles(dtype, part, small_numbers(part, 5));
        expect_right(last, other, shape, last.strides);
        expect_right(other, last, shape, last.strides);
        expect_right(last, other, shape);
        expect_right(last, spaced(other), shape, last.strides);
      }
    }
  }
}

// Enough for several threads, and over an input.
TEST(Binary, ImagesThatLieInTwoWays) {
  const Shape shape = {8, 6, 80, 80};
  const Value plain = from_doubles(SY_FLOAT32, shape, small_numbers(shape, 3));
  const Value other = from_doubles(SY_FLOAT32, shape, small_numbers(shape, 5));
  std::vector<double> sums = as_doubles(plain);
  const std::vector<double> more = as_doubles(other);
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += more[i];
  for (const size_t over : {0, 1}) {
    OneNode node("Add");
    node.input(channels_last(plain)).input(other).output_over(over);
    EXPECT_EQ(as_doubles(node.run()), sums);
  }
  OneNode node("Add");
  node.input(channels_last(plain)).input(other).output(SY_FLOAT32, shape).accept_strides();
  EXPECT_EQ(as_doubles(node.run()), sums);
}

TEST_P(Binary, RankZeroZeroSizeAndMany) {
  const sy_dtype dtype = dtypes().front();
  expect_right(from_doubles(dtype, {}, {3}), from_doubles(dtype, {}, {4}), {});
  expect_right(blank(dtype, {0, 3}), from_doubles(dtype, {3}, {1, 2, 3}), {0, 3});
  expect_right(blank(dtype, {4, 0}), from_doubles(dtype, {1, 1}, {1}), {4, 0});
  const Shape shape = {301, 997};
  expect_right(from_doubles(dtype, shape, small_numbers(shape, 2)),
               from_doubles(dtype, shape, small_numbers(shape, 4)), shape);
  expect_right(from_doubles(dtype, shape, small_numbers(shape, 2)),
               from_doubles(dtype, {997}, small_numbers({997}, 4)), shape);
}

INSTANTIATE_TEST_SUITE_P(All, Binary, ::testing::ValuesIn(binary_cases()),
                         [](const auto& info) { return info.param.op; });

TEST(BinaryIntegers, DivisionTruncatesAndNeverTraps) {
  const Value x = value<int32_t>({6}, {7, -7, 7, -7, 5, INT32_MIN});
  const Value y = value<int32_t>({6}, {2, 2, -2, -2, 0, -1});
  EXPECT_EQ(numbers<int32_t>(run_pair("Div", x, y, SY_INT32)),
            (std::vector<int32_t>{3, -3, -3, 3, 0, INT32_MIN}));
  EXPECT_EQ(numbers<int32_t>(run_pair("Mod", x, y, SY_INT32)),
            (std::vector<int32_t>{1, 1, -1, -1, 0, 0}));
  EXPECT_EQ(numbers<int32_t>(
                OneNode("Mod").attribute("fmod", 1).input(x).input(y).output(SY_INT32, {6}).run()),
            (std::vector<int32_t>{1, -1, 1, -1, 0, 0}));
  const Value small = value<int8_t>({2}, {-128, 100});
  EXPECT_EQ(numbers<int8_t>(run_pair("Div", small, value<int8_t>({2}, {-1, 0}), SY_INT8)),
            (std::vector<int8_t>{-128, 0}));
}

TEST(BinaryIntegers, Wrap) {
  const Value x = value<int8_t>({3}, {127, -128, 100});
  EXPECT_EQ(numbers<int8_t>(run_pair("Add", x, value<int8_t>({3}, {1, -1, 100}), SY_INT8)),
            (std::vector<int8_t>{-128, 127, -56}));
  const Value wide = value<int64_t>({1}, {INT64_MAX});
  EXPECT_EQ(numbers<int64_t>(run_pair("Mul", wide, value<int64_t>({1}, {2}), SY_INT64)),
            (std::vector<int64_t>{-2}));
  const Value half = value<uint16_t>({1}, {65535});
  EXPECT_EQ(numbers<uint16_t>(run_pair("Mul", half, half, SY_UINT16)), (std::vector<uint16_t>{1}));
}

TEST(BinaryFloats, NansAndInfinities) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    const Value x = from_doubles(dtype, {5}, {nan, 1, infinity, 1, -infinity});
    const Value y = from_doubles(dtype, {5}, {1, nan, -infinity, 0, -infinity});
    expect_near(run_pair("Max", x, y, dtype), {nan, nan, infinity, 1, -infinity}, 0);
    expect_near(run_pair("Min", x, y, dtype), {nan, nan, -infinity, 0, -infinity}, 0);
    expect_near(run_pair("Add", x, y, dtype), {nan, nan, nan, 1, -infinity}, 0);
    expect_near(run_pair("Div", x, y, dtype), {nan, nan, nan, infinity, nan}, 0);
    EXPECT_EQ(as_doubles(run_pair("Equal", x, y, SY_BOOL)), (std::vector<double>{0, 0, 0, 0, 1}));
    EXPECT_EQ(as_doubles(run_pair("GreaterOrEqual", x, y, SY_BOOL)),
              (std::vector<double>{0, 0, 1, 1, 1}));
  }
}

TEST(BinaryFloats, ModTakesTheSignItShould) {
  const Value x = value<float>({4}, {-4.3f, 7.2f, 5.0f, 4.3f});
  const Value y = value<float>({4}, {2.1f, -3.4f, 8.0f, -2.1f});
  expect_near(OneNode("Mod").attribute("fmod", 1).input(x).input(y).output(SY_FLOAT32, {4}).run(),
              {std::fmod(-4.3f, 2.1f), std::fmod(7.2f, -3.4f), 5, std::fmod(4.3f, -2.1f)}, 0);
}

// Every pair of magnitudes, signs and ends, quotients that round up to an integer among them.
TEST(BinaryFloats, ModIsExact) {
  std::vector<float> x, y;
  uint32_t state = 1;
  const auto random_float = [&] {
    state = state * 1664525u + 1013904223u;
    return std::bit_cast<float>(state ^ (state >> 16) << 3);
  };
  for (int i = 0; i < 200000; ++i) {
    const float divisor = random_float();
    const float near = divisor * static_cast<float>(i % 1000);
    x.push_back(i % 2 == 0 ? random_float() : std::nextafter(near, i % 4 == 1 ? -1e38f : 1e38f));
    y.push_back(divisor);
  }
  const auto count = static_cast<int64_t>(x.size());
  const auto run = [&](int fmod) {
    return numbers<float>(OneNode("Mod")
                              .attribute("fmod", fmod)
                              .input(value<float>({count}, x))
                              .input(value<float>({count}, y))
                              .output(SY_FLOAT32, {count})
                              .run());
  };
  const std::vector<float> truncated = run(1), floored = run(0);
  const auto same = [](float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  };
  for (size_t i = 0; i < x.size(); ++i) {
    const float rest = std::fmod(x[i], y[i]);
    const float expected = rest != 0 && (rest < 0) != (y[i] < 0) ? rest + y[i] : rest;
    ASSERT_TRUE(same(truncated[i], rest)) << x[i] << " " << y[i] << " " << truncated[i];
    ASSERT_TRUE(same(floored[i], expected)) << x[i] << " " << y[i] << " " << floored[i];
  }
}

TEST(Pow, MixedTypes) {
  const Value base = value<float>({3}, {2, 3, -2});
  expect_near(run_pair("Pow", base, value<int64_t>({3}, {3, 2, 3}), SY_FLOAT32), {8, 9, -8}, 1);
  expect_near(OneNode("Pow").input(base).input(value<float>({}, {2})).output(SY_FLOAT32, {3}).run(),
              {4, 9, 4}, 0);
  const Value integers32 = value<int32_t>({4}, {2, 3, -1, 5});
  EXPECT_EQ(
      numbers<int32_t>(run_pair("Pow", integers32, value<int32_t>({4}, {10, 0, 3, -1}), SY_INT32)),
      (std::vector<int32_t>{1024, 1, -1, 0}));
  EXPECT_EQ(
      numbers<int32_t>(run_pair("Pow", integers32, value<float>({4}, {0.5f, 2, 2, 1}), SY_INT32)),
      (std::vector<int32_t>{1, 9, 1, 5}));
}

TEST(Variadic, OneAndMany) {
  const Value x = value<float>({2, 1}, {1, 5});
  EXPECT_EQ(numbers<float>(OneNode("Max").input(x).output(SY_FLOAT32, {2, 1}).run()),
            (std::vector<float>{1, 5}));
  OneNode sum("Sum");
  OneNode mean("Mean");
  for (int i = 0; i < 20; ++i) {
    sum.input(i % 2 == 0 ? x : value<float>({3}, {1, 2, 3}));
    mean.input(i % 2 == 0 ? x : value<float>({3}, {1, 2, 3}));
  }
  expect_near(sum.output(SY_FLOAT32, {2, 3}).run(), {20, 30, 40, 60, 70, 80}, 0);
  expect_near(mean.output(SY_FLOAT32, {2, 3}).run(), {1, 1.5, 2, 3, 3.5, 4}, 0);
}

TEST(Binary, InPlaceOverEitherInput) {
  const Value x = value<float>({1000}, std::vector<float>(1000, 3));
  const Value y = value<float>({1000}, std::vector<float>(1000, 2));
  EXPECT_EQ(numbers<float>(OneNode("Sub").input(x).input(y).output_over(0).run()),
            std::vector<float>(1000, 1));
  EXPECT_EQ(numbers<float>(OneNode("Sub").input(x).input(y).output_over(1).run()),
            std::vector<float>(1000, 1));
}

TEST(Binary, ImmediatesAndUnknownShapes) {
  const Value x = value<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(numbers<float>(OneNode("Mul")
                               .hide_shapes()
                               .input(x)
                               .immediate(value<float>({}, {10}))
                               .output(SY_FLOAT32, {2, 2})
                               .run()),
            (std::vector<float>{10, 20, 30, 40}));
}

TEST(Binary, LongRowsGoPastTheCaches) {
  const auto count = int64_t{3'000'001};
  std::vector<float> elements(static_cast<size_t>(count));
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i % 1000);
  const Value x = restrided(value<float>({count}, elements), {1}, 3);
  const std::vector<float> got =
      numbers<float>(OneNode("Add").input(x).input(x).output(SY_FLOAT32, {count}, {1}, 1).run());
  for (size_t i = 0; i < elements.size(); ++i) ASSERT_EQ(got[i], 2 * elements[i]) << i;
}

}  // namespace
}  // namespace cpu::testing
