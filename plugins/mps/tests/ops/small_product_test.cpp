// MatMul and Gemm of few rows or columns, in all layouts: the kernels of small_product.metal.
// Others, which graphs make, beside them.
#include <gtest/gtest.h>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class ProductOf : public testing::Test {
 protected:
  static constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 2e-3;
};
TYPED_TEST_SUITE(ProductOf, FloatAndHalf);

// Of one batch, given as matrices.
template <typename T>
double sum_of(const std::vector<T>& a, const std::vector<T>& b, size_t row, size_t column,
              size_t depth, size_t columns) {
  double sum = 0;
  for (size_t k = 0; k < depth; ++k) {
    sum += static_cast<double>(a[row * depth + k]) * static_cast<double>(b[k * columns + column]);
  }
  return sum;
}

template <typename T>
void expect_product(int64_t rows, int64_t depth, int64_t columns, double tolerance) {
  SCOPED_TRACE(testing::Message() << rows << " by " << depth << " by " << columns);
  const auto a = numbers<T>(rows * depth, 1), b = numbers<T>(depth * columns, 2);
  const auto expected = made_by<T>({rows, columns}, [&](const Shape& at) {
    return sum_of(a, b, static_cast<size_t>(at[0]), static_cast<size_t>(at[1]),
                  static_cast<size_t>(depth), static_cast<size_t>(columns));
  });
  Case("MatMul", 13)
      .input({rows, depth}, a)
      .input({depth, columns}, b)
      .expect({rows, columns}, expected, tolerance);
}

// Rows and columns on both sides of a block's four, a SIMD group's 32, and of the few.
TYPED_TEST(ProductOf, Matrices) {
  for (const int64_t few : {1, 3, 8, 9}) {
    expect_product<TypeParam>(few, 37, 70, this->tolerance);
    expect_product<TypeParam>(70, 5, few, this->tolerance);
    expect_product<TypeParam>(few, 64, 5, this->tolerance);
  }
  expect_product<TypeParam>(1, 300, 1, this->tolerance);
}

TYPED_TEST(ProductOf, NothingToSum) {
  Case("MatMul", 13)
      .input<TypeParam>({2, 0}, {})
      .template input<TypeParam>({0, 3}, {})
      .template expect<TypeParam>({2, 3}, {0, 0, 0, 0, 0, 0});
  Case("Gemm", 13)
      .attribute("beta", 2.0)
      .template input<TypeParam>({2, 0}, {})
      .template input<TypeParam>({0, 2}, {})
      .template input<TypeParam>({2}, {1, 2})
      .template expect<TypeParam>({2, 2}, {2, 4, 2, 4});
  Case("MatMul", 13)
      .input<TypeParam>({9, 0}, {})
      .template input<TypeParam>({0, 40}, {})
      .expect({9, 40}, std::vector<TypeParam>(360, static_cast<TypeParam>(0.0f)));
  Case("MatMul", 13)
      .input<TypeParam>({0, 3}, {})
      .template input<TypeParam>({3, 2}, {1, 2, 3, 4, 5, 6})
      .template expect<TypeParam>({0, 2}, {});
}

TYPED_TEST(ProductOf, BatchesAndVectors) {
  const auto a = numbers<TypeParam>(2 * 1 * 3 * 4, 3), b = numbers<TypeParam>(5 * 4 * 6, 4);
  const Shape shape{2, 5, 3, 6};
  const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
    const std::vector<TypeParam> left(a.begin() + at[0] * 12, a.begin() + at[0] * 12 + 12);
    const std::vector<TypeParam> right(b.begin() + at[1] * 24, b.begin() + at[1] * 24 + 24);
    return sum_of(left, right, static_cast<size_t>(at[2]), static_cast<size_t>(at[3]), 4, 6);
  });
  Case("MatMul", 13)
      .input({2, 1, 3, 4}, a)
      .input({5, 4, 6}, b)
      .expect(shape, expected, this->tolerance);
  Case("MatMul", 13)
      .template input<TypeParam>({2}, {1, 2})
      .template input<TypeParam>({2, 2, 1}, {1, 2, 3, 4})
      .template expect<TypeParam>({2, 1}, {5, 11});
  Case("MatMul", 13)
      .template input<TypeParam>({2, 2}, {1, 2, 3, 4})
      .template input<TypeParam>({2}, {1, 2})
      .template expect<TypeParam>({2}, {5, 11});
  Case("MatMul", 13)
      .template input<TypeParam>({2}, {1, 2})
      .template input<TypeParam>({2}, {3, 4})
      .template expect<TypeParam>({}, {11});
}

TYPED_TEST(ProductOf, GeneralProducts) {
  const int64_t depth = 33;
  for (const int64_t rows : {3, 40}) {
    for (const bool turns_left : {false, true}) {
      for (const bool turns_right : {false, true}) {
        const int64_t columns = 43 - rows;
        const Shape left = turns_left ? Shape{depth, rows} : Shape{rows, depth};
        const Shape right = turns_right ? Shape{columns, depth} : Shape{depth, columns};
        const auto a = numbers<TypeParam>(rows * depth, 5);
        const auto b = numbers<TypeParam>(depth * columns, 6);
        const auto c = numbers<TypeParam>(columns, 7);
        const auto expected = made_by<TypeParam>({rows, columns}, [&](const Shape& at) {
          double sum = 0;
          for (int64_t k = 0; k < depth; ++k) {
            const Shape in_left = turns_left ? Shape{k, at[0]} : Shape{at[0], k};
            const Shape in_right = turns_right ? Shape{at[1], k} : Shape{k, at[1]};
            sum += static_cast<double>(a[flat(left, in_left)]) *
                   static_cast<double>(b[flat(right, in_right)]);
          }
          return 0.5 * sum + 3 * static_cast<double>(c[static_cast<size_t>(at[1])]);
        });
        Case("Gemm", 13)
            .attribute("transA", turns_left ? 1 : 0)
            .attribute("transB", turns_right ? 1 : 0)
            .attribute("alpha", 0.5)
            .attribute("beta", 3.0)
            .input(left, a)
            .input(right, b)
            .template input<TypeParam>({columns}, c)
            .expect({rows, columns}, expected, this->tolerance);
      }
    }
  }
}

// A column with a NaN spoils its own results alone, and an addend of beta 0 none.
TYPED_TEST(ProductOf, WhatIsNotANumber) {
  const auto nan = static_cast<TypeParam>(NAN), infinity = static_cast<TypeParam>(INFINITY);
  Case("MatMul", 13)
      .template input<TypeParam>({1, 2}, {1, 2})
      .template input<TypeParam>({2, 3}, {1, nan, infinity, 1, 1, 1})
      .template expect<TypeParam>({1, 3}, {3, nan, infinity});
  Case("Gemm", 13)
      .attribute("beta", 0.0)
      .template input<TypeParam>({1, 1}, {2})
      .template input<TypeParam>({1, 1}, {3})
      .template input<TypeParam>({1}, {nan})
      .template expect<TypeParam>({1, 1}, {6});
}

// Halves are summed in float32: 2049 has no float16.
TEST(Product, SumsOfHalvesAreWide) {
  const std::vector<half> ones(2049, half(1));
  std::vector<half> right(2049, half(1));
  right[0] = half(3);
  Case("MatMul", 13).input({1, 2049}, ones).input({2049, 1}, right).expect<half>({1, 1}, {2052});
}

}  // namespace
}  // namespace mps::op_tests
