// Functions of one number that ONNX lacks, of the domain "switchyard", against C's in double.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

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
