// How shapes and strides become a kernel's walk, and what is beyond one.
#include "runtime/axes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/plugin/guard.hpp"

namespace mps::runtime_tests {
namespace {

using Numbers = std::vector<int64_t>;

Axes axes_of(const Numbers& shape, const Numbers& strides, uint64_t offset = 0) {
  const Walked walked{strides.data(), offset};
  return make_axes(shape, {&walked, 1});
}

std::string refusal(const Numbers& shape, const Numbers& strides, uint64_t offset = 0) {
  try {
    axes_of(shape, strides, offset);
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
    return failure.what();
  }
  return "nothing";
}

TEST(Axes, MergeWhatRunsOnAndLeaveOutExtentsOfOne) {
  EXPECT_EQ(axes_of({2, 1, 3, 4}, {12, 99, 4, 1}).rank, 1u);
  EXPECT_EQ(axes_of({2, 3, 4}, {20, 4, 1}).rank, 2u);
  EXPECT_EQ(axes_of({2, 3}, {0, 0}).rank, 1u);
  EXPECT_EQ(axes_of({2, 3}, {1, 2}).rank, 2u);
  EXPECT_EQ(axes_of({}, {}).rank, 0u);
  EXPECT_EQ(axes_of({}, {}).count, 1u);
  EXPECT_EQ(axes_of({2, 0, 3}, {0, 3, 1}).count, 0u);
}

TEST(Axes, MergeOnlyWhatRunsOnForEveryOperand) {
  const Numbers shape{4, 5}, rows{5, 1}, columns{1, 4};
  const Walked walked[] = {{rows.data(), 3}, {columns.data(), 0}};
  const Axes axes = make_axes(shape, walked);
  EXPECT_EQ(axes.rank, 2u);
  EXPECT_EQ(axes.steps[1][0], 1);
  EXPECT_EQ(axes.steps[1][1], 4);
  EXPECT_EQ(axes.offsets[0], 3u);
}

TEST(Axes, RefuseMoreElementsThanThirtyOneBitsCount) {
  EXPECT_EQ(refusal({2147483647}, {1}), "nothing");
  EXPECT_EQ(refusal({65536, 32768}, {32768, 1}),
            "a tensor of shape [65536, 32768]: this device takes 2147483647 elements at most");
}

TEST(Axes, RefusePositionsBeyondThirtyTwoBits) {
  EXPECT_EQ(refusal({3}, {2147483647}), "nothing");
  EXPECT_EQ(refusal({3}, {2147483647}, 1), "nothing");
  EXPECT_EQ(refusal({3}, {2147483647}, 2),
            "a view that ends at element 4294967296 of its storage: this device reaches 4294967295 "
            "at most");
  EXPECT_EQ(refusal({4, 5}, {2147483000, 3}),
            "a view that ends at element 6442449012 of its storage: this device reaches 4294967295 "
            "at most");
  EXPECT_EQ(refusal({2}, {2147483648}),
            "a stride of 2147483648 elements: this device walks 2147483647 at most");
  EXPECT_EQ(refusal({1}, {1}, uint64_t{1} << 32),
            "an offset of 4294967296 elements: this device takes 4294967295 at most");
  EXPECT_EQ(refusal({3}, {-2147483647}, 4294967294), "nothing");
}

TEST(Axes, RefuseMoreAxesThanAWalkHas) {
  const auto turned = [](size_t rank) {  // no two of them run on
    Numbers strides;
    for (size_t i = 0; i < rank; ++i) strides.push_back(int64_t{1} << i);
    return strides;
  };
  EXPECT_EQ(refusal(Numbers(16, 2), turned(16)), "nothing");
  EXPECT_EQ(refusal(Numbers(17, 2), turned(17)), "more than 16 axes that cannot be merged");
}

}  // namespace
}  // namespace mps::runtime_tests
