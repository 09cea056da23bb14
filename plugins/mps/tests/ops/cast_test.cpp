// Cast between all types that are claimed, from and to each layout.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
constexpr bool is_fraction =
    std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat>;

// Fractions go towards zero and stop at the type's ends, NaN becomes 0; integers wrap.
template <typename To, typename From>
To converted(From from) {
  if constexpr (std::is_same_v<To, Truth>) {
    return from != From{} ? Truth::yes : Truth::no;
  } else if constexpr (std::is_same_v<From, Truth>) {
    return static_cast<To>(from == Truth::yes ? 1 : 0);
  } else if constexpr (is_fraction<To>) {
    return static_cast<To>(static_cast<float>(from));
  } else if constexpr (is_fraction<From>) {
    const double number = std::trunc(static_cast<double>(static_cast<float>(from)));
    using Limits = std::numeric_limits<To>;
    if (std::isnan(number)) return 0;
    if (number >= std::ldexp(1.0, Limits::digits)) return Limits::max();
    return number <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<To>(number);
  } else {
    return static_cast<To>(from);
  }
}

// Around the ends of the narrower types, and what is not finite.
template <typename T>
std::vector<T> telling() {
  if constexpr (std::is_same_v<T, Truth>) {
    return {Truth::no, Truth::yes, Truth::yes, Truth::no, Truth::yes, Truth::no};
  } else if constexpr (is_fraction<T>) {
    std::vector<T> made = wild<T>(18);
    for (const float number : {127.5f, 128.0f, -128.75f, -129.0f, 255.5f, 256.0f, -0.5f, 300.0f,
                               40000.0f, -40000.0f, 3e9f, -3e9f, 1e19f, -1e19f}) {
      made.push_back(static_cast<T>(number));
    }
    return made;
  } else {
    using Limits = std::numeric_limits<T>;
    std::vector<T> made = numbers<T>(22);
    for (const int64_t number :
         {int64_t{Limits::min()}, int64_t{Limits::max()}, int64_t{-1}, int64_t{127}, int64_t{128},
          int64_t{256}, int64_t{40000}, int64_t{100001}, int64_t{1} << 40, int64_t{0}}) {
      made.push_back(static_cast<T>(number));
    }
    return made;
  }
}

template <typename To, typename From>
void expect_cast() {
  const std::vector<From> x = telling<From>();
  std::vector<To> expected;
  for (const From number : x) expected.push_back(converted<To>(number));
  const Shape shape{2, static_cast<int64_t>(x.size() / 2)};
  SCOPED_TRACE(sy::dtype_name(dtype<To>()));
  Case("Cast", 13)
      .attribute("to", static_cast<int64_t>(dtype<To>()))
      .input(shape, x)
      .expect(shape, expected);
}

template <typename T>
class CastFrom : public testing::Test {};
using All = testing::Types<float, half, bfloat, int64_t, int32_t, int16_t, int8_t, uint8_t, Truth>;
TYPED_TEST_SUITE(CastFrom, All);

TYPED_TEST(CastFrom, EachTypeToEach) {
  expect_cast<float, TypeParam>();
  expect_cast<half, TypeParam>();
  expect_cast<bfloat, TypeParam>();
  expect_cast<int64_t, TypeParam>();
  expect_cast<int32_t, TypeParam>();
  expect_cast<int16_t, TypeParam>();
  expect_cast<int8_t, TypeParam>();
  expect_cast<uint8_t, TypeParam>();
  expect_cast<Truth, TypeParam>();
}

TEST(Cast, RepeatedElements) {
  const View view = runtime_tests::repeated({3, 2, 4}, {0, 2});
  Case("Cast", 13)
      .attribute("to", static_cast<int64_t>(SY_INT64))
      .input_in<half>(view, {7,  7,  7,  7,  -2, -2, -2, -2, 7,  7,  7,  7,
                             -2, -2, -2, -2, 7,  7,  7,  7,  -2, -2, -2, -2})
      .expect<int64_t>({3, 2, 4}, {7,  7,  7,  7,  -2, -2, -2, -2, 7,  7,  7,  7,
                                   -2, -2, -2, -2, 7,  7,  7,  7,  -2, -2, -2, -2});
}

}  // namespace
}  // namespace mps::op_tests
