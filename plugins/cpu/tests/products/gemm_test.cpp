// Products on any number of threads give the same bits.
#include "gemm/gemm.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "gemm/dense_product.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

struct GemmShape {
  int64_t m, n, k;
};

template <typename T>
std::vector<T> numbers(int64_t count) {
  std::vector<T> made(static_cast<size_t>(count));
  uint32_t state = 1;
  for (T& number : made) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<T>(static_cast<int32_t>(state >> 16) - 32768) / static_cast<T>(256);
  }
  return made;
}

template <typename T>
GemmOperand<T> turned_or_not(const std::vector<T>& data, int64_t rows, int64_t columns,
                             bool turned) {
  GemmOperand<T> operand;
  operand.view = turned ? MatrixView<const T>{data.data(), 1, rows}
                        : MatrixView<const T>{data.data(), columns, 1};
  return operand;
}

template <typename T>
std::vector<T> product(const GemmShape& shape, const GemmOperand<T>& a, const GemmOperand<T>& b,
                       int threads) {
  set_thread_count(threads);
  std::vector<T> c(static_cast<size_t>(shape.m * shape.n), T{2});
  gemm<T>(shape.m, shape.n, shape.k, a, b, {c.data(), shape.n, 1}, {T{3}, true});
  set_thread_count(1);
  return c;
}

template <typename T>
void expect_same_bits(const GemmShape& shape) {
  const std::vector<T> a = numbers<T>(shape.m * shape.k);
  const std::vector<T> b = numbers<T>(shape.k * shape.n);
  for (const bool turned : {false, true}) {
    const auto left = turned_or_not(a, shape.m, shape.k, turned);
    const auto right = turned_or_not(b, shape.k, shape.n, turned);
    const std::vector<T> alone = product(shape, left, right, 1);
    for (const int threads : {2, 3, 7, 16}) {
      const std::vector<T> shared = product(shape, left, right, threads);
      EXPECT_EQ(std::memcmp(alone.data(), shared.data(), alone.size() * sizeof(T)), 0)
          << shape.m << " x " << shape.n << " x " << shape.k << " on " << threads;
    }
  }
}

constexpr GemmShape shapes[] = {{64, 768, 192},  {197, 131, 300}, {1, 3000, 257}, {3000, 1, 257},
                                {300, 300, 300}, {7, 1001, 640},  {640, 33, 129}};

TEST(Gemm, FloatsDoNotDependOnTheNumberOfThreads) {
  for (const GemmShape& shape : shapes) expect_same_bits<float>(shape);
}

TEST(Gemm, OtherTypesNeither) {
  for (const GemmShape& shape : shapes) {
    expect_same_bits<double>(shape);
    expect_same_bits<int32_t>(shape);
  }
}

TEST(Gemm, StripsAreTheMatrix) {
  const GemmShape shape{50, 333, 210};
  const int64_t width = strip_columns_of(shape.n);
  if (width == 0) GTEST_SKIP() << "this build or processor uses panels";
  const std::vector<float> a = numbers<float>(shape.m * shape.k);
  const std::vector<float> b = numbers<float>(shape.k * shape.n);
  std::vector<float> strips(static_cast<size_t>((shape.n + width - 1) / width * width * shape.k));
  for (int64_t i = 0; i < shape.k; ++i) {
    for (int64_t j = 0; j < shape.n; ++j) {
      const int64_t to = j / width * width * shape.k + i * width + j % width;
      strips[static_cast<size_t>(to)] = b[static_cast<size_t>(i * shape.n + j)];
    }
  }
  GemmOperand<float> packed;
  packed.strips = strips.data();
  packed.strip_columns = width;
  const auto left = turned_or_not(a, shape.m, shape.k, false);
  const auto plain = product(shape, left, turned_or_not(b, shape.k, shape.n, false), 1);
  const auto from_strips = product(shape, left, packed, 1);
  for (size_t i = 0; i < plain.size(); ++i) {
    ASSERT_NEAR(from_strips[i], plain[i], 1e-5 * 128 * 128 * shape.k) << i;
  }
}

}  // namespace
}  // namespace cpu
