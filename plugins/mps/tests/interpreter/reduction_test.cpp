#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

std::vector<float> reduced(Operation operation, const Tensor& x, const Shape& axes) {
  TensorType type = x.type;
  for (const int64_t axis : axes) type.shape[static_cast<size_t>(axis)] = 1;
  return floats_of(run(operation, type, {x}, seam::Axes{axes}));
}

TEST(InterpreterReduction, OverOneAxisAndSeveral) {
  const Tensor x = floats({2, 3}, {1, -2, 3, 4, 5, -6});
  expect_same(reduced(Operation::sum, x, {0}), {5, 3, -3});
  expect_same(reduced(Operation::sum, x, {1}), {2, 3});
  expect_same(reduced(Operation::sum, x, {1, 0}), {5});
  expect_same(reduced(Operation::mean, x, {1}), {2.0f / 3, 1});
  expect_same(reduced(Operation::product, x, {1}), {-6, -120});
  expect_same(reduced(Operation::largest, x, {1}), {3, 5});
  expect_same(reduced(Operation::smallest, x, {0}), {1, -2, -6});
}

TEST(InterpreterReduction, OverOuterAxesThatAreNotNeighbours) {
  const Tensor x = whole_floats({2, 3, 4}, 5);
  const auto xs = floats_of(x);
  std::vector<float> expected(3, 0);
  for (size_t i = 0; i < xs.size(); ++i) expected[i / 4 % 3] += xs[i];
  expect_same(reduced(Operation::sum, x, {0, 2}), expected);
}

TEST(InterpreterReduction, NanStaysNan) {
  const Tensor x = floats({2, 3}, {nan, 1, 2, 1, nan, infinity});
  for (const Operation operation : {Operation::sum, Operation::mean, Operation::product,
                                    Operation::largest, Operation::smallest}) {
    expect_same(reduced(operation, x, {1}), {nan, nan});
  }
  const Tensor infinite = floats({2}, {-infinity, infinity});
  expect_same(reduced(Operation::sum, infinite, {0}), {nan});
  expect_same(reduced(Operation::largest, infinite, {0}), {infinity});
  expect_same(reduced(Operation::smallest, infinite, {0}), {-infinity});
}

TEST(InterpreterReduction, OfNothing) {
  const Tensor x = floats({2, 0}, {});
  expect_same(reduced(Operation::sum, x, {1}), {0, 0});
  expect_same(reduced(Operation::product, x, {1}), {1, 1});
  expect_same(reduced(Operation::mean, x, {1}), {nan, nan});
  expect_same(reduced(Operation::largest, x, {1}), {-infinity, -infinity});
  expect_same(reduced(Operation::smallest, x, {1}), {infinity, infinity});
  EXPECT_TRUE(reduced(Operation::mean, x, {0}).empty());
  const Tensor integers = int32s({0}, {});
  EXPECT_EQ(elements_of<int32_t>(
                run(Operation::largest, {ElementType::int32, {1}}, {integers}, seam::Axes{{0}})),
            std::vector<int32_t>{INT32_MIN});
}

TEST(InterpreterReduction, IntegersWrapAround) {
  const Tensor x = int32s({3}, {INT32_MAX, 2, -1});
  const auto of = [&](Operation operation) {
    return elements_of<int32_t>(run(operation, {ElementType::int32, {1}}, {x}, seam::Axes{{0}}));
  };
  EXPECT_EQ(of(Operation::sum), std::vector<int32_t>{INT32_MIN});
  EXPECT_EQ(of(Operation::product), std::vector<int32_t>{2});
  EXPECT_EQ(of(Operation::largest), std::vector<int32_t>{INT32_MAX});
  EXPECT_EQ(of(Operation::smallest), std::vector<int32_t>{-1});
}

TEST(InterpreterReduction, LongSumsOfShortFloatsAreGatheredWider) {
  const Tensor x = halves({4096}, std::vector<uint16_t>(4096, 0x3c00));
  EXPECT_EQ(
      elements_of<uint16_t>(run(Operation::sum, {ElementType::float16, {1}}, {x}, seam::Axes{{0}})),
      std::vector<uint16_t>{0x6c00});
  const Tensor tenths = floats({1 << 20}, std::vector<float>(1 << 20, 0.1f));
  expect_near(reduced(Operation::mean, tenths, {0}), {0.1f}, 1e-7);
}

TEST(InterpreterSoftmax, AlongEachAxis) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 4, 4});
  const double sum = std::exp(-2.0) + std::exp(-1.0) + 1;
  expect_near(floats_of(run(Operation::softmax, x.type, {x}, seam::Axes{{1}})),
              {std::exp(-2.0) / sum, std::exp(-1.0) / sum, 1 / sum, 1 / 3.0, 1 / 3.0, 1 / 3.0});
  const auto share = [](double difference) { return 1 / (1 + std::exp(difference)); };
  expect_near(floats_of(run(Operation::softmax, x.type, {x}, seam::Axes{{0}})),
              {share(3), share(2), share(1), share(-3), share(-2), share(-1)});
}

TEST(InterpreterSoftmax, LargeNumbersDoNotOverflowAndNanSpreadsOnItsLine) {
  const Tensor x = floats({4, 2}, {1000, 1000, -infinity, 5, -infinity, -infinity, nan, 1});
  expect_same(floats_of(run(Operation::softmax, x.type, {x}, seam::Axes{{1}})),
              {0.5f, 0.5f, 0, 1, nan, nan, nan, nan});
  const Tensor none = floats({3, 0}, {});
  EXPECT_TRUE(run(Operation::softmax, none.type, {none}, seam::Axes{{1}}).bytes.empty());
  const Tensor half = halves({2}, {0x7bff, 0x7bff});
  EXPECT_EQ(elements_of<uint16_t>(run(Operation::softmax, half.type, {half}, seam::Axes{{0}})),
            (std::vector<uint16_t>{0x3800, 0x3800}));
}

}  // namespace
}  // namespace mps::software::interpreter_tests
