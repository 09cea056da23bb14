#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "harness/harness.hpp"

namespace cpu::testing {
namespace {

template <typename T>
Value counting(Shape shape) {
  Value made = blank(sy::dtype_of<T>, shape);
  std::vector<T> elements(static_cast<size_t>(made.size()));
  std::iota(elements.begin(), elements.end(), T{0});
  return value<T>(std::move(shape), elements);
}

template <typename T>
void expect_copied(const Value& source, Value destination) {
  copy_through_plugin(source, destination);
  EXPECT_EQ(numbers<T>(source), numbers<T>(destination));
}

TEST(Copy, EveryLayoutToEveryOther) {
  const Value plain = counting<int32_t>({3, 4, 5});
  const std::vector<Value> layouts = {plain, transposed(plain, {2, 0, 1}), spaced(plain),
                                      reversed(plain)};
  for (const Value& from : layouts) {
    for (const Value& layout : layouts) {
      expect_copied<int32_t>(from, blank(SY_INT32, plain.shape, layout.strides, layout.offset));
    }
  }
}

TEST(Copy, BroadcastRankZeroAndZeroSize) {
  const Value row = value<float>({1, 3}, {1, 2, 3});
  expect_copied<float>(broadcast(row, {4, 3}), blank(SY_FLOAT32, {4, 3}));
  expect_copied<float>(value<float>({}, {7}), blank(SY_FLOAT32, {}));
  expect_copied<float>(value<float>({2, 0}, {}), blank(SY_FLOAT32, {2, 0}));
}

template <typename T>
void expect_big_transposes() {
  for (const Shape& shape : {Shape{1031, 517}, Shape{7, 211, 309}, Shape{3, 5, 129, 257}}) {
    const Value plain = counting<T>(shape);
    std::vector<size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), size_t{0});
    const Value turned = transposed(plain, order);
    expect_copied<T>(turned, blank(plain.dtype, shape));
    expect_copied<T>(plain, blank(plain.dtype, shape, turned.strides));
  }
}

TEST(Copy, BigTransposesOfEverySize) {
  expect_big_transposes<uint8_t>();
  expect_big_transposes<int16_t>();
  expect_big_transposes<float>();
  expect_big_transposes<double>();
}

TEST(Copy, PlanesOfEveryRaggedSize) {
  for (const int64_t rows : {1, 3, 16, 17, 63, 64, 65, 300}) {
    for (const int64_t columns : {1, 2, 15, 16, 33, 257}) {
      const Value plain = counting<uint16_t>({2, rows, columns});
      const Value turned = transposed(plain, {0, 2, 1});
      expect_copied<uint16_t>(turned, blank(SY_UINT16, plain.shape));
      const Value bytes = counting<uint8_t>({rows, columns});
      expect_copied<uint8_t>(transposed(bytes, {1, 0}), blank(SY_UINT8, bytes.shape));
      const Value doubles = counting<double>({rows, columns});
      expect_copied<double>(doubles, blank(SY_FLOAT64, doubles.shape, {1, rows}));
    }
  }
}

TEST(Copy, ImagesOfFewChannelsBothWays) {
  for (const int64_t channels : {1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 17}) {
    for (const int64_t area : {1, 2, 86, 128, 255, 256, 271, 512, 1031, 4099}) {
      const Value plain = counting<float>({2, channels, area});
      const Value last = transposed(plain, {0, 2, 1});
      expect_copied<float>(plain, blank(SY_FLOAT32, plain.shape, last.strides));
      expect_copied<float>(last, blank(SY_FLOAT32, plain.shape));
      const Value bytes = counting<uint8_t>(plain.shape);
      expect_copied<uint8_t>(bytes, blank(SY_UINT8, plain.shape, last.strides));
      const Value halves = counting<uint16_t>(plain.shape);
      expect_copied<uint16_t>(halves, blank(SY_UINT16, plain.shape, last.strides));
      const Value doubles = counting<double>(plain.shape);
      expect_copied<double>(doubles, blank(SY_FLOAT64, plain.shape, last.strides));
    }
  }
}

// Rows with gaps between them, channels with gaps between positions, and odd offsets.
TEST(Copy, ImagesOfFewChannelsWithGaps) {
  for (const int64_t channels : {2, 3, 4, 5, 6, 11}) {
    const Value plain = counting<int32_t>({2, channels, 7, 301});
    const int64_t line = 301 * channels + 5;
    const Shape dense_lines = {7 * line + 3, 1, line, channels};
    const Shape dense_planes = {channels * 2200, 2200, 309, 1};
    const Shape gaps = {7 * 301 * 13, 1, 301 * 13, 13};
    for (const Value& from : {plain, restrided(plain, dense_lines, 1),
                              restrided(plain, dense_planes, 3), restrided(plain, gaps, 7)}) {
      for (const Shape& strides : {plain.actual_strides(), dense_lines, dense_planes, gaps}) {
        expect_copied<int32_t>(from, blank(SY_INT32, plain.shape, strides, 5));
      }
    }
  }
}

// A copy writes what it is asked for and nothing else.
TEST(Copy, ImagesOfFewChannelsLeaveTheirGapsAlone) {
  const Value plain = counting<int32_t>({3, 9, 115});
  const Shape lines = {1, 115 * 3 + 2, 3};
  Value to = blank(SY_INT32, plain.shape, lines, 1);
  std::fill(to.bytes.begin(), to.bytes.end(), std::byte{0xAB});
  copy_through_plugin(plain, to);
  EXPECT_EQ(numbers<int32_t>(to), numbers<int32_t>(plain));
  Value gaps = to;
  gaps.shape = {8, 2};
  gaps.strides = {lines[1], 1};
  gaps.offset = 1 + 115 * 3;
  const auto untouched = static_cast<int32_t>(0xABABABABu);
  EXPECT_EQ(numbers<int32_t>(gaps), std::vector<int32_t>(16, untouched));
}

TEST(Copy, BitsOfNaNsAreKept) {
  Value bits = counting<uint32_t>({1, 3, 517});
  for (size_t i = 0; i < bits.bytes.size(); i += 4) {
    const uint32_t payload = 0x7F800001u + static_cast<uint32_t>(i);
    std::memcpy(bits.bytes.data() + i, &payload, sizeof payload);
  }
  bits.dtype = SY_FLOAT32;
  Value last = blank(SY_FLOAT32, bits.shape, {3 * 517, 1, 3});
  copy_through_plugin(bits, last);
  Value back = blank(SY_FLOAT32, bits.shape);
  copy_through_plugin(last, back);
  EXPECT_EQ(back.bytes, bits.bytes);
}

TEST(Copy, TransposesPastTheCachesFromAnyAddress) {
  const Value plain = counting<float>({1200, 1100});
  expect_copied<float>(transposed(plain, {1, 0}), blank(SY_FLOAT32, plain.shape));
  expect_copied<float>(restrided(plain, {1, 1203}, 1),
                       blank(SY_FLOAT32, plain.shape, {1103, 1}, 1));
  const Value wide = blank(SY_COMPLEX128, {70, 90});
  Value to = blank(SY_COMPLEX128, {70, 90}, {1, 70});
  copy_through_plugin(wide, to);
  EXPECT_EQ(to.bytes, wide.bytes);
}

TEST(Copy, NibblesAreContiguousOnly) {
  const Value source = packed_integers(SY_INT4, {5}, {1, -2, 3, -4, 5});
  Value destination = blank(SY_INT4, {5});
  copy_through_plugin(source, destination);
  EXPECT_EQ(unpacked_integers(destination), unpacked_integers(source));
}

}  // namespace
}  // namespace cpu::testing
