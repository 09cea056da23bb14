// Resize's tables: coordinates by hand, weights by their sums, and what ends and zero sizes do.
#include "switchyard/plugin/resize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace sy {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

ResizeAttributes rule(std::string_view mode, std::string_view coordinates,
                      std::string_view rounding = "round_prefer_floor") {
  ResizeAttributes made;
  made.set_mode(mode);
  made.set_coordinates(coordinates);
  made.set_rounding(rounding);
  return made;
}

TEST(PluginResize, NearestElementsByCoordinates) {
  const ResizeStretch twice{3, 6, 2, 0, 1};
  const auto index = [&](std::string_view coordinates, std::string_view rounding) {
    return resize_table(rule("nearest", coordinates, rounding), twice).index;
  };
  EXPECT_THAT(index("asymmetric", "floor"), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(index("asymmetric", "ceil"), ElementsAre(0, 1, 1, 2, 2, 2));
  EXPECT_THAT(index("asymmetric", "round_prefer_floor"), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(index("asymmetric", "round_prefer_ceil"), ElementsAre(0, 1, 1, 2, 2, 2));
  EXPECT_THAT(index("half_pixel", "floor"), ElementsAre(0, 0, 0, 1, 1, 2));
  EXPECT_THAT(index("tf_half_pixel_for_nn", "floor"), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(index("align_corners", "floor"), ElementsAre(0, 0, 0, 1, 1, 2));
}

TEST(PluginResize, OneElementLiesAtTheFirst) {
  const ResizeStretch one{4, 1, 0.25, 0, 1};
  EXPECT_THAT(resize_table(rule("nearest", "pytorch_half_pixel"), one).index, ElementsAre(0));
  EXPECT_THAT(resize_table(rule("nearest", "align_corners"), one).index, ElementsAre(0));
  EXPECT_THAT(resize_table(rule("nearest", "half_pixel"), one).index, ElementsAre(1));
}

// onnxruntime and PyTorch compute in float: 4 / 1.3333334f is 3, though less than that is exact.
TEST(PluginResize, TheNearestElementIsFoundInFloat) {
  const ResizeTable table =
      resize_table(rule("nearest", "asymmetric", "floor"), {4, 5, double{1.3333334f}, 0, 1});
  EXPECT_THAT(table.index, ElementsAre(0, 0, 1, 2, 3));
}

// half_pixel_symmetric keeps the middle in the middle, also where a scale makes no whole extent.
TEST(PluginResize, SymmetricCoordinatesKeepTheMiddle) {
  const ResizeStretch stretches[] = {{33, 51, double{1.55299616f}, 0, 1},
                                     {33, 15, double{0.478381515f}, 0, 1},
                                     {9, 19, double{2.20508289f}, 0, 1}};
  for (const ResizeStretch& stretch : stretches) {
    const ResizeTable table =
        resize_table(rule("nearest", "half_pixel_symmetric", "floor"), stretch);
    EXPECT_EQ(table.index[static_cast<size_t>(stretch.output / 2)], stretch.input / 2);
  }
}

TEST(PluginResize, LinearWeightsAreSharesOfNeighbours) {
  const ResizeTable table = resize_table(rule("linear", "half_pixel"), {2, 4, 2, 0, 1});
  EXPECT_EQ(table.taps, 2);
  EXPECT_THAT(table.index, ElementsAre(0, 0, 0, 1, 0, 1, 1, 1));
  EXPECT_THAT(table.weight, ElementsAre(0.25, 0.75, 0.75, 0.25, 0.25, 0.75, 0.75, 0.25));
  EXPECT_THAT(table.outside, IsEmpty());
}

TEST(PluginResize, CubicWeightsAreOnnxs) {
  const ResizeTable table = resize_table(rule("cubic", "asymmetric"), {8, 16, 2, 0, 1});
  ASSERT_EQ(table.taps, 4);
  // Output 5 lies at 2.5: elements 1 to 4.
  const std::vector<double> weights(table.weight.begin() + 20, table.weight.begin() + 24);
  EXPECT_THAT(weights, ElementsAre(-0.09375, 0.59375, 0.59375, -0.09375));
  EXPECT_EQ(table.index[20], 1);
}

TEST(PluginResize, WeightsSumToOne) {
  for (const char* mode : {"linear", "cubic"}) {
    for (const bool antialias : {false, true}) {
      for (const bool exclude : {false, true}) {
        ResizeAttributes given = rule(mode, "half_pixel");
        given.antialias = antialias;
        given.exclude_outside = exclude;
        const ResizeTable table = resize_table(given, {11, 4, 4.0 / 11, 0, 1});
        EXPECT_EQ(table.taps, (*mode == 'l' ? 1 : 2) * (antialias ? 6 : 2));
        for (size_t i = 0; i < 4; ++i) {
          double sum = 0;
          for (int64_t tap = 0; tap < table.taps; ++tap) {
            sum += table.weight[i * static_cast<size_t>(table.taps) + static_cast<size_t>(tap)];
          }
          EXPECT_NEAR(sum, 1, 1e-12);
        }
      }
    }
  }
}

TEST(PluginResize, ExcludedElementsWeighNothing) {
  ResizeAttributes given = rule("cubic", "half_pixel");
  given.exclude_outside = true;
  const ResizeTable table = resize_table(given, {2, 4, 2, 0, 1});
  // Output 0 lies at -0.25: elements -2 and -1 are outside.
  EXPECT_EQ(table.weight[0], 0);
  EXPECT_EQ(table.weight[1], 0);
  EXPECT_NE(table.weight[2], 0);
}

TEST(PluginResize, CropsSayWhatLiesOutside) {
  const ResizeTable table =
      resize_table(rule("linear", "tf_crop_and_resize"), {5, 5, 1, -0.25, 0.75});
  EXPECT_THAT(table.outside, ElementsAre(1, 0, 0, 0, 0));
  EXPECT_FALSE(table.is_identity());
  EXPECT_THAT(resize_table(rule("nearest", "tf_crop_and_resize"), {4, 2, 0.5, 2, 3}).outside,
              Each(1));
}

TEST(PluginResize, WhatStaysIsTheIdentity) {
  EXPECT_TRUE(resize_identity(3).is_identity());
  EXPECT_TRUE(resize_identity(0).is_identity());
  EXPECT_TRUE(resize_table(rule("cubic", "half_pixel"), {3, 3, 1, 0, 1}).is_identity());
  EXPECT_FALSE(resize_table(rule("nearest", "half_pixel"), {2, 3, 1.5, 0, 1}).is_identity());
}

TEST(PluginResize, ZeroSizesAndNoNumbers) {
  ResizeAttributes antialias = rule("linear", "half_pixel");
  antialias.antialias = true;
  EXPECT_THAT(resize_table(antialias, {5, 0, 0, 0, 1}).index, IsEmpty());
  EXPECT_THROW(resize_table(antialias, {5, 1, 1e-9, 0, 1}), Failure);
  const double no_number = std::nan("");
  EXPECT_THAT(resize_table(rule("linear", "asymmetric"), {5, 2, no_number, 0, 1}).index, Each(0));
  EXPECT_THAT(resize_table(rule("nearest", "asymmetric"), {5, 2, no_number, 0, 1}).index, Each(0));
}

TEST(PluginResize, ElementsOfTheLongestAxes) {
  constexpr int64_t most = INT64_MAX;
  EXPECT_EQ(detail::element_at(1e300, most), most - 1);
  EXPECT_EQ(detail::element_at(-1e300, most), 0);
  EXPECT_EQ(detail::element_at(0x1p62, most), int64_t{1} << 62);
  const ResizeTable last = resize_table(rule("nearest", "asymmetric"), {most, 2, 0x1p-62, 0, 1});
  EXPECT_THAT(last.index, ElementsAre(0, int64_t{1} << 62));
}

TEST(PluginResize, AsksByScalesOrSizes) {
  const int64_t input[] = {2, 4, 5}, output[] = {2, 6, 10};
  ResizeRequest request{{1, 2}, {1.5, 2.1}, {}, {}};
  std::vector<ResizeStretch> made = resize_stretches({}, request, input, output);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[1].input, 5);
  EXPECT_EQ(made[1].output, 10);
  EXPECT_EQ(made[1].scale, 2.1);
  request = {{1, 2}, {}, {6, 12}, {}};
  EXPECT_EQ(resize_stretches({}, request, input, output)[1].scale, 2);
  ResizeAttributes keeps;
  keeps.set_policy("not_larger");
  EXPECT_EQ(resize_stretches(keeps, request, input, output)[1].scale, 1.5);
  keeps.set_policy("not_smaller");
  EXPECT_EQ(resize_stretches(keeps, request, input, output)[0].scale, 2.4);
  request.sizes.pop_back();
  EXPECT_THROW(resize_stretches({}, request, input, output), Failure);
}

TEST(PluginResize, CropsNeedARegionForEachAxis) {
  const int64_t extents[] = {4};
  ResizeRequest request{{0}, {1}, {}, {0.25, 0.5}};
  const ResizeAttributes crop = rule("linear", "tf_crop_and_resize");
  const ResizeStretch made = resize_stretches(crop, request, extents, extents).front();
  EXPECT_EQ(made.first, 0.25);
  EXPECT_EQ(made.last, 0.5);
  request.region.clear();
  EXPECT_THROW(resize_stretches(crop, request, extents, extents), Failure);
}

TEST(PluginResize, AxesWithoutElementsAskForNoScale) {
  const int64_t extents[] = {0, 4}, sizes[] = {7, 2}, none[] = {0, 0};
  EXPECT_EQ(shared_resize_scale(ResizePolicy::not_smaller, extents, sizes), 0.5);
  EXPECT_EQ(shared_resize_scale(ResizePolicy::not_larger, none, sizes), std::nullopt);
}

TEST(PluginResize, RefusesUnknownNames) {
  ResizeAttributes given;
  EXPECT_THROW(given.set_mode("bilinear"), Failure);
  EXPECT_THROW(given.set_coordinates("corner"), Failure);
  EXPECT_THROW(given.set_rounding("round"), Failure);
  EXPECT_THROW(given.set_policy("shrink"), Failure);
}

}  // namespace
}  // namespace sy
