// Resize of linear and cubic modes: each axis by itself, whatever the layout.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"

namespace cpu::testing {
namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();

struct Rule {
  const char* mode;
  const char* coordinates;
  bool antialias = false;
  bool exclude_outside = false;
};

constexpr Rule rules[] = {
    {"linear", "half_pixel"},
    {"linear", "asymmetric"},
    {"linear", "align_corners"},
    {"linear", "pytorch_half_pixel", true},
    {"cubic", "half_pixel"},
    {"cubic", "align_corners", false, true},
    {"cubic", "half_pixel_symmetric", true},
};

Value resized(const Value& x, const Rule& rule, const Shape& to, bool proposed = false) {
  OneNode node("Resize", 19);
  node.attribute("mode", rule.mode);
  node.attribute("coordinate_transformation_mode", rule.coordinates);
  node.attribute("antialias", rule.antialias ? 1 : 0);
  node.attribute("exclude_outside", rule.exclude_outside ? 1 : 0);
  node.attribute("cubic_coeff_a", -0.75).attribute("nearest_mode", "round_prefer_floor");
  node.input(x).absent_input().absent_input().host_input(integers(to)).output(x.dtype, to);
  if (proposed) node.accept_strides();
  return node.run();
}

void expect_same(const Value& made, const Value& expected, const Rule& rule) {
  const std::vector<float> a = numbers<float>(made), b = numbers<float>(expected);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0)
      << rule.mode << " " << rule.coordinates;
}

TEST(Resize, AxesAreResizedOneAfterTheOther) {
  const Value x = random(SY_FLOAT32, {2, 3, 9, 13}, 1);
  const Shape sizes[] = {{2, 3, 18, 26}, {2, 3, 5, 29}, {2, 3, 4, 6}, {2, 3, 1, 1}};
  for (const Rule& rule : rules) {
    for (const Shape& to : sizes) {
      const Value rows = resized(x, rule, {2, 3, to[2], 13});
      expect_same(resized(x, rule, to), resized(rows, rule, to), rule);
    }
    const Value channels = resized(x, rule, {2, 7, 9, 13});
    const Value rows = resized(channels, rule, {2, 7, 4, 13});
    expect_same(resized(x, rule, {2, 7, 4, 20}), resized(rows, rule, {2, 7, 4, 20}), rule);
  }
}

TEST(Resize, LayoutsDoNotMatter) {
  const Value x = random(SY_FLOAT32, {1, 5, 6, 7}, 2);
  for (const Rule& rule : rules) {
    const Value expected = resized(x, rule, {1, 5, 11, 9});
    for (const Value& laid : layouts_of(x)) {
      expect_same(resized(laid, rule, {1, 5, 11, 9}), expected, rule);
    }
    expect_same(resized(channels_last(x), rule, {1, 5, 11, 9}, true), expected, rule);
  }
}

// A million elements make one: chained in a float, their sum would be 1 % off.
TEST(Resize, SumsOfManyElementsKeepTheirDigits) {
  constexpr int64_t extent = 500'000;
  for (const char* mode : {"linear", "cubic"}) {
    for (const int64_t inner : {1, 3}) {
      const Value ones = value<float>({extent, inner}, std::vector<float>(extent * inner, 1));
      const Value made = resized(ones, {mode, "half_pixel", true}, {1, inner});
      for (const float mean : numbers<float>(made)) EXPECT_NEAR(mean, 1, 1e-6) << mode;
    }
  }
}

TEST(Resize, PytorchHalfPixelTakesTheFirstElementForALengthOfOne) {
  const Value x = value<float>({8}, {1, 2, 3, 4, 5, 6, 7, 8});
  for (const float scale : {0.2f, 0.125f}) {
    OneNode node("Resize", 19);
    node.attribute("mode", "linear");
    node.attribute("coordinate_transformation_mode", "pytorch_half_pixel");
    node.input(x).absent_input().host_input(value<float>({1}, {scale}));
    EXPECT_EQ(numbers<float>(node.output(SY_FLOAT32, {1}).run()), (std::vector<float>{1}));
  }
}

// As onnxruntime 1.30.0 has it: positions where a quotient of floats is whole, or half of a whole.
TEST(Resize, TheNearestIsFoundInFloat) {
  const auto picked = [](int64_t extent, float scale, const char* coordinates,
                         const char* rounding) {
    OneNode node("Resize", 19);
    node.attribute("mode", "nearest").attribute("nearest_mode", rounding);
    node.attribute("coordinate_transformation_mode", coordinates);
    std::vector<float> positions;
    for (int64_t i = 0; i < extent; ++i) positions.push_back(static_cast<float>(i));
    const auto made = static_cast<int64_t>(static_cast<float>(extent) * scale);
    node.input(value<float>({extent}, positions)).absent_input();
    node.host_input(value<float>({1}, {scale})).output(SY_FLOAT32, {made});
    return numbers<float>(node.run());
  };
  EXPECT_EQ(picked(6, 1.3333334F, "asymmetric", "floor"),
            (std::vector<float>{0, 0, 1, 2, 3, 3, 4, 5}));
  EXPECT_EQ(picked(8, 0.7F, "half_pixel", "round_prefer_floor"),
            (std::vector<float>{0, 2, 3, 4, 6}));
}

TEST(Resize, WhatHasNoShareDoesNotSpread) {
  const Rule rule{"linear", "asymmetric"};
  const Value x = value<float>({1, 1, 1, 4}, {1, float_infinity, 3, float_nan});
  const std::vector<float> wide = numbers<float>(resized(x, rule, {1, 1, 1, 8}));
  EXPECT_EQ(wide[0], 1);
  for (const size_t i : {1, 2, 3}) EXPECT_EQ(wide[i], float_infinity);
  EXPECT_EQ(wide[4], 3);
  for (const size_t i : {5, 6, 7}) EXPECT_TRUE(std::isnan(wide[i]));
  const Value turned =
      transposed(value<float>({1, 1, 4, 1}, {1, float_infinity, 3, float_nan}), {0, 1, 2, 3});
  const std::vector<float> tall = numbers<float>(resized(turned, rule, {1, 1, 8, 1}));
  EXPECT_EQ(tall[0], 1);
  EXPECT_EQ(tall[4], 3);
}

TEST(Resize, NumbersOfEveryType) {
  const Rule rule{"linear", "half_pixel"};
  for (const sy_dtype dtype :
       {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_UINT8, SY_INT8, SY_INT32}) {
    const Value x = from_doubles(dtype, {1, 2, 2}, {0, 8, 16, 64});
    const Value y = resized(x, rule, {1, 2, 4});
    EXPECT_EQ(as_doubles(y), (std::vector<double>{0, 2, 6, 8, 16, 28, 52, 64}));
  }
}

TEST(Resize, OutsideOfTheRegionIsTheExtrapolationValue) {
  OneNode node("Resize", 19);
  node.attribute("mode", "linear").attribute("extrapolation_value", 9.0);
  node.attribute("coordinate_transformation_mode", "tf_crop_and_resize");
  node.input(value<float>({1, 1, 1, 3}, {1, 2, 4}));
  node.input(value<float>({8}, {0, 0, 0, -0.5, 1, 1, 1, 1.5})).absent_input();
  node.host_input(integers({1, 1, 1, 5})).output(SY_FLOAT32, {1, 1, 1, 5});
  EXPECT_EQ(numbers<float>(node.run()), (std::vector<float>{9, 1, 2, 4, 9}));
}

}  // namespace
}  // namespace cpu::testing
