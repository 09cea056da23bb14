// MatMulInteger and ConvInteger against plain loops.
#include <gtest/gtest.h>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

using Sums = std::vector<std::int32_t>;

template <typename Types>
class IntegerProductOf : public testing::Test {};
using Pairs =
    testing::Types<std::pair<std::int8_t, std::int8_t>, std::pair<std::int8_t, std::uint8_t>,
                   std::pair<std::uint8_t, std::int8_t>, std::pair<std::uint8_t, std::uint8_t>>;
TYPED_TEST_SUITE(IntegerProductOf, Pairs);

// Bytes of their whole range.
template <typename T>
std::vector<T> bytes(std::int64_t count, unsigned seed) {
  std::vector<T> made;
  for (const int one : below<int>(256, count, seed)) made.push_back(static_cast<T>(one));
  return made;
}

template <typename A, typename B>
Sums product(const std::vector<A>& a, const std::vector<B>& b, std::size_t rows, std::size_t depth,
             std::size_t columns, int a_zero, int b_zero) {
  Sums y(rows * columns, 0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t k = 0; k < depth; ++k) {
      y[i] += (a[i / columns * depth + k] - a_zero) * (b[k * columns + i % columns] - b_zero);
    }
  }
  return y;
}

TYPED_TEST(IntegerProductOf, Matrices) {
  using A = typename TypeParam::first_type;
  using B = typename TypeParam::second_type;
  const auto a = bytes<A>(3 * 40, 1);
  const auto b = bytes<B>(40 * 5, 2);
  Case("MatMulInteger", 10)
      .template input<A>({3, 40}, a)
      .template input<B>({40, 5}, b)
      .template input<A>({}, {A(7)})
      .template input<B>({1}, {B(-3)})
      .expect({3, 5}, product(a, b, 3, 40, 5, A(7), B(-3)));
  Case("MatMulInteger", 10)
      .template input<A>({3, 40}, a)
      .template input<B>({40, 5}, b)
      .expect({3, 5}, product(a, b, 3, 40, 5, 0, 0));
}

TEST(IntegerProduct, OfVectorsAndBatches) {
  const auto a = bytes<std::int8_t>(2 * 3 * 4, 1);
  const auto b = bytes<std::uint8_t>(4 * 2, 2);
  Case("MatMulInteger", 10)
      .input<std::int8_t>({2, 3, 4}, a)
      .input<std::uint8_t>({4, 2}, b)
      .expect({2, 3, 2}, product(a, b, 6, 4, 2, 0, 0));
  const std::vector<std::uint8_t> vector(b.begin(), b.begin() + 4);
  Case("MatMulInteger", 10)
      .input<std::int8_t>({2, 3, 4}, a)
      .input<std::uint8_t>({4}, vector)
      .expect({2, 3}, product(a, vector, 6, 4, 1, 0, 0));
}

TEST(IntegerProduct, OfNothingIsZero) {
  Case("MatMulInteger", 10)
      .input<std::int8_t>({2, 0}, {})
      .input<std::int8_t>({0, 3}, {})
      .expect<std::int32_t>({2, 3}, Sums(6, 0));
}

TEST(IntegerProduct, RefusesZeroPointsOfRows) {
  const sy::Failure failure = Case("MatMulInteger", 10)
                                  .input<std::int8_t>({2, 1}, {1, 2})
                                  .input<std::int8_t>({1, 2}, {1, 2})
                                  .input<std::int8_t>({2}, {1, 2})
                                  .output<std::int32_t>({2, 2}, Sums(4, 0))
                                  .failure();
  EXPECT_EQ(failure.reason(), SY_REASON_LIMIT);
}

// One image, two groups, padded with the zero point.
TEST(IntegerConvolution, OfGroupsWithStridesAndPadding) {
  const auto x = bytes<std::uint8_t>(4 * 5 * 6, 3);
  const auto w = bytes<std::int8_t>(6 * 2 * 3 * 2, 4);
  const int x_zero = 100, w_zero = -5;
  Sums expected;
  for (int made = 0; made < 6; ++made) {
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 5; ++column) {
        int sum = 0;
        for (int channel = 0; channel < 2; ++channel) {
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 2; ++j) {
              const int y_at = row * 2 - 1 + i, x_at = column + j * 2 - 1;
              if (y_at < 0 || y_at >= 5 || x_at < 0 || x_at >= 6) continue;
              const int from = (made / 3 * 2 + channel) * 30 + y_at * 6 + x_at;
              sum += (x[static_cast<std::size_t>(from)] - x_zero) *
                     (w[static_cast<std::size_t>(((made * 2 + channel) * 3 + i) * 2 + j)] - w_zero);
            }
          }
        }
        expected.push_back(sum);
      }
    }
  }
  Case("ConvInteger", 10)
      .attribute("group", 2)
      .attribute("strides", Numbers{2, 1})
      .attribute("dilations", Numbers{1, 2})
      .attribute("pads", Numbers{1, 1, 1, 0})
      .input<std::uint8_t>({1, 4, 5, 6}, x)
      .input<std::int8_t>({6, 2, 3, 2}, w)
      .input<std::uint8_t>({}, {100})
      .input<std::int8_t>({1}, {-5})
      .expect({1, 6, 3, 5}, expected);
}

TEST(IntegerConvolution, OfOneAxisKeepingItsLength) {
  const auto x = bytes<std::int8_t>(2 * 2 * 7, 5);
  const auto w = bytes<std::int8_t>(3 * 2 * 2, 6);
  Sums expected;
  for (int image = 0; image < 2; ++image) {
    for (int made = 0; made < 3; ++made) {
      for (int at = 0; at < 7; ++at) {
        int sum = 0;
        for (int channel = 0; channel < 2; ++channel) {
          for (int i = 0; i < 2 && at + i < 7; ++i) {
            sum += x[static_cast<std::size_t>((image * 2 + channel) * 7 + at + i)] *
                   w[static_cast<std::size_t>((made * 2 + channel) * 2 + i)];
          }
        }
        expected.push_back(sum);
      }
    }
  }
  Case("ConvInteger", 10)
      .attribute("auto_pad", "SAME_UPPER")
      .input<std::int8_t>({2, 2, 7}, x)
      .input<std::int8_t>({3, 2, 2}, w)
      .expect({2, 3, 7}, expected);
}

}  // namespace
}  // namespace mps::op_tests
