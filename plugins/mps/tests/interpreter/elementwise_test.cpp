#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

const Tensor specials = floats({8}, {-infinity, -1.5f, -0.5f, -0.0f, 0.5f, 2.5f, infinity, nan});

std::vector<float> of_specials(Operation operation) {
  return floats_of(run(operation, specials.type, {specials}));
}

TEST(InterpreterUnary, KeepsNanInfinityAndTheSignOfZero) {
  expect_same(of_specials(Operation::absolute),
              {infinity, 1.5f, 0.5f, 0, 0.5f, 2.5f, infinity, nan});
  expect_same(of_specials(Operation::ceiling), {-infinity, -1, -0.0f, -0.0f, 1, 3, infinity, nan});
  expect_same(of_specials(Operation::floor), {-infinity, -2, -1, -0.0f, 0, 2, infinity, nan});
  expect_same(of_specials(Operation::round_to_even),
              {-infinity, -2, -0.0f, -0.0f, 0, 2, infinity, nan});
  expect_same(of_specials(Operation::negative),
              {infinity, 1.5f, 0.5f, 0, -0.5f, -2.5f, -infinity, nan});
  expect_same(of_specials(Operation::sign), {-1, -1, -1, -0.0f, 1, 1, 1, 0});
  expect_same(of_specials(Operation::rectified_linear),
              {0, 0, 0, -0.0f, 0.5f, 2.5f, infinity, nan});
  expect_same(of_specials(Operation::reciprocal),
              {-0.0f, 1 / -1.5f, -2, -infinity, 2, 0.4f, 0, nan});
}

TEST(InterpreterUnary, FunctionsOfFloatsFollowTheirDefinitions) {
  const std::vector<float> xs = {0.03125f, 0.5f, 1, 2.75f};
  const struct {
    Operation operation;
    double (*expected)(double);
  } cases[] = {
      {Operation::cosine, [](double x) { return 1 - 2 * std::pow(std::sin(x / 2), 2); }},
      {Operation::sine, [](double x) { return 2 * std::sin(x / 2) * std::cos(x / 2); }},
      {Operation::error_function, [](double x) { return 1 - std::erfc(x); }},
      {Operation::exponential, [](double x) { return std::pow(std::exp(x / 2), 2); }},
      {Operation::hyperbolic_tangent,
       [](double x) { return (std::exp(2 * x) - 1) / (std::exp(2 * x) + 1); }},
      {Operation::logarithm, [](double x) { return std::log2(x) * std::log(2.0); }},
      {Operation::reciprocal_square_root, [](double x) { return std::pow(x, -0.5); }},
      {Operation::sigmoid, [](double x) { return 0.5 * (1 + std::tanh(x / 2)); }},
      {Operation::square_root, [](double x) { return std::pow(x, 0.5); }},
  };
  for (const auto& [operation, expected] : cases) {
    SCOPED_TRACE(static_cast<int>(operation));
    std::vector<double> all;
    for (const float x : xs) all.push_back(expected(x));
    const Tensor x = floats({2, 2}, xs);
    expect_near(floats_of(run(operation, x.type, {x})), all);
  }
}

TEST(InterpreterUnary, FunctionsOfFloatsHaveTheirLimits) {
  const Tensor x = floats({5}, {-infinity, -1, -0.0f, infinity, nan});
  const auto of = [&](Operation operation) { return floats_of(run(operation, x.type, {x})); };
  expect_same(of(Operation::exponential), {0, std::exp(-1.0f), 1, infinity, nan});
  expect_same(of(Operation::logarithm), {nan, nan, -infinity, infinity, nan});
  expect_same(of(Operation::square_root), {nan, nan, -0.0f, infinity, nan});
  expect_same(of(Operation::reciprocal_square_root), {nan, nan, -infinity, 0, nan});
  expect_same(of(Operation::sigmoid), {0, 1 / (1 + std::exp(1.0f)), 0.5f, 1, nan});
  expect_same(of(Operation::error_function), {-1, std::erf(-1.0f), -0.0f, 1, nan});
  expect_same(of(Operation::hyperbolic_tangent), {-1, std::tanh(-1.0f), -0.0f, 1, nan});
}

TEST(InterpreterUnary, IntegersWrapAround) {
  const Tensor x = tensor<int8_t>(ElementType::int8, {4}, {-128, -3, 0, 127});
  const auto of = [&](Operation operation) {
    return elements_of<int8_t>(run(operation, x.type, {x}));
  };
  EXPECT_EQ(of(Operation::absolute), (std::vector<int8_t>{-128, 3, 0, 127}));
  EXPECT_EQ(of(Operation::negative), (std::vector<int8_t>{-128, 3, 0, -127}));
  EXPECT_EQ(of(Operation::sign), (std::vector<int8_t>{-1, -1, 0, 1}));
  const Tensor least = int64s({}, {INT64_MIN});
  EXPECT_EQ(elements_of<int64_t>(run(Operation::negative, least.type, {least})),
            std::vector<int64_t>{INT64_MIN});
}

TEST(InterpreterUnary, TellsNanAndNegatesBooleans) {
  const Tensor nans = run(Operation::is_nan, {ElementType::boolean, {8}}, {specials});
  EXPECT_EQ(elements_of<uint8_t>(nans), (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 1}));
  // Any byte but 0 is true.
  const Tensor x = booleans({3}, {0, 1, 2});
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::logical_not, x.type, {x})),
            (std::vector<uint8_t>{1, 0, 0}));
}

TEST(InterpreterUnary, TakesZeroSizeAndRankZero) {
  const Tensor none = floats({2, 0, 3}, {});
  EXPECT_TRUE(run(Operation::exponential, none.type, {none}).bytes.empty());
  const Tensor one = floats({}, {4});
  EXPECT_EQ(floats_of(run(Operation::square_root, one.type, {one})), std::vector<float>{2});
}

std::vector<float> of_pairs(Operation operation, const std::vector<float>& x,
                            const std::vector<float>& y) {
  const Shape shape = {static_cast<int64_t>(x.size())};
  return floats_of(
      run(operation, {ElementType::float32, shape}, {floats(shape, x), floats(shape, y)}));
}

TEST(InterpreterBinary, ArithmeticOfFloats) {
  expect_same(of_pairs(Operation::add, {1, infinity, nan}, {2, -infinity, 1}), {3, nan, nan});
  expect_same(of_pairs(Operation::subtract, {1, infinity, -0.0f}, {2, infinity, 0}),
              {-1, nan, -0.0f});
  expect_same(of_pairs(Operation::multiply, {3, 0, -2}, {4, infinity, 0}), {12, nan, -0.0f});
  expect_same(of_pairs(Operation::divide, {1, -1, 0, 7}, {0, 0, 0, 2}),
              {infinity, -infinity, nan, 3.5f});
  expect_same(of_pairs(Operation::power, {2, -2, -2, 0, nan}, {10, 3, 0.5f, -1, 0}),
              {1024, -8, nan, infinity, 1});
}

TEST(InterpreterBinary, ExtremaKeepNanOnEitherSide) {
  expect_same(of_pairs(Operation::minimum, {1, nan, 2, -infinity}, {2, 1, nan, infinity}),
              {1, nan, nan, -infinity});
  expect_same(of_pairs(Operation::maximum, {1, nan, 2, -infinity}, {2, 1, nan, infinity}),
              {2, nan, nan, infinity});
}

TEST(InterpreterBinary, ArithmeticOfIntegers) {
  const Tensor x = int32s({5}, {INT32_MAX, INT32_MIN, -7, 7, 5});
  const Tensor y = int32s({5}, {2, -1, 2, -2, 0});
  const auto of = [&](Operation operation) {
    return elements_of<int32_t>(run(operation, x.type, {x, y}));
  };
  EXPECT_EQ(of(Operation::add), (std::vector<int32_t>{INT32_MIN + 1, INT32_MAX, -5, 5, 5}));
  EXPECT_EQ(of(Operation::subtract),
            (std::vector<int32_t>{INT32_MAX - 2, INT32_MIN + 1, -9, 9, 5}));
  EXPECT_EQ(of(Operation::multiply), (std::vector<int32_t>{-2, INT32_MIN, -14, -14, 0}));
  EXPECT_EQ(of(Operation::divide), (std::vector<int32_t>{INT32_MAX / 2, INT32_MIN, -3, -3, 0}));
  EXPECT_EQ(of(Operation::minimum), (std::vector<int32_t>{2, INT32_MIN, -7, -2, 0}));
  EXPECT_EQ(of(Operation::maximum), (std::vector<int32_t>{INT32_MAX, -1, 2, 7, 5}));
}

TEST(InterpreterBinary, Int64KeepsAllBitsAndUint8HasNoSign) {
  const Tensor x = int64s({2}, {(int64_t{1} << 53) + 1, INT64_MIN});
  const Tensor y = int64s({2}, {1, -1});
  EXPECT_EQ(elements_of<int64_t>(run(Operation::add, x.type, {x, y})),
            (std::vector<int64_t>{(int64_t{1} << 53) + 2, INT64_MAX}));
  EXPECT_EQ(elements_of<int64_t>(run(Operation::divide, x.type, {x, y})),
            (std::vector<int64_t>{(int64_t{1} << 53) + 1, INT64_MIN}));
  const Tensor bytes = tensor<uint8_t>(ElementType::uint8, {2}, {200, 3});
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::add, bytes.type, {bytes, bytes})),
            (std::vector<uint8_t>{144, 6}));
  const Tensor ten = tensor<uint8_t>(ElementType::uint8, {}, {10});
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::divide, bytes.type, {bytes, ten})),
            (std::vector<uint8_t>{20, 0}));
}

TEST(InterpreterBinary, BroadcastsAsNumpyDoes) {
  const Tensor x = floats({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y = floats({2, 1}, {10, 20});
  expect_same(floats_of(run(Operation::add, {ElementType::float32, {2, 2, 3}}, {x, y})),
              {11, 12, 13, 21, 22, 23, 14, 15, 16, 24, 25, 26});
  expect_same(floats_of(run(Operation::subtract, {ElementType::float32, {2, 2, 3}}, {y, x})),
              {9, 8, 7, 19, 18, 17, 6, 5, 4, 16, 15, 14});
  const Tensor scalar = floats({}, {3});
  expect_same(floats_of(run(Operation::multiply, {ElementType::float32, {2, 1}}, {scalar, y})),
              {30, 60});
  expect_same(floats_of(run(Operation::multiply, scalar.type, {scalar, scalar})), {9});
}

TEST(InterpreterBinary, BroadcastsToNothing) {
  const Tensor none = floats({0, 3}, {});
  const Tensor row = floats({1, 3}, {1, 2, 3});
  EXPECT_TRUE(run(Operation::add, none.type, {none, row}).bytes.empty());
  const Tensor column = floats({2, 1}, {1, 2});
  const Tensor thin = floats({2, 0}, {});
  EXPECT_TRUE(run(Operation::add, thin.type, {column, thin}).bytes.empty());
}

TEST(InterpreterRelation, NanIsUnequalToAll) {
  const Tensor x = floats({4}, {1, nan, -0.0f, 3});
  const Tensor y = floats({4}, {2, nan, 0, 3});
  const auto of = [&](Operation operation) {
    return elements_of<uint8_t>(run(operation, {ElementType::boolean, {4}}, {x, y}));
  };
  EXPECT_EQ(of(Operation::equal), (std::vector<uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(of(Operation::not_equal), (std::vector<uint8_t>{1, 1, 0, 0}));
  EXPECT_EQ(of(Operation::less), (std::vector<uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(of(Operation::less_equal), (std::vector<uint8_t>{1, 0, 1, 1}));
  EXPECT_EQ(of(Operation::greater), (std::vector<uint8_t>{0, 0, 0, 0}));
  EXPECT_EQ(of(Operation::greater_equal), (std::vector<uint8_t>{0, 0, 1, 1}));
}

TEST(InterpreterRelation, ComparesIntegersExactlyAndBroadcasts) {
  const Tensor x = int64s({2, 1}, {(int64_t{1} << 53) + 1, 0});
  const Tensor y = int64s({2}, {int64_t{1} << 53, 0});
  const Tensor greater = run(Operation::greater, {ElementType::boolean, {2, 2}}, {x, y});
  EXPECT_EQ(elements_of<uint8_t>(greater), (std::vector<uint8_t>{1, 1, 0, 0}));
}

TEST(InterpreterRelation, Logic) {
  const Tensor x = booleans({4}, {0, 0, 1, 2});
  const Tensor y = booleans({4}, {0, 1, 0, 1});
  const auto of = [&](Operation operation) {
    return elements_of<uint8_t>(run(operation, {ElementType::boolean, {4}}, {x, y}));
  };
  EXPECT_EQ(of(Operation::logical_and), (std::vector<uint8_t>{0, 0, 0, 1}));
  EXPECT_EQ(of(Operation::logical_or), (std::vector<uint8_t>{0, 1, 1, 1}));
  EXPECT_EQ(of(Operation::logical_exclusive_or), (std::vector<uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(of(Operation::equal), (std::vector<uint8_t>{1, 0, 0, 1}));
}

TEST(InterpreterSelect, BroadcastsAllThreeAndMovesBits) {
  const Tensor condition = booleans({2, 1}, {1, 0});
  const Tensor y = floats({3}, {1, nan, 3});
  const Tensor z = floats({}, {-0.0f});
  expect_same(floats_of(run(Operation::select, {ElementType::float32, {2, 3}}, {condition, y, z})),
              {1, nan, 3, -0.0f, -0.0f, -0.0f});
  const Tensor signalling = halves({1}, {0x7c01});
  const Tensor other = halves({1}, {0});
  const Tensor chosen = run(Operation::select, {ElementType::float16, {1, 1}},
                            {booleans({1, 1}, {1}), signalling, other});
  EXPECT_EQ(elements_of<uint16_t>(chosen), std::vector<uint16_t>{0x7c01});
}

TEST(InterpreterClamp, KeepsNanAndInfiniteBounds) {
  const Tensor x = floats({5}, {-infinity, -2, 0.5f, 7, nan});
  expect_same(floats_of(run(Operation::clamp, x.type, {x, floats({}, {-1}), floats({}, {6})})),
              {-1, -1, 0.5f, 6, nan});
  expect_same(floats_of(run(Operation::clamp, x.type,
                            {x, floats({1}, {-infinity}), floats({1}, {infinity})})),
              {-infinity, -2, 0.5f, 7, nan});
  const Tensor one = floats({1}, {1});
  const Tensor none = floats({1}, {nan});
  expect_same(floats_of(run(Operation::clamp, one.type, {one, none, one})), {nan});
  expect_same(floats_of(run(Operation::clamp, one.type, {one, one, none})), {nan});
  expect_same(floats_of(run(Operation::clamp, one.type, {one, floats({}, {3}), floats({}, {2})})),
              {2});
  const Tensor integers = int32s({3}, {-5, 5, 50});
  EXPECT_EQ(elements_of<int32_t>(run(Operation::clamp, integers.type,
                                     {integers, int32s({}, {0}), int32s({3}, {9, 4, 9})})),
            (std::vector<int32_t>{0, 4, 9}));
}

TEST(InterpreterNormalize, BroadcastsEachOperandToX) {
  const Tensor x = floats({1, 2, 1, 2}, {1, 3, 10, 30});
  const Tensor mean = floats({1, 2, 1, 1}, {2, 20});
  const Tensor variance = floats({2, 1, 1}, {3, 99});
  const Tensor scale = floats({2, 1, 1}, {4, 5});
  const Tensor bias = floats({}, {0.5f});
  const Tensor result =
      run(Operation::normalize, x.type, {x, mean, variance, scale, bias}, seam::Normalization{1});
  expect_same(floats_of(result), {-1.5f, 2.5f, -4.5f, 5.5f});
}

TEST(InterpreterNormalize, AVarianceOfZeroNeedsItsEpsilon) {
  const Tensor x = floats({2}, {1, 2});
  const Tensor zero = floats({}, {0});
  const Tensor one = floats({}, {1});
  expect_same(floats_of(run(Operation::normalize, x.type, {x, one, zero, one, zero},
                            seam::Normalization{0})),
              {nan, infinity});
  expect_near(floats_of(run(Operation::normalize, x.type, {x, one, zero, one, zero},
                            seam::Normalization{1e-5})),
              {0, 1 / std::sqrt(1e-5)});
}

}  // namespace
}  // namespace mps::software::interpreter_tests
