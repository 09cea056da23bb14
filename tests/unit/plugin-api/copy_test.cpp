#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "plugin-api/random_layout.hpp"
#include "switchyard/plugin/copy.hpp"

namespace {

using copies::Layout;
using copies::Numbers;
using copies::random_bytes;
using copies::random_layout;

void naive_copy(size_t bytes, const Numbers& shape, const char* source, const Numbers& from,
                char* destination, const Numbers& to) {
  const int64_t count = sy::element_count(shape);
  for (int64_t element = 0; element < count; ++element) {
    int64_t rest = element, read = 0, write = 0;
    for (size_t i = shape.size(); i-- > 0;) {
      read += rest % shape[i] * from[i];
      write += rest % shape[i] * to[i];
      rest /= shape[i];
    }
    std::memcpy(destination + write * static_cast<int64_t>(bytes),
                source + read * static_cast<int64_t>(bytes), bytes);
  }
}

TEST(PluginCopy, EqualsNaiveCopyForAnyStrides) {
  std::mt19937 random(1);
  const sy_dtype dtypes[] = {SY_BOOL, SY_FLOAT16, SY_FLOAT32, SY_INT64, SY_COMPLEX128};
  for (int round = 0; round < 4000; ++round) {
    const sy_dtype dtype = dtypes[round % 5];
    const size_t bytes = sy::dtype_bytes(dtype);
    Numbers shape(random() % 6);
    for (int64_t& extent : shape) extent = static_cast<int64_t>(random() % (round % 7 ? 5 : 40));
    while (sy::element_count(shape) > 100000) shape.pop_back();
    const Layout from = random_layout(random, shape, true);
    const Layout to = random_layout(random, shape, false);
    const std::vector<char> source =
        random_bytes(random, static_cast<size_t>(from.elements) * bytes);
    std::vector<char> wanted = random_bytes(random, static_cast<size_t>(to.elements) * bytes);
    std::vector<char> got = wanted;
    const int64_t read = from.first * static_cast<int64_t>(bytes);
    const int64_t write = to.first * static_cast<int64_t>(bytes);
    naive_copy(bytes, shape, source.data() + read, from.strides, wanted.data() + write, to.strides);
    sy::copy_elements(dtype, shape, source.data() + read, from.strides.data(), got.data() + write,
                      to.strides.data());
    ASSERT_EQ(got, wanted) << "round " << round << " shape " << sy::text(sy::Extents(shape))
                           << " from " << sy::text(sy::Extents(from.strides)) << " to "
                           << sy::text(sy::Extents(to.strides));
  }
}

TEST(PluginCopy, TransposesLargePlanes) {
  const Numbers shape = {3, 130, 77};
  const Numbers from = {130 * 77, 1, 130};
  std::vector<float> source(3 * 130 * 77), got(source.size()), wanted(source.size());
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
  naive_copy(4, shape, reinterpret_cast<char*>(source.data()), from,
             reinterpret_cast<char*>(wanted.data()), {130 * 77, 77, 1});
  sy::copy_elements(SY_FLOAT32, shape, source.data(), from.data(), got.data(), nullptr);
  EXPECT_EQ(got, wanted);
}

TEST(PluginCopy, RankZeroIsOneElementAndEmptyIsNone) {
  const double source = 2.5;
  double got = 0;
  sy::copy_elements(SY_FLOAT64, {}, &source, nullptr, &got, nullptr);
  EXPECT_EQ(got, 2.5);
  const Numbers empty = {3, 0};
  sy::copy_elements(SY_FLOAT64, empty, nullptr, nullptr, nullptr, nullptr);
}

TEST(PluginCopy, PackedTypesAreContiguousOrRefused) {
  const Numbers shape = {5};
  const uint8_t source[3] = {0x21, 0x43, 0x05};
  uint8_t got[4] = {0, 0, 0, 0xEE};
  sy::copy_elements(SY_UINT4, shape, source, nullptr, got, nullptr);
  EXPECT_EQ(std::memcmp(got, source, 3), 0);
  EXPECT_EQ(got[3], 0xEE);
  const Numbers strides = {2};
  EXPECT_THROW(sy::copy_elements(SY_UINT4, shape, source, strides.data(), got, nullptr),
               sy::Failure);
}

TEST(PluginCopy, UnknownDtypesAreRefused) {
  char byte = 0, other = 0;
  EXPECT_THROW(sy::copy_elements(8, {}, &byte, nullptr, &other, nullptr), sy::Failure);
  EXPECT_THROW(sy::copy_elements(99, {}, &byte, nullptr, &other, nullptr), sy::Failure);
  EXPECT_THROW(sy::copy_elements(-1, {}, &byte, nullptr, &other, nullptr), sy::Failure);
}

}  // namespace
