// The C layer beside the C++ layer: what both compute is the same. (That the C layer is C99, and
// how each of its functions behaves, is tests/c-layer's to show.)
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "plugin-api/random_layout.hpp"
#include "switchyard/plugin/copy.h"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/dtype.h"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/rows.h"
#include "switchyard/plugin/shape.h"
#include "switchyard/plugin/shape.hpp"
#include "switchyard/plugin/tensor.hpp"

namespace {

using copies::Layout;
using copies::Numbers;
using copies::random_bytes;
using copies::random_layout;

uint32_t rank_of(const Numbers& shape) { return static_cast<uint32_t>(shape.size()); }

// Up to 5 axes of up to 40 elements; every fourth shape has all the axes that there may be.
Numbers random_shape(std::mt19937& random, int round) {
  const bool is_deep = round % 4 == 0;
  Numbers shape(is_deep ? SY_MAX_RANK : random() % 6, 1);
  for (int64_t& extent : shape) {
    if (!is_deep) extent = static_cast<int64_t>(random() % (round % 7 ? 5 : 40));
    if (is_deep && random() % 4 == 0) extent = static_cast<int64_t>(random() % 16 ? 2 : 0);
  }
  while (sy::element_count(shape) > 100000) shape.pop_back();
  return shape;
}

TEST(CLayerCopy, EqualsTheCppLayerForAnyStrides) {
  std::mt19937 random(2);
  const sy_dtype dtypes[] = {SY_BOOL, SY_BFLOAT16, SY_FLOAT32, SY_INT64, SY_COMPLEX128};
  for (int round = 0; round < 4000; ++round) {
    const sy_dtype dtype = dtypes[round % 5];
    const auto bytes = static_cast<int64_t>(sy::dtype_bytes(dtype));
    const Numbers shape = random_shape(random, round);
    const Layout from = random_layout(random, shape, true);
    const Layout to = random_layout(random, shape, false);
    const auto source = random_bytes(random, static_cast<size_t>(from.elements * bytes));
    std::vector<char> wanted = random_bytes(random, static_cast<size_t>(to.elements * bytes));
    std::vector<char> got = wanted;
    const char* read = source.data() + from.first * bytes;
    sy::copy_elements(dtype, shape, read, from.strides.data(), wanted.data() + to.first * bytes,
                      to.strides.data());
    ASSERT_EQ(sy_copy_elements(dtype, rank_of(shape), shape.data(), read, from.strides.data(),
                               got.data() + to.first * bytes, to.strides.data(), nullptr),
              SY_OK);
    ASSERT_EQ(got, wanted) << "round " << round << " shape " << sy::text(sy::Extents(shape))
                           << " from " << sy::text(sy::Extents(from.strides)) << " to "
                           << sy::text(sy::Extents(to.strides));
  }
}

TEST(CLayerCopy, TakesNullForContiguousOnEitherSide) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const Numbers shape = random_shape(random, round);
    const Layout strided = random_layout(random, shape, false);
    const auto count = static_cast<size_t>(sy::element_count(shape));
    const auto source = random_bytes(random, static_cast<size_t>(strided.elements) * 4);
    std::vector<char> wanted(count * 4), got(count * 4), back(source.size()), again(source.size());
    const char* read = source.data() + strided.first * 4;
    sy::copy_elements(SY_INT32, shape, read, strided.strides.data(), wanted.data(), nullptr);
    ASSERT_EQ(sy_copy_elements(SY_INT32, rank_of(shape), shape.data(), read, strided.strides.data(),
                               got.data(), nullptr, nullptr),
              SY_OK);
    ASSERT_EQ(got, wanted);
    sy::copy_elements(SY_INT32, shape, got.data(), nullptr, back.data() + strided.first * 4,
                      strided.strides.data());
    ASSERT_EQ(sy_copy_elements(SY_INT32, rank_of(shape), shape.data(), got.data(), nullptr,
                               again.data() + strided.first * 4, strided.strides.data(), nullptr),
              SY_OK);
    ASSERT_EQ(again, back);
  }
}

TEST(CLayerCopy, CopiesPackedTypesOfAnyCount) {
  std::mt19937 random(4);
  for (const sy_dtype dtype : {SY_INT4, SY_UINT4, SY_FLOAT4E2M1, SY_INT2, SY_UINT2}) {
    for (int64_t count = 0; count < 40; ++count) {
      const Numbers shape = {count};
      const auto source = random_bytes(random, 24);
      std::vector<char> wanted(24, 'x'), got(24, 'x');
      sy::copy_elements(dtype, shape, source.data(), nullptr, wanted.data(), nullptr);
      ASSERT_EQ(sy_copy_elements(dtype, 1, shape.data(), source.data(), nullptr, got.data(),
                                 nullptr, nullptr),
                SY_OK);
      ASSERT_EQ(got, wanted) << sy::dtype_name(dtype) << " " << count;
    }
  }
}

TEST(CLayerShapes, AreThoseOfTheCppLayer) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const Numbers shape = random_shape(random, round);
    const Layout layout = random_layout(random, shape, true);
    ASSERT_EQ(sy_element_count(rank_of(shape), shape.data()), sy::element_count(shape));
    ASSERT_EQ(sy_is_contiguous(rank_of(shape), shape.data(), layout.strides.data()) != 0,
              sy::is_contiguous(shape, layout.strides.data()));
    const sy_byte_range range =
        sy_bytes_touched(SY_FLOAT32, rank_of(shape), shape.data(), layout.strides.data());
    const sy::ByteRange wanted = sy::byte_range(SY_FLOAT32, shape, layout.strides.data());
    ASSERT_EQ(range.first, wanted.first);
    ASSERT_EQ(range.end, wanted.end);
  }
}

// An input whose extents are those of the target, or 1 where it repeats, and which may have fewer.
Numbers input_that_broadcasts(std::mt19937& random, const Numbers& target) {
  const size_t left_out = random() % (target.size() + 1);
  Numbers shape(target.begin() + static_cast<std::ptrdiff_t>(left_out), target.end());
  for (int64_t& extent : shape) extent = random() % 3 ? extent : 1;
  return shape;
}

TEST(CLayerRows, BroadcastAsTheCppLayerDoes) {
  std::mt19937 random(6);
  for (int round = 0; round < 2000; ++round) {
    const Numbers target = random_shape(random, round);
    const Numbers shape = input_that_broadcasts(random, target);
    const Layout layout = random_layout(random, shape, false);
    std::vector<int32_t> elements(static_cast<size_t>(layout.elements));
    for (int32_t& element : elements) element = static_cast<int32_t>(random());
    const int32_t* first = elements.data() + layout.first;
    const auto count = static_cast<size_t>(sy::element_count(target));
    std::vector<int32_t> wanted(count, -1), got(count, -1);

    const sy::View<const int32_t> input(first, shape, layout.strides.data());
    sy::for_each_row(
        [](int64_t length, sy::Row<int32_t> y, sy::Row<const int32_t> x) {
          for (int64_t i = 0; i < length; ++i) y[i] = x[i];
        },
        sy::View<int32_t>(wanted.data(), target, nullptr), input.broadcast_to(target));

    int64_t repeated[SY_MAX_RANK];
    ASSERT_EQ(sy_broadcast_strides(rank_of(shape), shape.data(), layout.strides.data(),
                                   rank_of(target), target.data(), repeated),
              1);
    const int64_t* strides[2] = {repeated, nullptr};
    sy_rows rows;
    for (int more = sy_begin_rows(&rows, 2, rank_of(target), target.data(), strides); more;
         more = sy_next_row(&rows)) {
      for (int64_t i = 0; i < rows.count; ++i) {
        got[static_cast<size_t>(rows.offset[1] + i * rows.step[1])] =
            first[rows.offset[0] + i * rows.step[0]];
      }
    }
    ASSERT_EQ(got, wanted) << sy::text(sy::Extents(shape), " to ", sy::Extents(target));
  }
}

TEST(CLayerDtypes, AreThoseOfTheCppLayer) {
  for (sy_dtype dtype = -2; dtype < 40; ++dtype) {
    EXPECT_EQ(sy_dtype_bits(dtype), sy::dtype_bits(dtype)) << dtype;
    EXPECT_EQ(sy_dtype_name(dtype), sy::dtype_name(dtype)) << dtype;
    EXPECT_EQ(sy_contiguous_bytes(dtype, 7), sy::contiguous_bytes(dtype, 7)) << dtype;
  }
}

}  // namespace
