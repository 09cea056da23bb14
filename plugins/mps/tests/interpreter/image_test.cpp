#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

using seam::Resizing;
using seam::Window;

Window window_of(Window::Pair size, Window::Pair strides, Window::Pair before, Window::Pair after) {
  Window window;
  window.size = size;
  window.strides = strides;
  window.padding_before = before;
  window.padding_after = after;
  return window;
}

const Tensor nine = floats({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});

TEST(InterpreterPooling, TheLargestOfEachWindow) {
  const Window window = window_of({2, 2}, {1, 1}, {0, 0}, {0, 0});
  expect_same(floats_of(run(Operation::max_pool, float32({1, 1, 2, 2}), {nine}, window)),
              {5, 6, 8, 9});
}

TEST(InterpreterPooling, PaddingNeverWins) {
  const Tensor negative = floats({1, 1, 2, 2}, {-1, -2, -3, -4});
  const Window window = window_of({2, 2}, {2, 2}, {1, 1}, {1, 1});
  expect_same(floats_of(run(Operation::max_pool, float32({1, 1, 2, 2}), {negative}, window)),
              {-1, -2, -3, -4});
  const Tensor special = floats({1, 1, 1, 3}, {-infinity, 2, nan});
  const Window two = window_of({1, 2}, {1, 1}, {0, 1}, {0, 0});
  expect_same(floats_of(run(Operation::max_pool, float32({1, 1, 1, 3}), {special}, two)),
              {-infinity, 2, nan});
}

TEST(InterpreterPooling, ANanWinsWhereverItStands) {
  const Tensor x = floats({1, 1, 1, 4}, {nan, 2, 3, nan});
  const Window window = window_of({1, 2}, {1, 2}, {0, 0}, {0, 0});
  expect_same(floats_of(run(Operation::max_pool, float32({1, 1, 1, 2}), {x}, window)), {nan, nan});
}

TEST(InterpreterPooling, DilationSkipsElements) {
  Window window = window_of({2, 2}, {1, 1}, {0, 0}, {0, 0});
  window.dilations = {2, 2};
  expect_same(floats_of(run(Operation::max_pool, float32({1, 1, 1, 1}), {nine}, window)), {9});
  expect_same(floats_of(run(Operation::average_pool, float32({1, 1, 1, 1}), {nine}, window)), {5});
}

TEST(InterpreterPooling, TheMeanWithAndWithoutPadding) {
  Window window = window_of({2, 2}, {2, 2}, {1, 1}, {0, 0});
  expect_same(floats_of(run(Operation::average_pool, float32({1, 1, 2, 2}), {nine}, window)),
              {1, 2.5f, 5.5f, 7});
  window.counts_padding = true;
  expect_same(floats_of(run(Operation::average_pool, float32({1, 1, 2, 2}), {nine}, window)),
              {0.25f, 1.25f, 2.75f, 7});
}

TEST(InterpreterPooling, PaddingOfOneSideAndEveryPlane) {
  const Tensor x = floats({2, 2, 1, 2}, {1, 3, 5, 7, 9, 11, 13, 15});
  const Window window = window_of({1, 3}, {1, 2}, {0, 0}, {0, 3});
  expect_same(floats_of(run(Operation::average_pool, float32({2, 2, 1, 2}), {x}, window)),
              {2, nan, 6, nan, 10, nan, 14, nan});
  expect_same(floats_of(run(Operation::max_pool, float32({2, 2, 1, 2}), {x}, window)),
              {3, -infinity, 7, -infinity, 11, -infinity, 15, -infinity});
}

TEST(InterpreterPooling, Float16AndZeroSize) {
  const Tensor x = halves({1, 1, 1, 2}, {0x3c00, 0x4000});
  const Window window = window_of({1, 2}, {1, 1}, {0, 0}, {0, 0});
  EXPECT_EQ(elements_of<uint16_t>(
                run(Operation::average_pool, {ElementType::float16, {1, 1, 1, 1}}, {x}, window)),
            std::vector<uint16_t>{0x3e00});
  EXPECT_TRUE(
      run(Operation::average_pool, float32({0, 3, 1, 1}), {floats({0, 3, 1, 2}, {})}, window)
          .bytes.empty());
}

std::vector<float> resized_row(const std::vector<float>& row, int64_t to, Resizing resizing) {
  const auto width = static_cast<int64_t>(row.size());
  return floats_of(
      run(Operation::resize, float32({1, 1, 1, to}), {floats({1, 1, 1, width}, row)}, resizing));
}

constexpr Resizing nearest{false, false, false};
constexpr Resizing nearest_centre{false, false, true};
constexpr Resizing nearest_corners{false, true, false};
constexpr Resizing linear{true, false, false};
constexpr Resizing linear_centre{true, false, true};
constexpr Resizing linear_corners{true, true, false};

TEST(InterpreterResize, NearestLarger) {
  // Positions 0, .5, 1, 1.5, 2, 2.5: halves go up, and no further than the last.
  expect_same(resized_row({1, 2, 3}, 6, nearest), {1, 2, 2, 3, 3, 3});
  expect_same(resized_row({1, 2, 3}, 6, nearest_centre), {1, 1, 2, 2, 3, 3});
  // Positions 0, 2/3, 4/3, 2.
  expect_same(resized_row({1, 2, 3}, 4, nearest_corners), {1, 2, 2, 3});
}

TEST(InterpreterResize, NearestSmaller) {
  // Positions 0, 2.5.
  expect_same(resized_row({1, 2, 3, 4, 5}, 2, nearest), {1, 4});
  // Positions .75, 3.25.
  expect_same(resized_row({1, 2, 3, 4, 5}, 2, nearest_centre), {2, 4});
  expect_same(resized_row({1, 2, 3, 4, 5}, 2, nearest_corners), {1, 5});
  // Positions .5, 2.5.
  expect_same(resized_row({1, 2, 3, 4}, 2, nearest_centre), {2, 4});
  expect_same(resized_row({1, 2, 3, 4}, 1, nearest_corners), {1});
}

TEST(InterpreterResize, Linear) {
  expect_same(resized_row({1, 2, 4}, 6, linear), {1, 1.5f, 2, 3, 4, 4});
  expect_same(resized_row({1, 2, 4}, 6, linear_centre), {1, 1.25f, 1.75f, 2.5f, 3.5f, 4});
  expect_same(resized_row({1, 2, 4}, 5, linear_corners), {1, 1.5f, 2, 3, 4});
  expect_same(resized_row({1, 2, 4, 8}, 2, linear_centre), {1.5f, 6});
  expect_same(resized_row({1, 2, 4, 8}, 2, linear), {1, 4});
  expect_same(resized_row({3}, 3, linear_centre), {3, 3, 3});
}

TEST(InterpreterResize, CornersMakeTheCentreIrrelevant) {
  const Resizing both{true, true, true};
  expect_same(resized_row({1, 2, 4}, 5, both), {1, 1.5f, 2, 3, 4});
}

TEST(InterpreterResize, BothAxesAndEveryPlane) {
  const Tensor x = floats({1, 2, 2, 2}, {0, 2, 4, 6, 10, 12, 14, 16});
  expect_same(floats_of(run(Operation::resize, float32({1, 2, 3, 3}), {x}, linear_corners)),
              {0, 1, 2, 2, 3, 4, 4, 5, 6, 10, 11, 12, 12, 13, 14, 14, 15, 16});
  expect_same(floats_of(run(Operation::resize, float32({1, 2, 1, 4}), {x}, nearest_centre)),
              {4, 4, 6, 6, 14, 14, 16, 16});
}

TEST(InterpreterResize, AnUntouchedNeighbourDoesNotSpread) {
  expect_same(resized_row({1, infinity, nan}, 3, linear_centre), {1, infinity, nan});
}

TEST(InterpreterResize, Float16) {
  const Tensor x = halves({1, 1, 1, 2}, {0x3c00, 0x4000});
  EXPECT_EQ(elements_of<uint16_t>(
                run(Operation::resize, {ElementType::float16, {1, 1, 1, 3}}, {x}, linear_corners)),
            (std::vector<uint16_t>{0x3c00, 0x3e00, 0x4000}));
}

}  // namespace
}  // namespace mps::software::interpreter_tests
