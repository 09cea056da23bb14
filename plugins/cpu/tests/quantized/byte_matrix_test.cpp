// Products of bytes are exact, whatever computes them.
#include "kernels/quantized/byte_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/quantized/byte_product.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

struct Shape {
  int64_t rows, depth, columns;
};

// Half of all bytes are at an end of the range, so that sums are large.
std::vector<uint8_t> bytes(int64_t count, uint32_t seed) {
  std::vector<uint8_t> made(static_cast<size_t>(count));
  uint32_t state = seed;
  for (uint8_t& byte : made) {
    state = state * 1664525u + 1013904223u;
    const uint32_t drawn = state >> 16;
    byte = drawn % 4 == 0 ? 0xff : drawn % 4 == 1 ? 0x80 : static_cast<uint8_t>(drawn >> 2);
  }
  return made;
}

int32_t number(uint8_t byte, bool is_signed) {
  return is_signed ? static_cast<int8_t>(byte) : int32_t{byte};
}

struct Case {
  Shape shape;
  bool is_signed;  // the right side
  std::vector<uint8_t> left = bytes(shape.rows * shape.depth, 1);
  std::vector<uint8_t> right = bytes(shape.depth * shape.columns, 2);

  // Modulo 2^32.
  std::vector<int32_t> sums() const {
    std::vector<int32_t> made;
    for (int64_t i = 0; i < shape.rows; ++i) {
      for (int64_t j = 0; j < shape.columns; ++j) {
        uint32_t sum = 0;
        for (int64_t k = 0; k < shape.depth; ++k) {
          const int32_t a = left[static_cast<size_t>(i * shape.depth + k)];
          const uint8_t b = right[static_cast<size_t>(k * shape.columns + j)];
          sum += static_cast<uint32_t>(a * number(b, is_signed));
        }
        made.push_back(static_cast<int32_t>(sum));
      }
    }
    return made;
  }
};

using Pack = std::shared_ptr<const ByteMatrix> (*)(const ByteView&, int64_t, int64_t);

std::vector<int32_t> product(const Case& c, Pack pack, int threads) {
  const auto [rows, depth, columns] = c.shape;
  const auto matrix = pack({c.right.data(), c.is_signed, columns, 1}, depth, columns);
  const int32_t left_zero = 0;
  const std::vector<int32_t> right_zeros(static_cast<size_t>(columns), signed_shift(c.is_signed));
  std::vector<int32_t> sums(static_cast<size_t>(rows * columns));
  ByteResult result{reinterpret_cast<char*>(sums.data()), columns, {&left_zero, 0}};
  result.right_zeros = right_zeros.data();
  set_thread_count(threads);
  multiply_bytes({rows, depth, c.left.data()}, *matrix, result);
  set_thread_count(1);
  return sums;
}

TEST(ByteMatrix, ProductsAreExactForEveryShape) {
  const Shape shapes[] = {
      {1, 1, 1},     {1, 768, 192},  {2, 3, 5},      {7, 64, 64},    {16, 65, 63},  {33, 130, 129},
      {49, 576, 96}, {64, 300, 200}, {65, 147, 64},  {70, 1, 70},    {3, 2, 1000},  {600, 16, 24},
      {5, 4000, 7},  {130, 512, 10}, {513, 64, 320}, {1, 70000, 65}, {17, 70000, 3}};
  for (const Shape& shape : shapes) {
    for (const bool is_signed : {false, true}) {
      const Case c{shape, is_signed};
      const std::vector<int32_t> expected = c.sums();
      for (const Pack pack : {pack_bytes, pack_byte_pairs}) {
        for (const int threads : {1, 3}) {
          ASSERT_EQ(product(c, pack, threads), expected)
              << shape.rows << " x " << shape.depth << " x " << shape.columns
              << (is_signed ? " signed, " : " unsigned, ") << threads << " threads";
        }
      }
    }
  }
}

TEST(ByteMatrix, TakesAnyNumberOfRows) {
  for (const int64_t depth : {3, 16, 65}) {
    for (int64_t rows = 1; rows <= 70; ++rows) {
      const Case c{{rows, depth, 67}, true};
      ASSERT_EQ(product(c, pack_bytes, 1), c.sums()) << rows << " x " << depth;
    }
  }
}

TEST(ByteMatrix, ReadsAnySteps) {
  const std::vector<uint8_t> elements = bytes(40 * 70, 3);
  const std::vector<uint8_t> left = bytes(4 * 40, 4);
  const Case plain{{4, 40, 70}, true, left, elements};
  std::vector<uint8_t> turned(elements.size());
  for (size_t i = 0; i < 40; ++i) {
    for (size_t j = 0; j < 70; ++j) turned[j * 40 + i] = elements[i * 70 + j];
  }
  for (const Pack pack : {pack_bytes, pack_byte_pairs}) {
    const auto matrix = pack({turned.data(), true, 1, 40}, 40, 70);
    std::vector<int32_t> sums(4 * 70);
    matrix->multiply(4, left.data(), 40, 0, 70, sums.data());
    EXPECT_EQ(sums, plain.sums());
  }
}

TEST(ByteMatrix, RowsMayBeFurtherApartThanTheyAreLong) {
  const std::vector<uint8_t> right = bytes(10 * 8, 5), left = bytes(6 * 10, 6);
  std::vector<uint8_t> spaced(6 * 13, 0xee);
  for (size_t i = 0; i < 6; ++i) std::copy_n(&left[i * 10], 10, &spaced[i * 13]);
  const Case plain{{6, 10, 8}, true, left, right};
  for (const Pack pack : {pack_bytes, pack_byte_pairs}) {
    const auto matrix = pack({right.data(), true, 8, 1}, 10, 8);
    std::vector<int32_t> sums(6 * 8);
    matrix->multiply(6, spaced.data(), 13, 0, 8, sums.data());
    EXPECT_EQ(sums, plain.sums());
  }
}

}  // namespace
}  // namespace cpu
