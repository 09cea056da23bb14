// The ranges of a heap against a model that marks every unit.
#include "runtime/heap_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace mps::runtime_tests {
namespace {

constexpr size_t unit = 256;

class Model {
 public:
  explicit Model(size_t units) : taken_(units, false) {}

  void mark(size_t offset, size_t bytes, bool taken) {
    for (size_t i = offset / unit; i < (offset + bytes) / unit; ++i) {
      EXPECT_NE(taken_[i], taken) << "unit " << i;
      taken_[i] = taken;
    }
  }
  size_t largest_run() const {
    size_t largest = 0, run = 0;
    for (const bool taken : taken_) {
      run = taken ? 0 : run + 1;
      largest = std::max(largest, run);
    }
    return largest * unit;
  }
  bool is_free() const { return std::count(taken_.begin(), taken_.end(), true) == 0; }

 private:
  std::vector<bool> taken_;
};

TEST(HeapSpace, AgreesWithAModelOverRandomUse) {
  constexpr size_t units = 200;
  std::mt19937 random(7);
  HeapSpace space(units * unit);
  Model model(units);
  std::vector<std::pair<size_t, size_t>> live;
  size_t refused = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (live.empty() || random() % 2 == 0) {
      const size_t bytes = (1 + random() % 24) * unit;
      const auto offset = space.take(bytes);
      EXPECT_EQ(offset.has_value(), model.largest_run() >= bytes);
      if (!offset) {
        ++refused;
        continue;
      }
      ASSERT_LE(*offset + bytes, units * unit);
      model.mark(*offset, bytes, true);
      live.emplace_back(*offset, bytes);
    } else {
      const size_t chosen = random() % live.size();
      const auto [offset, bytes] = live[chosen];
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(chosen));
      space.give(offset, bytes);
      model.mark(offset, bytes, false);
    }
    ASSERT_EQ(space.largest_range(), model.largest_run());
    ASSERT_EQ(space.is_free(), model.is_free());
  }
  EXPECT_GT(refused, 0u);  // the heap was full at times
  for (const auto& [offset, bytes] : live) space.give(offset, bytes);
  EXPECT_TRUE(space.is_free());
  EXPECT_EQ(space.take(units * unit), 0u);  // one range again
}

TEST(HeapSpace, TakesTheSmallestRangeThatFits) {
  HeapSpace space(10 * unit);
  EXPECT_EQ(space.take(4 * unit), 0u);
  EXPECT_EQ(space.take(unit), 4 * unit);
  EXPECT_EQ(space.take(2 * unit), 5 * unit);
  EXPECT_EQ(space.take(unit), 7 * unit);
  space.give(0, 4 * unit);
  space.give(5 * unit, 2 * unit);
  EXPECT_EQ(space.take(2 * unit), 5 * unit);
  EXPECT_EQ(space.take(3 * unit), 0u);
}

TEST(HeapSpace, MergesWithBothNeighbours) {
  HeapSpace space(3 * unit);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(space.take(unit));
  space.give(0, unit);
  space.give(2 * unit, unit);
  EXPECT_EQ(space.largest_range(), unit);
  space.give(unit, unit);
  EXPECT_EQ(space.largest_range(), 3 * unit);
  EXPECT_TRUE(space.is_free());
}

}  // namespace
}  // namespace mps::runtime_tests
