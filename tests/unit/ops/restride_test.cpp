// Holds `restride` to a naive reference: the storage positions of all elements, in order.
#include "ops/shapes/movement/restride.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace switchyard {
namespace {

using Positions = std::vector<std::int64_t>;

Positions positions_of(const Dims& shape, const Dims& strides) {
  Positions positions;
  for (std::int64_t i = 0; i < element_count(shape); ++i) {
    std::int64_t rest = i;
    std::int64_t position = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      position += rest % shape[axis] * strides[axis];
      rest /= shape[axis];
    }
    positions.push_back(position);
  }
  return positions;
}

/// The strides that the positions of the first element along each axis suggest: if any strides show
/// these positions in the target's shape, these do.
Dims suggested(const Dims& target, const Positions& positions) {
  const Dims steps = contiguous_strides(target);
  Dims strides = Dims::filled(target.size(), 1);
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    if (target[axis] > 1)
      strides[axis] = positions[static_cast<std::size_t>(steps[axis])] - positions[0];
  }
  return strides;
}

class Random {
 public:
  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(engine_);
  }
  /// Some factors of 1, 2, 3 whose product is `count`, a product of twos and threes.
  Dims factors(std::int64_t count) {
    Dims shape;
    while (count > 1 || below(3) == 0) {
      std::int64_t factor = 1 + below(4);
      while (count % factor != 0) factor = 1 + below(4);
      shape.push_back(factor);
      count /= factor;
    }
    return shape;
  }
  /// Strides of a permuted, padded or repeated tensor.
  Dims strides(const Dims& shape) {
    std::vector<std::size_t> order(shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (below(2) == 0) std::shuffle(order.begin(), order.end(), engine_);
    Dims result = Dims::filled(shape.size(), 0);
    std::int64_t stride = 1 + below(2);
    for (std::size_t i = order.size(); i-- > 0;) {
      result[order[i]] = below(6) == 0 ? 0 : stride;
      stride *= shape[order[i]] + (below(5) == 0 ? 1 : 0);
    }
    return result;
  }

 private:
  std::mt19937 engine_{7};
};

TEST(RestrideTest, FindsStridesExactlyWhereThereAreSome) {
  Random random;
  int views = 0;
  int copies = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::int64_t counts[] = {1, 4, 12, 24, 36};
    const std::int64_t count = counts[random.below(5)];
    const Dims shape = random.factors(count);
    const Dims strides = random.strides(shape);
    const Dims target = random.factors(count);
    const Positions positions = positions_of(shape, strides);
    const bool possible = positions_of(target, suggested(target, positions)) == positions;
    const std::optional<Dims> found = restride(shape, strides, target);
    ASSERT_EQ(found.has_value(), possible);
    if (found) {
      ASSERT_EQ(positions_of(target, *found), positions);
    }
    ++(found ? views : copies);
  }
  EXPECT_GT(views, 1000);
  EXPECT_GT(copies, 1000);
}

TEST(RestrideTest, TakesAnyShapeOfNoElements) {
  EXPECT_TRUE(restride({0, 3}, {7, 5}, {4, 0}).has_value());
  EXPECT_EQ(restride({}, {}, {1, 1}), (Dims{1, 1}));
}

}  // namespace
}  // namespace switchyard
