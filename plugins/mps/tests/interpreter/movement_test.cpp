#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

const Tensor two_by_three = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(InterpreterReshape, KeepsTheElements) {
  expect_same(floats_of(run(Operation::reshape, float32({3, 1, 2}), {two_by_three})),
              {1, 2, 3, 4, 5, 6});
  expect_same(floats_of(run(Operation::reshape, float32({}), {floats({1, 1}, {7})})), {7});
  EXPECT_TRUE(run(Operation::reshape, float32({5, 0}), {floats({0, 2}, {})}).bytes.empty());
}

TEST(InterpreterBroadcast, RepeatsAlongAddedAndUnitAxes) {
  expect_same(floats_of(run(Operation::broadcast, float32({2, 2, 2}), {floats({2, 1}, {1, 2})})),
              {1, 1, 2, 2, 1, 1, 2, 2});
  expect_same(floats_of(run(Operation::broadcast, float32({3}), {floats({}, {4})})), {4, 4, 4});
  EXPECT_TRUE(run(Operation::broadcast, float32({0, 3}), {floats({3}, {1, 2, 3})}).bytes.empty());
}

TEST(InterpreterTranspose, AxisIOfTheResultIsAxisAxesIOfX) {
  expect_same(
      floats_of(run(Operation::transpose, float32({3, 2}), {two_by_three}, seam::Axes{{1, 0}})),
      {1, 4, 2, 5, 3, 6});
  // result[k, i, j] = x[i, j, k]
  const Tensor x = whole_floats({2, 3, 4}, 1);
  const auto xs = floats_of(x);
  std::vector<float> expected;
  for (size_t k = 0; k < 4; ++k) {
    for (size_t i = 0; i < 2; ++i) {
      for (size_t j = 0; j < 3; ++j) expected.push_back(xs[(i * 3 + j) * 4 + k]);
    }
  }
  expect_same(floats_of(run(Operation::transpose, float32({4, 2, 3}), {x}, seam::Axes{{2, 0, 1}})),
              expected);
  expect_same(floats_of(run(Operation::transpose, float32({}), {floats({}, {3})}, seam::Axes{})),
              {3});
}

TEST(InterpreterTranspose, MovesElementsOfEverySize) {
  const Tensor wide = int64s({2, 2}, {1, 2, INT64_MIN, 4});
  EXPECT_EQ(elements_of<int64_t>(run(Operation::transpose, wide.type, {wide}, seam::Axes{{1, 0}})),
            (std::vector<int64_t>{1, INT64_MIN, 2, 4}));
  const Tensor narrow = booleans({2, 2}, {1, 0, 1, 1});
  EXPECT_EQ(
      elements_of<uint8_t>(run(Operation::transpose, narrow.type, {narrow}, seam::Axes{{1, 0}})),
      (std::vector<uint8_t>{1, 1, 0, 1}));
  const Tensor half = halves({1, 2}, {0x7c01, 5});
  EXPECT_EQ(elements_of<uint16_t>(run(Operation::transpose, {ElementType::float16, {2, 1}}, {half},
                                      seam::Axes{{1, 0}})),
            (std::vector<uint16_t>{0x7c01, 5}));
}

TEST(InterpreterSlice, StepsForwardsAndBackwards) {
  const Tensor x = floats({6}, {0, 1, 2, 3, 4, 5});
  const auto sliced = [&](int64_t start, int64_t end, int64_t step, int64_t extent) {
    return floats_of(
        run(Operation::slice, float32({extent}), {x}, seam::Slice{{start}, {end}, {step}}));
  };
  expect_same(sliced(1, 6, 2, 3), {1, 3, 5});
  expect_same(sliced(1, 5, 2, 2), {1, 3});
  expect_same(sliced(5, -1, -1, 6), {5, 4, 3, 2, 1, 0});
  expect_same(sliced(4, 0, -3, 2), {4, 1});
  expect_same(sliced(5, -1, -3, 2), {5, 2});
  expect_same(sliced(2, 6, INT64_MAX, 1), {2});
  expect_same(sliced(3, 2, -INT64_MAX, 1), {3});
  EXPECT_TRUE(sliced(6, 6, 1, 0).empty());
  // A step that is never taken must not overflow either.
  expect_same(floats_of(run(Operation::slice, float32({1, 3}), {two_by_three},
                            seam::Slice{{1, 0}, {2, 3}, {INT64_MAX, 1}})),
              {4, 5, 6});
}

TEST(InterpreterSlice, TakesAxesTogether) {
  expect_same(floats_of(run(Operation::slice, float32({2, 2}), {two_by_three},
                            seam::Slice{{1, 0}, {-1, 3}, {-1, 2}})),
              {4, 6, 1, 3});
  expect_same(floats_of(run(Operation::slice, float32({}), {floats({}, {8})}, seam::Slice{})), {8});
}

TEST(InterpreterConcatenate, JoinsOnAnyAxisAndSkipsNothing) {
  const Tensor column = floats({2, 1}, {7, 8});
  const Tensor nothing = floats({2, 0}, {});
  expect_same(floats_of(run(Operation::concatenate, float32({2, 4}),
                            {column, nothing, two_by_three}, seam::Axes{{1}})),
              {7, 1, 2, 3, 8, 4, 5, 6});
  expect_same(floats_of(run(Operation::concatenate, float32({3, 3}),
                            {two_by_three, floats({1, 3}, {7, 8, 9})}, seam::Axes{{0}})),
              {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_same(
      floats_of(run(Operation::concatenate, two_by_three.type, {two_by_three}, seam::Axes{{0}})),
      {1, 2, 3, 4, 5, 6});
}

TEST(InterpreterPad, WithAValue) {
  expect_same(floats_of(run(Operation::pad, float32({3, 5}), {two_by_three},
                            seam::Padding{{1, 0}, {0, 2}, seam::PaddingMode::constant, -9})),
              {-9, -9, -9, -9, -9, 1, 2, 3, -9, -9, 4, 5, 6, -9, -9});
  expect_same(floats_of(run(Operation::pad, float32({2}), {floats({0}, {})},
                            seam::Padding{{1}, {1}, seam::PaddingMode::constant, -INFINITY})),
              {-infinity, -infinity});
  const Tensor bytes = tensor<uint8_t>(ElementType::uint8, {1}, {1});
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::pad, {ElementType::uint8, {3}}, {bytes},
                                     seam::Padding{{1}, {1}, seam::PaddingMode::constant, 255})),
            (std::vector<uint8_t>{255, 1, 255}));
  const Tensor half = halves({1}, {0x3c00});
  EXPECT_EQ(elements_of<uint16_t>(run(Operation::pad, {ElementType::float16, {2}}, {half},
                                      seam::Padding{{1}, {0}, seam::PaddingMode::constant, -2})),
            (std::vector<uint16_t>{0xc000, 0x3c00}));
}

TEST(InterpreterPad, ByReflectionAndByItsEdge) {
  const Tensor x = floats({1, 4}, {1, 2, 3, 4});
  expect_same(floats_of(run(Operation::pad, float32({1, 9}), {x},
                            seam::Padding{{0, 3}, {0, 2}, seam::PaddingMode::reflect, 0})),
              {4, 3, 2, 1, 2, 3, 4, 3, 2});
  expect_same(floats_of(run(Operation::pad, float32({2, 7}), {x},
                            seam::Padding{{1, 1}, {0, 2}, seam::PaddingMode::edge, 0})),
              {1, 1, 2, 3, 4, 4, 4, 1, 1, 2, 3, 4, 4, 4});
  expect_same(floats_of(run(Operation::pad, float32({}), {floats({}, {5})}, seam::Padding{})), {5});
}

TEST(InterpreterGather, TheIndicesReplaceTheAxis) {
  const Tensor indices = int32s({2, 2}, {2, 0, 1, 1});
  expect_same(floats_of(run(Operation::gather, float32({2, 2, 2}), {two_by_three, indices},
                            seam::Axes{{1}})),
              {3, 1, 2, 2, 6, 4, 5, 5});
  expect_same(floats_of(run(Operation::gather, float32({3}), {two_by_three, int32s({}, {1})},
                            seam::Axes{{0}})),
              {4, 5, 6});
  EXPECT_TRUE(
      run(Operation::gather, float32({2, 0}), {two_by_three, int32s({0}, {})}, seam::Axes{{1}})
          .bytes.empty());
}

TEST(InterpreterGather, FailsWhereXHasNoSuchIndex) {
  for (const int32_t index : {-1, 3}) {
    try {
      run(Operation::gather, float32({2, 1}), {two_by_three, int32s({1}, {index})},
          seam::Axes{{1}});
      FAIL() << index;
    } catch (const seam::Failure& failure) {
      EXPECT_EQ(failure.fault(), seam::Fault::invalid);
      const std::string message = failure.what();
      EXPECT_NE(message.find("node 2, gather"), std::string::npos) << message;
      EXPECT_NE(message.find("index " + std::to_string(index)), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace mps::software::interpreter_tests
