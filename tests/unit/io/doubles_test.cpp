// Elements of every type as numbers.
#include "io/doubles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <switchyard/error.hpp>

#include "ops/scalar_literal.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<double>;

template <typename T>
Numbers numbers(DType dtype, const std::vector<T>& values) {
  return to_doubles(Literal::of<T>(dtype, {static_cast<std::int64_t>(values.size())}, values));
}

double one_byte(DType dtype, std::uint8_t bits) {
  return numbers<std::uint8_t>(dtype, {bits}).front();
}

TEST(DoublesTest, OfPlainTypes) {
  EXPECT_EQ(numbers<float>(DType::float32, {-1.5F, 2}), (Numbers{-1.5, 2}));
  EXPECT_EQ(numbers<double>(DType::float64, {1e300}), Numbers{1e300});
  EXPECT_EQ(numbers<std::int8_t>(DType::int8, {-128}), Numbers{-128});
  EXPECT_EQ(numbers<std::uint8_t>(DType::uint8, {255}), Numbers{255});
  EXPECT_EQ(numbers<std::uint8_t>(DType::bool_, {1}), Numbers{1});
  EXPECT_EQ(numbers<std::uint16_t>(DType::uint16, {65535}), Numbers{65535});
  EXPECT_EQ(numbers<std::int64_t>(DType::int64, {-7}), Numbers{-7});
  EXPECT_EQ(numbers<std::uint64_t>(DType::uint64, {std::uint64_t{1} << 63}), Numbers{0x1p63});
}

TEST(DoublesTest, OfHalves) {
  EXPECT_EQ(numbers<std::uint16_t>(DType::float16, {0x3c00, 0xc000, 0x0001}),
            (Numbers{1, -2, 0x1p-24}));
  EXPECT_EQ(numbers<std::uint16_t>(DType::bfloat16, {0x3f80, 0xc000}), (Numbers{1, -2}));
}

TEST(DoublesTest, OfComplexNumbersAreTheirParts) {
  Literal literal(DType::complex64, {1});
  const float parts[] = {1, -2};
  std::copy_n(reinterpret_cast<const std::byte*>(parts), sizeof parts, literal.mutable_bytes());
  EXPECT_EQ(to_doubles(literal), (Numbers{1, -2}));
}

TEST(DoublesTest, OfHalfBytesLieLowHalfFirst) {
  Literal literal(DType::int4, {3});
  literal.mutable_bytes()[0] = std::byte{0x87};
  literal.mutable_bytes()[1] = std::byte{0x0f};
  EXPECT_EQ(to_doubles(literal), (Numbers{7, -8, -1}));
}

TEST(DoublesTest, OfFloat8) {
  EXPECT_EQ(one_byte(DType::float8e4m3fn, 0x38), 1);
  EXPECT_EQ(one_byte(DType::float8e4m3fn, 0x7e), 448);
  EXPECT_EQ(one_byte(DType::float8e4m3fn, 0x01), 0x1p-9);
  EXPECT_TRUE(std::isnan(one_byte(DType::float8e4m3fn, 0x7f)));
  EXPECT_EQ(one_byte(DType::float8e5m2, 0x7b), 57344);
  EXPECT_EQ(one_byte(DType::float8e5m2, 0xfc), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(one_byte(DType::float8e5m2, 0x7d)));
  EXPECT_EQ(one_byte(DType::float8e4m3fnuz, 0x40), 1);
  EXPECT_EQ(one_byte(DType::float8e4m3fnuz, 0x7f), 240);
  EXPECT_TRUE(std::isnan(one_byte(DType::float8e4m3fnuz, 0x80)));
  EXPECT_EQ(one_byte(DType::float8e5m2fnuz, 0x40), 1);
  EXPECT_EQ(one_byte(DType::float8e5m2fnuz, 0x7f), 57344);
  EXPECT_TRUE(std::isnan(one_byte(DType::float8e5m2fnuz, 0x80)));
}

TEST(DoublesTest, OfTextAreRefused) { EXPECT_THROW(to_doubles(Literal({1}, {"a"})), Error); }

}  // namespace
}  // namespace switchyard
