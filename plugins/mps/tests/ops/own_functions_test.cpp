// Functions of one number that ONNX lacks, of the domain "switchyard", against C's in double.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

double digamma(double x) {
  double steps = 0;
  for (; x < 40; x += 1) steps += 1 / x;
  return std::log(x) - 0.5 / x - 1 / (12 * x * x) + 1 / (120 * x * x * x * x) - steps;
}

struct OwnFunction {
  const char* op;
  double (*exact)(double);
  double low, high;
};

constexpr OwnFunction own_functions[] = {
    {"Exp2", [](double x) { return std::exp2(x); }, -20, 6},
    {"Expm1", [](double x) { return std::expm1(x); }, -9, 5},
    {"Log1p", [](double x) { return std::log1p(x); }, -0.98, 9},
    {"Log2", [](double x) { return std::log2(x); }, 0.01, 90},
    {"Log10", [](double x) { return std::log10(x); }, 0.01, 90},
    {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.01, 90},
    {"Trunc", [](double x) { return std::trunc(x); }, -9.3, 9.2},
    {"Frac", [](double x) { return x - std::trunc(x); }, -9.3, 9.2},
    {"Erfc", [](double x) { return std::erfc(x); }, -4, 3},
    {"Lgamma", [](double x) { return std::lgamma(x); }, 0.1, 30},
    {"Digamma", digamma, 0.1, 30},
};

template <typename T>
class OwnFunctionsOf : public testing::Test {};
using Floating = testing::Types<float, half, bfloat>;
TYPED_TEST_SUITE(OwnFunctionsOf, Floating);

TYPED_TEST(OwnFunctionsOf, AreThoseOfC) {
  using T = TypeParam;
  constexpr bool is_float = std::is_same_v<T, float>;
  const double tolerance = is_float ? 1e-6 : std::is_same_v<T, half> ? 1e-3 : 8e-3;
  for (const OwnFunction& function : own_functions) {
    std::vector<T> x, y;
    for (int i = 0; i < 60; ++i) {
      x.push_back(static_cast<T>(function.low + (function.high - function.low) * i / 59));
      y.push_back(
          static_cast<T>(function.exact(static_cast<double>(static_cast<float>(x.back())))));
    }
    Case made(function.op, 1);
    made.domain("switchyard").input({5, 12}, x).expect({5, 12}, y, tolerance);
  }
}

struct OwnPair {
  const char* op;
  double (*exact)(double, double);
};

constexpr OwnPair own_pairs[] = {
    {"Atan2", [](double y, double x) { return std::atan2(y, x); }},
    {"FloorDivide", [](double x, double y) { return std::floor(x / y); }},
    {"Remainder", [](double x, double y) { return x - std::floor(x / y) * y; }},
    {"Hypot", [](double x, double y) { return std::hypot(x, y); }},
    {"LogAddExp", [](double x, double y) { return std::log(std::exp(x) + std::exp(y)); }},
};

TYPED_TEST(OwnFunctionsOf, TwoNumbersThatBroadcast) {
  using T = TypeParam;
  constexpr bool is_float = std::is_same_v<T, float>;
  const double tolerance = is_float ? 1e-6 : std::is_same_v<T, half> ? 1e-3 : 8e-3;
  for (const OwnPair& function : own_pairs) {
    const std::vector<T> x = {T(-3.5F), T(-1.0F), T(0.25F), T(2.0F), T(7.0F), T(-0.5F)};
    const std::vector<T> y = {T(2.0F), T(-0.75F), T(3.0F)};
    std::vector<T> want;
    for (size_t i = 0; i < x.size(); ++i) {
      const auto number = [](T value) { return static_cast<double>(static_cast<float>(value)); };
      want.push_back(static_cast<T>(function.exact(number(x[i]), number(y[i % 3]))));
    }
    Case made(function.op, 1);
    made.domain("switchyard").input({2, 3}, x).input({3}, y).expect({2, 3}, want, tolerance);
  }
}

TEST(OwnFunctions, OfTwoNumbersAtTheEnds) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto expect = [&](const char* op, const Floats& x, const Floats& y, const Floats& values) {
    Case made(op, 1);
    const std::vector<int64_t> shape = {static_cast<int64_t>(x.size())};
    made.domain("switchyard").input(shape, x).input(shape, y).expect(shape, values);
  };
  expect("Hypot", {0, infinity, 3e30F}, {0, NAN, 4e30F}, {0, infinity, 5e30F});
  expect("LogAddExp", {infinity, -infinity, 100}, {infinity, -infinity, -infinity},
         {infinity, -infinity, 100});
  expect("FloorDivide", {1, -1, 7, -7}, {0, 0, infinity, infinity}, {infinity, -infinity, 0, -1});
  expect("Remainder", {1, 5, -5, infinity}, {0, -infinity, -infinity, 3},
         {NAN, -infinity, -5, NAN});
  expect("Atan2", {0, 0, -1}, {1, -1, 0}, {0, 3.14159265F, -1.57079633F});
}

TEST(OwnFunctions, FloorDivideOfIntegers) {
  Case("FloorDivide", 1)
      .domain("switchyard")
      .input({6}, std::vector<int32_t>{7, -7, 7, -7, 5, INT32_MIN})
      .input({6}, std::vector<int32_t>{2, 2, -2, -2, 0, -1})
      .expect({6}, std::vector<int32_t>{3, -4, -4, 3, 0, INT32_MIN});
}

TEST(OwnFunctions, GammaOfNegativeNumbersAndPoles) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Floats x = {-1.5F, -0.25F, -3, 0, -infinity};
  Case("Lgamma", 1)
      .domain("switchyard")
      .input({5}, x)
      .expect({5}, Floats{0.860047F, 1.589575F, infinity, infinity, infinity}, 1e-6);
  Case("Digamma", 1)
      .domain("switchyard")
      .input({4}, Floats{-1.5F, -0.5F, 0, infinity})
      .expect({4}, Floats{0.7031566F, 0.03648998F, -infinity, infinity}, 1e-6);
}

TEST(OwnFunctions, KeepDigitsNearZeroAndValuesAtTheEnds) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Floats tiny = {1e-9F, -3e-10F, 1e-20F};
  for (const char* op : {"Expm1", "Log1p"}) {
    Case(op, 1).domain("switchyard").input({3}, tiny).expect({3}, tiny, 1e-16);
  }
  const Floats ends = {0, infinity};
  const auto expect = [&](const char* op, const Floats& values) {
    Case(op, 1).domain("switchyard").input({2}, ends).expect({2}, values);
  };
  expect("Rsqrt", {infinity, 0});
  expect("Log2", {-infinity, infinity});
  expect("Log10", {-infinity, infinity});
  expect("Log1p", {0, infinity});
  expect("Exp2", {1, infinity});
  expect("Expm1", {0, infinity});
  expect("Trunc", {0, infinity});
}

}  // namespace
}  // namespace mps::op_tests
