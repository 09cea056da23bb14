// The geometry of sliding windows against one that is slid by hand, and at the ends of int64_t.
#include "switchyard/plugin/window.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sy {
namespace {

constexpr int64_t most = INT64_MAX;

// Windows of many forms over short inputs.
std::vector<WindowAxis> windows() {
  std::vector<WindowAxis> made;
  for (const int64_t kernel : {1, 2, 3, 5}) {
    for (const int64_t stride : {1, 2, 4}) {
      for (const int64_t dilation : {1, 3}) {
        for (const int64_t before : {0, 1, 4}) {
          for (const int64_t after : {0, 2, 7}) {
            made.push_back({kernel, stride, dilation, before, after});
          }
        }
      }
    }
  }
  return made;
}

// Slides from the begin of the padding on while the whole window lies in the padded input.
int64_t slid(const WindowAxis& axis, int64_t extent) {
  int64_t positions = 0;
  const int64_t end = extent + axis.pad_after;
  for (int64_t start = -axis.pad_before; start + axis.span() <= end; start += axis.stride) {
    ++positions;
  }
  return positions;
}

TEST(PluginWindow, ConvolutionsTakeEveryPositionOfThePaddedInput) {
  for (const WindowAxis& axis : windows()) {
    for (int64_t extent = 0; extent < 9; ++extent) {
      const int64_t positions = slid(axis, extent);
      const std::optional<int64_t> told = conv_output_size(axis, extent);
      EXPECT_EQ(told.value_or(0), positions);
      EXPECT_EQ(told.has_value(), positions > 0);
      if (positions == 0) continue;
      // The reverse makes all elements that a position reaches.
      const int64_t made = conv_transpose_output_size(axis, positions, 0);
      EXPECT_LE(made, extent);
      EXPECT_GT(made + axis.stride, extent);
      EXPECT_EQ(conv_transpose_output_size(axis, positions, extent - made), extent);
    }
  }
}

TEST(PluginWindow, CeilingAddsAPositionThatBeginsInside) {
  for (const WindowAxis& axis : windows()) {
    for (int64_t extent = 1; extent < 9; ++extent) {
      const int64_t positions = slid(axis, extent);
      if (positions == 0) continue;
      EXPECT_EQ(pool_output_size(axis, extent, false), positions);
      if (axis.pad_after >= axis.span()) continue;  // positions that see nothing of the input
      const int64_t told = *pool_output_size(axis, extent, true);
      const bool is_cut = axis.start(positions - 1) + axis.span() < extent + axis.pad_after;
      EXPECT_EQ(told, positions + (is_cut && axis.start(positions) < extent ? 1 : 0));
    }
  }
}

// onnxruntime leaves out one position, however many begin there.
TEST(PluginWindow, CeilingLeavesOutOnePositionBehindTheInput) {
  const WindowAxis axis{.kernel = 1, .pad_after = 7};
  EXPECT_EQ(pool_output_size(axis, 1, false), 8);
  EXPECT_EQ(pool_output_size(axis, 1, true), 7);
}

TEST(PluginWindow, PoolsSeeWhatThereIsOfAnInputSmallerThanTheWindow) {
  EXPECT_EQ(pool_output_size({.kernel = 5, .stride = 3}, 3, false), 1);
  EXPECT_EQ(pool_output_size({.kernel = 5, .stride = 2}, 3, true), 0);
  EXPECT_EQ(pool_output_size({.kernel = 5, .stride = 1}, 3, false), std::nullopt);
  EXPECT_EQ(pool_output_size({.kernel = 5, .stride = 9}, 0, false), std::nullopt);
  EXPECT_EQ(pool_output_size({.kernel = 2, .pad_before = 1, .pad_after = 1}, 0, false), 1);
}

TEST(PluginWindow, TapsAndPositionsAreThoseInside) {
  for (const WindowAxis& axis : windows()) {
    constexpr int64_t extent = 6, positions = 5;
    for (int64_t position = 0; position < positions; ++position) {
      const WindowRange taps = axis.taps(position, extent);
      const WindowRange padded = axis.padded_taps(position, extent);
      for (int64_t tap = 0; tap < axis.kernel; ++tap) {
        const int64_t at = position * axis.stride - axis.pad_before + tap * axis.dilation;
        EXPECT_EQ(tap >= taps.begin && tap < taps.end, at >= 0 && at < extent);
        EXPECT_EQ(tap >= padded.begin && tap < padded.end, at < extent + axis.pad_after);
        const WindowRange from = axis.positions(tap, extent, positions);
        EXPECT_EQ(position >= from.begin && position < from.end, at >= 0 && at < extent);
      }
    }
    EXPECT_EQ(axis.taps(0, 0).count(), 0);
    EXPECT_EQ(axis.positions(0, 0, positions).count(), 0);
    EXPECT_EQ(axis.positions(0, extent, 0).count(), 0);
  }
}

TEST(PluginWindow, SameCoversTheInputAndHasTheSmallerHalfWhereItsNameSays) {
  for (const int64_t extent : {0, 1, 7, 10}) {
    for (const WindowAxis& given : windows()) {
      const int64_t positions = same_extent(extent, given.stride);
      EXPECT_EQ(positions, (extent + given.stride - 1) / given.stride);
      const WindowAxis upper = covering(given, AutoPad::same_upper, extent, positions);
      const WindowAxis lower = covering(given, AutoPad::same_lower, extent, positions);
      EXPECT_EQ(upper.pad_before, lower.pad_after);
      EXPECT_EQ(upper.pad_after, lower.pad_before);
      EXPECT_GE(upper.pad_after - upper.pad_before, 0);
      EXPECT_LE(upper.pad_after - upper.pad_before, 1);
      if (extent == 0) continue;
      EXPECT_EQ(conv_output_size(upper, extent), positions);
    }
  }
}

TEST(PluginWindow, AttributesThatAreLeftOutAreOnesAndNoPadding) {
  const WindowAxis plain = WindowAttributes().axis(1, 3);
  EXPECT_EQ(plain.kernel, 3);
  EXPECT_EQ(plain.stride, 1);
  EXPECT_EQ(plain.dilation, 1);
  EXPECT_EQ(plain.total_pad(), 0);
}

TEST(PluginWindow, AttributesTellAxesApart) {
  WindowAttributes given;
  given.strides = {2, 3};
  given.dilations = {4, 5};
  given.pads = {6, 7, 8, 9};
  const WindowAxis second = given.axis(1, 3, 20, 10);
  EXPECT_EQ(second.stride, 3);
  EXPECT_EQ(second.dilation, 5);
  EXPECT_EQ(second.pad_before, 7);
  EXPECT_EQ(second.pad_after, 9);
  given.auto_pad = AutoPad::valid;
  EXPECT_EQ(given.axis(1, 3, 20, 10).total_pad(), 0);
}

// onnxruntime's ConvTranspose: output_padding counts in the padding that SAME stands for, and an
// output_shape puts the larger half before.
TEST(PluginWindow, TransposedWindowsAreThoseOfTheConvolution) {
  WindowAttributes given;
  given.strides = {2};
  given.output_padding = {1};
  given.auto_pad = AutoPad::same_upper;
  WindowAxis axis = given.transposed_axis(0, 4, 3, 6);
  EXPECT_EQ(axis.pad_before, 1);
  EXPECT_EQ(axis.pad_after, 2);
  given.auto_pad = AutoPad::notset;
  given.pads = {5, 5};
  EXPECT_EQ(given.transposed_axis(0, 4, 3, 6).pad_before, 5);
  given.has_output_shape = true;
  axis = given.transposed_axis(0, 4, 3, 6);
  EXPECT_EQ(axis.pad_before, 2);
  EXPECT_EQ(axis.pad_after, 1);
}

TEST(PluginWindow, KnowsTheNamesOfAutoPad) {
  EXPECT_EQ(auto_pad_of("SAME_LOWER"), AutoPad::same_lower);
  EXPECT_EQ(auto_pad_of("VALID"), AutoPad::valid);
  EXPECT_EQ(auto_pad_of("same_lower"), std::nullopt);
  EXPECT_FALSE(is_same(AutoPad::valid));
}

TEST(PluginWindow, StaysAtTheEndsOfNumbers) {
  constexpr WindowAxis wide{.kernel = most, .stride = most, .dilation = most};
  EXPECT_EQ(wide.span(), most);
  EXPECT_EQ(wide.reach(most), most);
  EXPECT_EQ(wide.padded(most), most);
  EXPECT_EQ(conv_output_size(wide, 5), std::nullopt);
  EXPECT_EQ(pool_output_size(wide, most - 1, true), 1);
  EXPECT_EQ(wide.taps(0, most).count(), 1);
  EXPECT_EQ(wide.positions(1, most, most).count(), 0);
  EXPECT_EQ(wide.positions(most - 1, most, most).count(), 0);

  constexpr WindowAxis padded{.kernel = 3, .pad_before = most, .pad_after = most};
  EXPECT_EQ(padded.total_pad(), most);
  EXPECT_EQ(conv_output_size(padded, most), most - 2);
  EXPECT_EQ(conv_transpose_output_size(padded, 0, 0), 2 - most);
  EXPECT_EQ(conv_transpose_output_size({}, most, most), most);
  EXPECT_EQ(padded.padded_taps(0, most).count(), 3);
  EXPECT_EQ(padded.positions(0, most, most).count(), 0);
  EXPECT_EQ(same_extent(most, 2), most / 2 + 1);
  EXPECT_EQ(covering(wide, AutoPad::same_lower, 0, most).pad_before, most / 2 + 1);

  constexpr WindowAxis plain{.kernel = 2};
  EXPECT_EQ(conv_output_size(plain, most), most - 1);
  EXPECT_EQ(pool_output_size({.kernel = 2, .stride = 2}, most, true), most / 2 + 1);
  EXPECT_EQ(plain.taps(most - 2, most).count(), 2);
}

}  // namespace
}  // namespace sy
