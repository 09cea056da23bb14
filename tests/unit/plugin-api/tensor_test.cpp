#include "switchyard/plugin/tensor.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace {

using Numbers = std::vector<int64_t>;

TEST(PluginShape, KnowsContiguousFromStrided) {
  const Numbers shape = {2, 1, 3};
  EXPECT_TRUE(sy::is_contiguous(shape, nullptr));
  EXPECT_TRUE(sy::is_contiguous(shape, Numbers{3, 99, 1}.data()));
  EXPECT_FALSE(sy::is_contiguous(shape, Numbers{1, 1, 2}.data()));
  EXPECT_FALSE(sy::is_contiguous(shape, Numbers{3, 3, -1}.data()));
  EXPECT_TRUE(sy::is_contiguous(Numbers{0, 3}, Numbers{-5, 7}.data()));
  EXPECT_TRUE(sy::is_contiguous({}, nullptr));
}

TEST(PluginShape, BroadcastsAsOnnxDoes) {
  const sy::Dimensions strides = sy::broadcast_strides(Numbers{3, 1}, nullptr, Numbers{2, 3, 4});
  EXPECT_EQ(Numbers(strides.data.begin(), strides.data.begin() + 3), (Numbers{0, 1, 0}));
  EXPECT_THROW(sy::broadcast_strides(Numbers{3}, nullptr, Numbers{4}), sy::Failure);
  EXPECT_THROW(sy::broadcast_strides(Numbers{1, 1}, nullptr, Numbers{1}), sy::Failure);
  EXPECT_THROW(sy::contiguous_strides(Numbers(33, 1)), sy::Failure);
}

TEST(PluginShape, SaysWhichBytesATensorTouches) {
  const auto range = [](sy_dtype dtype, const Numbers& shape, const int64_t* strides) {
    const sy::ByteRange bytes = sy::byte_range(dtype, shape, strides);
    return std::pair(bytes.first, bytes.end);
  };
  EXPECT_EQ(range(SY_FLOAT32, {2, 3}, nullptr), std::pair(int64_t{0}, int64_t{24}));
  EXPECT_EQ(range(SY_FLOAT32, {2, 3}, Numbers{-3, 2}.data()), std::pair(int64_t{-12}, int64_t{20}));
  EXPECT_EQ(range(SY_INT4, {5}, nullptr), std::pair(int64_t{0}, int64_t{3}));
  EXPECT_EQ(range(SY_FLOAT32, {4, 0}, nullptr), std::pair(int64_t{0}, int64_t{0}));
  EXPECT_EQ(range(SY_INT64, {}, nullptr), std::pair(int64_t{0}, int64_t{8}));
}

TEST(PluginRows, VisitEachElementOnceInOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    Numbers shape(random() % 6);
    for (int64_t& extent : shape) extent = static_cast<int64_t>(random() % 4);
    const int64_t count = sy::element_count(shape);
    std::vector<int64_t> output(static_cast<size_t>(count), -1), numbers(output.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    // The second operand is read with its axes reversed.
    Numbers reversed(shape.rbegin(), shape.rend());
    const sy::Dimensions steps = sy::contiguous_strides(reversed);
    Numbers transposed(shape.size());
    for (size_t i = 0; i < shape.size(); ++i) transposed[i] = steps[shape.size() - 1 - i];
    const sy::View<int64_t> result(output.data(), shape, nullptr);
    const sy::View<const int64_t> a(numbers.data(), shape, nullptr);
    const sy::View<const int64_t> b(numbers.data(), shape, transposed.data());
    int64_t visited = 0;
    sy::for_each_row(
        [&](int64_t row, sy::Row<int64_t> y, sy::Row<const int64_t> x, sy::Row<const int64_t> z) {
          for (int64_t i = 0; i < row; ++i, ++visited) {
            ASSERT_EQ(x[i], visited);
            y[i] = z[i];
          }
        },
        result, a, b);
    ASSERT_EQ(visited, count);
    for (int64_t element = 0; element < count; ++element) {
      Numbers index(shape.size());
      int64_t rest = element;
      for (size_t i = shape.size(); i-- > 0; rest /= shape[i]) index[i] = rest % shape[i];
      ASSERT_EQ(output[static_cast<size_t>(element)], b.at(index));
    }
  }
}

TEST(PluginRows, MergeWhereAllOperandsRunOn) {
  std::vector<float> data(24), scalar(1, 2.0f);
  const Numbers shape = {2, 3, 4};
  const sy::View<float> whole(data.data(), shape, nullptr);
  const auto repeated = sy::View<const float>(scalar.data(), {}, nullptr).broadcast_to(shape);
  int rows = 0;
  sy::for_each_row(
      [&](int64_t count, sy::Row<float> y, sy::Row<const float> x) {
        ++rows;
        EXPECT_EQ(count, 24);
        EXPECT_TRUE(y.is_contiguous());
        EXPECT_EQ(x.step, 0);
      },
      whole, repeated);
  EXPECT_EQ(rows, 1);
}

TEST(PluginRows, RefuseShapesThatDiffer) {
  float value = 0;
  const sy::View<float> a(&value, Numbers{1}, nullptr), b(&value, {}, nullptr);
  EXPECT_THROW(sy::for_each_row([](int64_t, sy::Row<float>, sy::Row<float>) {}, a, b), sy::Failure);
}

}  // namespace
