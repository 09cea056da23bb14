// Mean, Pow of two types, Dropout, CastLike.
#include <gtest/gtest.h>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class MeanOf : public testing::Test {};
TYPED_TEST_SUITE(MeanOf, FloatAndHalf);

TYPED_TEST(MeanOf, TensorsThatBroadcast) {
  const auto x = wild<TypeParam>(6), y = numbers<TypeParam>(3, 2), z = numbers<TypeParam>(2, 3);
  Case("Mean", 13)
      .template input<TypeParam>({2, 3}, x)
      .template input<TypeParam>({3}, y)
      .template input<TypeParam>({2, 1}, z)
      .expect({2, 3},
              made_by<TypeParam>({2, 3},
                                 [&](const Shape& at) {
                                   const auto row = static_cast<size_t>(at[0]),
                                              column = static_cast<size_t>(at[1]);
                                   return (static_cast<double>(x[row * 3 + column]) +
                                           static_cast<double>(y[column]) +
                                           static_cast<double>(z[row])) /
                                          3;
                                 }),
              1e-3);
  Case("Mean", 13).template input<TypeParam>({2, 3}, x).expect({2, 3}, x);
}

TEST(Mean, OfLargeHalvesIsFinite) {
  const auto large = static_cast<half>(60000.0f);
  Case("Mean", 13).input<half>({1}, {large}).input<half>({1}, {large}).expect<half>({1}, {large});
}

// Bases from -4 to 4, exponents that keep the power exact.
template <typename T, typename E>
void expect_powers() {
  std::vector<T> x;
  std::vector<E> y;
  std::vector<T> expected;
  for (const int base : {-4, -1, 1, 2, 3, 4}) {
    for (const int exponent : {0, 1, 2, 3}) {
      const int wanted = std::is_unsigned_v<T> ? std::abs(base) : base;
      x.push_back(static_cast<T>(wanted));
      y.push_back(static_cast<E>(exponent));
      expected.push_back(static_cast<T>(std::lround(std::pow(wanted, exponent))));
    }
  }
  Case("Pow", 15).input<T>({24}, x).template input<E>({24}, y).expect({24}, expected, 1e-5);
}

TEST(Power, OfTwoTypes) {
  expect_powers<float, int32_t>();
  expect_powers<float, int64_t>();
  expect_powers<float, half>();
  expect_powers<half, float>();
  expect_powers<half, int8_t>();
  expect_powers<int32_t, float>();
  expect_powers<int32_t, int64_t>();
  expect_powers<int64_t, half>();
  expect_powers<int64_t, int32_t>();
  expect_powers<uint8_t, int64_t>();
}

TEST(Power, OfIntegersToOthers) {
  Case("Pow", 15)
      .input<int32_t>({4}, {2, 1, -1, 9})
      .input<float>({4}, {-1, -3, -3, 0.5f})
      .expect<int32_t>({4}, {0, 1, -1, 3});
  Case("Pow", 15)
      .input<int64_t>({2}, {3, int64_t{1} << 33})
      .input<int32_t>({}, {2})
      .expect<int64_t>({2}, {9, 0});
}

TEST(Dropout, KeepsAllOutsideOfTraining) {
  const auto x = wild<float>(6);
  Case("Dropout", 13)
      .input<float>({2, 3}, x)
      .output<float>({2, 3}, x)
      .output<Truth>({2, 3}, std::vector<Truth>(6, Truth::yes))
      .check();
  Case("Dropout", 13)
      .input<float>({2, 3}, x)
      .input<float>({}, {0.9f})
      .constant<Truth>({}, {Truth::no})
      .expect<float>({2, 3}, x);
  Case("Dropout", 13)
      .input<float>({2, 3}, x)
      .constant<float>({}, {0})
      .constant<Truth>({}, {Truth::yes})
      .expect<float>({2, 3}, x);
}

TEST(Dropout, RefusesToTrain) {
  EXPECT_EQ(Case("Dropout", 13)
                .input<float>({1}, {1})
                .constant<float>({}, {0.5f})
                .constant<Truth>({}, {Truth::yes})
                .output<float>({1}, {1})
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
  EXPECT_EQ(Case("Dropout", 13)
                .input<float>({1}, {1})
                .no_input()
                .input<Truth>({}, {Truth::no})
                .output<float>({1}, {1})
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
}

TEST(CastLike, TakesTheOthersType) {
  Case("CastLike", 19)
      .input<float>({3}, {1.75f, -2.5f, 0})
      .input<int32_t>({1}, {0})
      .expect<int32_t>({3}, {1, -2, 0});
  Case("CastLike", 19)
      .input<int64_t>({2}, {5, 0})
      .input<Truth>({1}, {Truth::no})
      .expect<Truth>({2}, {Truth::yes, Truth::no});
}

}  // namespace
}  // namespace mps::op_tests
