#include "software/interpreter/element.hpp"

#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

// The value of a float of `mantissa_bits` and a bias, by its definition.
double value_of(uint16_t bits, int mantissa_bits, int bias) {
  const int exponent = (bits & 0x7fff) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double scale = std::ldexp(1.0, -mantissa_bits);
  const double size = exponent == 0 ? std::ldexp(mantissa * scale, 1 - bias)
                                    : std::ldexp(1 + mantissa * scale, exponent - bias);
  return (bits & 0x8000) != 0 ? -size : size;
}

TEST(InterpreterElement, EveryFiniteShortFloatIsReadExactlyAndComesBack) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<uint16_t>(i);
    if ((bits & 0x7c00) != 0x7c00) {
      ASSERT_EQ(interpreter::float_from_half(bits), value_of(bits, 10, 15)) << i;
      ASSERT_EQ(interpreter::half_from_float(interpreter::float_from_half(bits)), bits);
    }
    if ((bits & 0x7f80) != 0x7f80) {
      ASSERT_EQ(interpreter::float_from_bfloat(bits), value_of(bits, 7, 127)) << i;
      ASSERT_EQ(interpreter::bfloat_from_float(interpreter::float_from_bfloat(bits)), bits);
    }
  }
}

// Between two neighbours, and at the middle between them.
TEST(InterpreterElement, RoundsToTheNearestHalfAndTiesToEven) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const float lower = interpreter::float_from_half(bits);
    const float upper = interpreter::float_from_half(static_cast<uint16_t>(bits + 1));
    const float middle = lower + (upper - lower) / 2;
    const auto even = static_cast<uint16_t>(bits + (bits & 1));
    ASSERT_EQ(interpreter::half_from_float(middle), even) << bits;
    ASSERT_EQ(interpreter::half_from_float(std::nextafter(middle, 0.0f)), bits);
    ASSERT_EQ(interpreter::half_from_float(std::nextafter(middle, infinity)), bits + 1);
    ASSERT_EQ(interpreter::half_from_float(-middle), even | 0x8000);
  }
}

TEST(InterpreterElement, RoundsToTheNearestBfloatAndTiesToEven) {
  for (uint16_t bits = 1; bits < 0x7f7f; ++bits) {
    const uint32_t middle = uint32_t{bits} << 16 | 0x8000;
    ASSERT_EQ(interpreter::bfloat_from_float(std::bit_cast<float>(middle)), bits + (bits & 1));
    ASSERT_EQ(interpreter::bfloat_from_float(std::bit_cast<float>(middle - 1)), bits);
    ASSERT_EQ(interpreter::bfloat_from_float(std::bit_cast<float>(middle + 1)), bits + 1);
  }
}

TEST(InterpreterElement, TooLargeIsInfiniteAndNanStays) {
  EXPECT_EQ(interpreter::half_from_float(65519), 0x7bff);
  EXPECT_EQ(interpreter::half_from_float(65520), 0x7c00);
  EXPECT_EQ(interpreter::half_from_float(-1e30f), 0xfc00);
  EXPECT_EQ(interpreter::half_from_float(1e-30f), 0);
  EXPECT_EQ(interpreter::half_from_float(-1e-30f), 0x8000);
  EXPECT_EQ(interpreter::bfloat_from_float(std::numeric_limits<float>::max()), 0x7f80);
  for (const uint32_t bits : {0x7f800001u, 0xff80ffffu, 0x7fffffffu}) {
    const auto number = std::bit_cast<float>(bits);
    EXPECT_TRUE(std::isnan(interpreter::float_from_half(interpreter::half_from_float(number))));
    EXPECT_TRUE(std::isnan(interpreter::float_from_bfloat(interpreter::bfloat_from_float(number))));
  }
  EXPECT_EQ(interpreter::float_from_half(0xfc00), -infinity);
  EXPECT_TRUE(std::isnan(interpreter::float_from_half(0x7c01)));
}

TEST(InterpreterElement, ANodeRoundsItsResult) {
  // 2048 + 1 is not a float16: it rounds back, so that adding 1 again does not help.
  Graph graph;
  const TensorType type{ElementType::float16, {}};
  graph.nodes = {{Operation::input, type, {}, {}, {}},
                 {Operation::input, type, {}, {}, {}},
                 {Operation::add, type, {0, 1}, {}, {}},
                 {Operation::add, type, {2, 1}, {}, {}}};
  graph.inputs = {0, 1};
  graph.outputs = {3};
  const auto result = run(graph, {halves({}, {0x6800}), halves({}, {0x3c00})});
  EXPECT_EQ(elements_of<uint16_t>(result[0]), std::vector<uint16_t>{0x6800});
}

TEST(InterpreterCast, FloatsGoTowardsZero) {
  const Tensor x = floats({6}, {-2.75f, -0.5f, 0, 0.99f, 2.5f, 100});
  EXPECT_EQ(elements_of<int32_t>(run(Operation::cast, {ElementType::int32, {6}}, {x})),
            (std::vector<int32_t>{-2, 0, 0, 0, 2, 100}));
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::cast, {ElementType::boolean, {6}}, {x})),
            (std::vector<uint8_t>{1, 1, 0, 1, 1, 1}));
}

TEST(InterpreterCast, WhatIsTooLargeBecomesTheLimit) {
  const Tensor x = floats({5}, {-infinity, -3e9f, 3e9f, infinity, nan});
  EXPECT_EQ(elements_of<int32_t>(run(Operation::cast, {ElementType::int32, {5}}, {x})),
            (std::vector<int32_t>{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX, 0}));
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::cast, {ElementType::uint8, {5}}, {x})),
            (std::vector<uint8_t>{0, 0, 255, 255, 0}));
  EXPECT_EQ(elements_of<int64_t>(run(Operation::cast, {ElementType::int64, {5}}, {x})),
            (std::vector<int64_t>{INT64_MIN, -3000000000, 3000000000, INT64_MAX, 0}));
}

TEST(InterpreterCast, BetweenIntegersBitsAreKept) {
  const Tensor x = int64s({4}, {-1, 300, int64_t{1} << 32, 5});
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::cast, {ElementType::uint8, {4}}, {x})),
            (std::vector<uint8_t>{255, 44, 0, 5}));
  EXPECT_EQ(elements_of<int16_t>(run(Operation::cast, {ElementType::int16, {4}}, {x})),
            (std::vector<int16_t>{-1, 300, 0, 5}));
  // A boolean is not a narrow integer: 256 is true.
  EXPECT_EQ(elements_of<uint8_t>(run(Operation::cast, {ElementType::boolean, {4}}, {x})),
            (std::vector<uint8_t>{1, 1, 1, 1}));
}

TEST(InterpreterCast, ToFloats) {
  const Tensor x = int32s({3}, {-1, 0, 65536});
  expect_same(floats_of(run(Operation::cast, {ElementType::float32, {3}}, {x})), {-1, 0, 65536});
  EXPECT_EQ(elements_of<uint16_t>(run(Operation::cast, {ElementType::float16, {3}}, {x})),
            (std::vector<uint16_t>{0xbc00, 0, 0x7c00}));
  const Tensor truths = booleans({2}, {0, 1});
  EXPECT_EQ(elements_of<uint16_t>(run(Operation::cast, {ElementType::bfloat16, {2}}, {truths})),
            (std::vector<uint16_t>{0, 0x3f80}));
  const Tensor half = halves({2}, {0x3555, 0x7c00});
  expect_same(floats_of(run(Operation::cast, {ElementType::float32, {2}}, {half})),
              {0.333251953125f, infinity});
}

}  // namespace
}  // namespace mps::software::interpreter_tests
