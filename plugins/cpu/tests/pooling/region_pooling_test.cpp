#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "harness/windows.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

TEST(MaxUnpool, PutsElementsBack) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_BFLOAT16}) {
    const Value x = from_doubles(dtype, {1, 1, 2, 2}, {5, 6, 7, 8});
    const Value indices = value<int64_t>({1, 1, 2, 2}, {5, 7, 13, 15});
    OneNode plain("MaxUnpool", 11);
    plain.attribute("kernel_shape", Shape{2, 2}).attribute("strides", Shape{2, 2});
    plain.input(x).input(indices).output(dtype, {1, 1, 4, 4});
    EXPECT_EQ(as_doubles(plain.run()),
              (std::vector<double>{0, 0, 0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 0, 7, 0, 8}));
    OneNode shaped("MaxUnpool", 11);
    shaped.attribute("kernel_shape", Shape{2, 2}).attribute("strides", Shape{2, 2});
    shaped.input(reversed(x)).input(spaced(indices)).host_input(integers({1, 1, 5, 5}));
    shaped.output(dtype, {1, 1, 5, 5}, {25, 25, 1, 5});
    std::vector<double> expected(25, 0.0);
    expected[6] = 5;
    expected[8] = 6;
    expected[16] = 7;
    expected[18] = 8;
    EXPECT_EQ(as_doubles(shaped.run()), expected);
  }
}

TEST(MaxUnpool, UndoesMaxPool) {
  const WindowCase window{{2, 3}, {2, 3}};
  const Value x = random(SY_FLOAT32, {2, 3, 6, 9}, 1);
  const Shape y = window.slid(x.shape);
  OneNode pool("MaxPool", 12);
  window.describe(pool).input(x).output(SY_FLOAT32, y).output(SY_INT64, y);
  const std::vector<Value> pooled = pool.run_all();
  OneNode unpool("MaxUnpool", 11);
  unpool.attribute("kernel_shape", window.kernel).attribute("strides", window.strides);
  const auto back =
      as_doubles(unpool.input(pooled[0]).input(pooled[1]).output(SY_FLOAT32, x.shape).run());
  const auto from = as_doubles(x);
  int64_t kept = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (back[i] == 0) continue;
    EXPECT_EQ(back[i], from[i]);
    ++kept;
  }
  EXPECT_EQ(kept, sy::element_count(y));
}

TEST(MaxUnpool, IndicesOutsideAreRefused) {
  OneNode node("MaxUnpool", 11);
  node.attribute("kernel_shape", Shape{2}).input(value<float>({1, 1, 1}, {1}));
  node.input(value<int64_t>({1, 1, 1}, {2})).output(SY_FLOAT32, {1, 1, 2});
  EXPECT_THROW(node.run(), sy::Failure);
}

// By the definition: means of points between pixels.
std::vector<double> aligned(const Value& x, const std::vector<double>& regions,
                            const std::vector<int64_t>& images, int64_t rows, int64_t columns,
                            int64_t samples, double scale, double shift) {
  const auto from = as_doubles(x);
  const int64_t channels = x.shape[1], height = x.shape[2], width = x.shape[3];
  std::vector<double> made;
  for_each_index(
      {static_cast<int64_t>(images.size()), channels, rows, columns}, [&](const Shape& at) {
        const double* region = regions.data() + at[0] * 4;
        const double left = region[0] * scale - shift, top = region[1] * scale - shift;
        double w = region[2] * scale - shift - left, h = region[3] * scale - shift - top;
        if (shift == 0) w = std::max(w, 1.0), h = std::max(h, 1.0);
        const double cell_h = h / static_cast<double>(rows),
                     cell_w = w / static_cast<double>(columns);
        const int64_t down = samples > 0 ? samples : static_cast<int64_t>(std::ceil(cell_h));
        const int64_t across = samples > 0 ? samples : static_cast<int64_t>(std::ceil(cell_w));
        double sum = 0;
        for_each_index({down, across}, [&](const Shape& s) {
          double v = top + (static_cast<double>(at[2]) +
                            (static_cast<double>(s[0]) + 0.5) / static_cast<double>(down)) *
                               cell_h;
          double u = left + (static_cast<double>(at[3]) +
                             (static_cast<double>(s[1]) + 0.5) / static_cast<double>(across)) *
                                cell_w;
          if (v < -1 || v > static_cast<double>(height) || u < -1 || u > static_cast<double>(width))
            return;
          v = std::clamp(v, 0.0, static_cast<double>(height - 1));
          u = std::clamp(u, 0.0, static_cast<double>(width - 1));
          for_each_index({height, width}, [&](const Shape& p) {
            const double weight = std::max(0.0, 1 - std::abs(v - static_cast<double>(p[0]))) *
                                  std::max(0.0, 1 - std::abs(u - static_cast<double>(p[1])));
            sum += weight * from[flat(x.shape, {images[at[0]], at[1], p[0], p[1]})];
          });
        });
        made.push_back(sum / static_cast<double>(down * across));
      });
  return made;
}

TEST(RoiAlign, MeansOfPoints) {
  const std::vector<double> regions = {0, 0, 9, 9, 1.5, 2.25, 6.5, 7, -2, 3, 4, 20, 3, 3, 3.2, 3.1};
  const std::vector<int64_t> images = {0, 1, 1, 0};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    const Value x = random(dtype, {2, 3, 10, 9}, 1);
    for (const int samples : {0, 2}) {
      for (const bool half : {true, false}) {
        const auto expected = aligned(x, regions, images, 3, 2, samples, 0.5, half ? 0.5 : 0);
        for (const Value& laid : layouts_of(x)) {
          OneNode node("RoiAlign", 16);
          node.attribute("mode", "avg").attribute("output_height", 3).attribute("output_width", 2);
          node.attribute("sampling_ratio", samples).attribute("spatial_scale", 0.5);
          node.attribute("coordinate_transformation_mode",
                         half ? "half_pixel" : "output_half_pixel");
          node.input(laid).input(from_doubles(dtype, {4, 4}, regions)).input(integers(images));
          expect_near(node.output(dtype, {4, 3, 3, 2}).run(), expected, 4, 1e-5);
        }
      }
    }
  }
}

TEST(RoiAlign, LargestCorner) {
  const Value x = value<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  OneNode node("RoiAlign", 16);
  node.attribute("mode", "max").attribute("sampling_ratio", 1).attribute("spatial_scale", 1.0);
  node.attribute("coordinate_transformation_mode", "output_half_pixel");
  node.input(x).input(value<float>({1, 4}, {0, 0, 1, 1})).input(integers({0}));
  EXPECT_EQ(as_doubles(node.output(SY_FLOAT32, {1, 1, 1, 1}).run())[0], 1.0);  // 4 at a quarter
}

// As many samples as a cell is wide are none, and none add up to 0.
TEST(RoiAlign, ReversedRegionsAreEmpty) {
  OneNode node("RoiAlign", 16);
  node.attribute("sampling_ratio", 0).attribute("spatial_scale", 1.0);
  node.input(value<float>({1, 1, 2, 2}, {1, 2, 3, 4}));
  node.input(value<float>({3, 4}, {2, 2, 0, 0, 0, 2, 2, 0, 2, 0, 0, 2})).input(integers({0, 0, 0}));
  EXPECT_EQ(as_doubles(node.output(SY_FLOAT32, {3, 1, 1, 1}).run()),
            (std::vector<double>{0, 0, 0}));
}

TEST(RoiAlign, ImagesOutsideAreRefused) {
  OneNode node("RoiAlign", 16);
  node.input(value<float>({1, 1, 1, 1}, {1})).input(value<float>({1, 4}, {0, 0, 1, 1}));
  node.input(integers({1})).output(SY_FLOAT32, {1, 1, 1, 1});
  EXPECT_THROW(node.run(), sy::Failure);
}

TEST(MaxRoiPool, LargestOfCells) {
  std::vector<double> elements(48);
  for (size_t i = 0; i < 48; ++i) elements[i] = static_cast<double>(i);
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_BFLOAT16}) {
    const Value x = from_doubles(dtype, {1, 2, 4, 6}, elements);
    const Value regions = from_doubles(dtype, {2, 5}, {0, 0, 0, 5, 3, 0, 2, 1, 9, 9});
    for (const Value& laid : layouts_of(x)) {
      OneNode node("MaxRoiPool", 1);
      node.attribute("pooled_shape", Shape{2, 2}).attribute("spatial_scale", 1.0);
      const Value y = node.input(laid).input(regions).output(dtype, {2, 2, 2, 2}).run();
      // The second region reaches beyond the picture: its cells are rows 1-5, 5-9 by columns 2-5,
      // 6-9.
      const std::vector<double> expected = {8,  11, 20, 23, 32, 35, 44, 47,
                                            23, 0,  0,  0,  47, 0,  0,  0};
      EXPECT_EQ(as_doubles(y), expected);
    }
  }
}

}  // namespace
}  // namespace cpu::testing
