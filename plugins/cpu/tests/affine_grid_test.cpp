// AffineGrid against grids worked out by hand: theta times (x, y[, z], 1), x running fastest.
#include <gtest/gtest.h>

#include "harness/harness.hpp"

namespace cpu::testing {
namespace {

std::vector<double> grid_of(const Value& theta, const Shape& size, int64_t align_corners) {
  Shape shape{size[0]};
  shape.insert(shape.end(), size.begin() + 2, size.end());
  shape.push_back(static_cast<int64_t>(size.size()) - 2);
  OneNode node("AffineGrid", 20);
  node.attribute("align_corners", align_corners).input(theta).host_input(integers(size));
  return as_doubles(node.output(theta.dtype, shape).run());
}

TEST(AffineGrid, OfTheIdentityIsThePositions) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    const Value theta = from_doubles(dtype, {1, 2, 3}, {1, 0, 0, 0, 1, 0});
    EXPECT_EQ(grid_of(theta, {1, 3, 2, 2}, 0),
              (std::vector<double>{-.5, -.5, .5, -.5, -.5, .5, .5, .5}));
    EXPECT_EQ(grid_of(theta, {1, 3, 2, 2}, 1), (std::vector<double>{-1, -1, 1, -1, -1, 1, 1, 1}));
  }
}

TEST(AffineGrid, MovesTurnsAndScales) {
  // x' = 2y + 1, y' = -x
  const Value theta = from_doubles(SY_FLOAT32, {1, 2, 3}, {0, 2, 1, -1, 0, 0});
  EXPECT_EQ(grid_of(theta, {1, 1, 2, 3}, 1),
            (std::vector<double>{-1, 1, -1, 0, -1, -1, 3, 1, 3, 0, 3, -1}));
}

TEST(AffineGrid, OfVolumesAndBatches) {
  // The second of the batch is the first, moved by (1, 2, 3).
  const Value theta = from_doubles(SY_FLOAT64, {2, 3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
                                                           1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3});
  const std::vector<double> grid = grid_of(theta, {2, 1, 2, 1, 2}, 0);
  ASSERT_EQ(grid.size(), 24u);
  EXPECT_EQ(std::vector<double>(grid.begin(), grid.begin() + 12),
            (std::vector<double>{-.5, 0, -.5, .5, 0, -.5, -.5, 0, .5, .5, 0, .5}));
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(grid[12 + i], grid[i] + static_cast<double>(1 + i % 3));
  }
}

TEST(AffineGrid, OfOnePixelIsTheMiddle) {
  const Value theta = from_doubles(SY_FLOAT32, {1, 2, 3}, {1, 0, 0, 0, 1, 0});
  EXPECT_EQ(grid_of(theta, {1, 1, 1, 1}, 0), (std::vector<double>{0, 0}));
  EXPECT_EQ(grid_of(theta, {1, 1, 1, 1}, 1), (std::vector<double>{0, 0}));
  EXPECT_EQ(grid_of(theta, {1, 1, 1, 2}, 1), (std::vector<double>{-1, 0, 1, 0}));
  EXPECT_TRUE(grid_of(theta, {1, 1, 0, 1}, 0).empty());
}

}  // namespace
}  // namespace cpu::testing
