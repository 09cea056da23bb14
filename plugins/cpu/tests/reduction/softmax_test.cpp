#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "harness/products.hpp"

namespace cpu::testing {
namespace {

struct SoftCase {
  std::string op;
  std::function<std::vector<double>(const std::vector<double>&)> line;
};

std::vector<double> softmax_line(const std::vector<double>& x) {
  const double shift = *std::ranges::max_element(x);
  std::vector<double> made;
  for (const double number : x) made.push_back(std::exp(number - shift));
  const double total = sum(made);
  for (double& number : made) number /= total;
  return made;
}

class Softmax : public ::testing::TestWithParam<SoftCase> {
 protected:
  // Where numbers lie far apart, x - largest has been rounded before its power is taken.
  void expect_right(const Value& input, int axis, const Shape& strides = {}, double range = 6) {
    const Value output = OneNode(GetParam().op)
                             .attribute("axis", axis)
                             .input(input)
                             .output(input.dtype, input.shape, strides)
                             .run();
    const size_t position = axis < 0 ? input.shape.size() + axis : axis;
    const std::vector<double> x = as_doubles(input);
    const std::vector<double> y = as_doubles(output);
    int64_t inner = 1;
    for (size_t i = position + 1; i < input.shape.size(); ++i) inner *= input.shape[i];
    const int64_t length = input.shape[position];
    std::vector<double> want(x.size());
    for (int64_t start = 0; start < static_cast<int64_t>(x.size()); ++start) {
      if (start / inner % length != 0) continue;
      std::vector<double> line;
      for (int64_t k = 0; k < length; ++k) line.push_back(x[start + k * inner]);
      const std::vector<double> made = GetParam().line(line);
      for (int64_t k = 0; k < length; ++k) want[start + k * inner] = made[k];
    }
    expect_near(output, want, 2 + range, GetParam().op == "LogSoftmax" ? range * 1e-7 : 1e-30);
  }
};

TEST_P(Softmax, EveryAxisLayoutAndType) {
  const Shape shape = {3, 18, 19};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    const Value plain = from_doubles(dtype, shape, numbers_between(-3, 3, 3 * 18 * 19));
    for (const Value& input : layouts_of(plain)) {
      for (const int axis : {-1, 0, 1}) {
        expect_right(input, axis);
        expect_right(input, axis, transposed(plain, {2, 0, 1}).strides);
      }
    }
  }
}

TEST_P(Softmax, LongLinesBigNumbersAndMany) {
  expect_right(from_doubles(SY_FLOAT32, {2, 70'001}, numbers_between(-5, 5, 140'002)), 1, {}, 10);
  expect_right(from_doubles(SY_FLOAT32, {700, 301}, numbers_between(-500, 500, 210'700)), 1, {},
               1000);
  expect_right(from_doubles(SY_FLOAT32, {300, 700}, numbers_between(-9, 9, 210'000)), 0, {}, 18);
  expect_right(from_doubles(SY_FLOAT32, {1}, {3}), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Softmax,
    ::testing::Values(SoftCase{"Softmax", softmax_line},
                      SoftCase{"LogSoftmax",
                               [](const std::vector<double>& x) {
                                 const double shift = *std::ranges::max_element(x);
                                 double total = 0;
                                 for (const double number : x) total += std::exp(number - shift);
                                 std::vector<double> made;
                                 for (const double number : x)
                                   made.push_back(number - shift - std::log(total));
                                 return made;
                               }},
                      SoftCase{"Hardmax",
                               [](const std::vector<double>& x) {
                                 std::vector<double> made(x.size(), 0);
                                 made[std::max_element(x.begin(), x.end()) - x.begin()] = 1;
                                 return made;
                               }}),
    [](const auto& info) { return info.param.op; });

TEST(SoftmaxSpecial, InfinitiesAndNans) {
  const Value input =
      from_doubles(SY_FLOAT32, {4, 2}, {0, -infinity, -infinity, -infinity, nan, 1, infinity, 0});
  expect_near(
      OneNode("Softmax").attribute("axis", -1).input(input).output(SY_FLOAT32, {4, 2}).run(),
      {1, 0, nan, nan, nan, nan, nan, nan}, 0);
  const Value exact = from_doubles(SY_FLOAT64, {4, 2}, as_doubles(input));
  const auto got = as_doubles(
      OneNode("Softmax").attribute("axis", -1).input(exact).output(SY_FLOAT64, {4, 2}).run());
  EXPECT_EQ(got[0], 1);
  EXPECT_TRUE(std::isnan(got[2]) && std::isnan(got[4]) && std::isnan(got[6]));
}

TEST(SoftmaxSpecial, InPlaceRankZeroAndEmpty) {
  const Value input = from_doubles(SY_FLOAT32, {2, 2}, {0, 0, 0, 0});
  expect_near(OneNode("Softmax").attribute("axis", 0).input(input).output_over(0).run(),
              {0.5, 0.5, 0.5, 0.5}, 0);
  EXPECT_EQ(OneNode("Softmax")
                .attribute("axis", 1)
                .input(blank(SY_FLOAT32, {2, 0}))
                .output(SY_FLOAT32, {2, 0})
                .run()
                .size(),
            0);
}

}  // namespace
}  // namespace cpu::testing
