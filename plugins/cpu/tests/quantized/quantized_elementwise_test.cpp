// Ops on bytes give, bit for bit, what DequantizeLinear, the op and QuantizeLinear give.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"

namespace cpu::testing {
namespace {

constexpr const char* contrib = "com.microsoft";
constexpr float huge_scale = 1e38f, tiny_scale = 1e-38f,
                no_number = std::numeric_limits<float>::quiet_NaN();

// A scale and a zero point; the latter may be left out.
struct ByteNumbers {
  float scale;
  std::optional<int> zero;
};

Value scale_of(const ByteNumbers& numbers) { return value<float>({}, {numbers.scale}); }

Value byte(sy_dtype dtype, int number) {
  return from_doubles(dtype, {}, {static_cast<double>(number)});
}

OneNode& add_numbers(OneNode& node, sy_dtype dtype, const ByteNumbers& numbers) {
  node.input(scale_of(numbers));
  return numbers.zero ? node.input(byte(dtype, *numbers.zero)) : node.absent_input();
}

Value dequantized(const Value& x, const ByteNumbers& numbers) {
  OneNode node("DequantizeLinear");
  node.input(x);
  add_numbers(node, x.dtype, numbers);
  return node.output(SY_FLOAT32, x.shape).run();
}

Value quantized(const Value& x, sy_dtype dtype, const ByteNumbers& numbers) {
  OneNode node("QuantizeLinear");
  node.input(x).attribute("output_dtype", static_cast<int64_t>(dtype));
  add_numbers(node, dtype, numbers);
  return node.output(dtype, x.shape).run();
}

// What the numbers of three tensors may be: those at the ends of the bytes and of float, and usual
// ones. `low` is the smallest byte.
std::vector<std::array<ByteNumbers, 3>> many_numbers(int low) {
  std::vector<std::array<ByteNumbers, 3>> made;
  for (const int zero : {low, low + 128, low + 255}) {
    for (const float scale : {0.0173f, 0.5f, tiny_scale, huge_scale}) {
      made.push_back(
          {{{scale, zero}, {scale * 0.7f, low + 3}, {scale * 1.9f, low + 255 - zero + low}}});
    }
    made.push_back({{{tiny_scale, zero}, {huge_scale, zero}, {1.0f, zero}}});
    made.push_back({{{0.1f, zero}, {0.3f, zero}, {no_number, zero}}});
    made.push_back({{{HUGE_VALF, zero}, {0.3f, zero}, {0.1f, zero}}});
  }
  made.push_back({{{0.25f, {}}, {0.75f, {}}, {0.01f, {}}}});
  return made;
}

constexpr int low_of(sy_dtype dtype) { return dtype == SY_INT8 ? -128 : 0; }

Value all_bytes(sy_dtype dtype) {
  std::vector<double> bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(low_of(dtype) + i);
  return from_doubles(dtype, {256}, bytes);
}

// Every pair of bytes.
struct Pairs {
  Value left, right;
};
Pairs all_pairs(sy_dtype dtype) {
  std::vector<double> left, right;
  for (int i = 0; i < 256 * 256; ++i) {
    left.push_back(low_of(dtype) + i / 256);
    right.push_back(low_of(dtype) + i % 256);
  }
  return {from_doubles(dtype, {256 * 256}, left), from_doubles(dtype, {256 * 256}, right)};
}

OneNode binary(const char* op, const Value& a, const Value& b,
               const std::array<ByteNumbers, 3>& numbers) {
  OneNode node(op, 1, contrib);
  add_numbers(node.input(a), a.dtype, numbers[0]);
  add_numbers(node.input(b), a.dtype, numbers[1]);
  add_numbers(node, a.dtype, numbers[2]);
  return node;
}

Value binary_chain(const char* op, const Value& a, const Value& b, const Shape& shape,
                   const std::array<ByteNumbers, 3>& numbers) {
  const Value real = OneNode(op)
                         .input(dequantized(a, numbers[0]))
                         .input(dequantized(b, numbers[1]))
                         .output(SY_FLOAT32, shape)
                         .run();
  return quantized(real, a.dtype, numbers[2]);
}

std::string described(const std::array<ByteNumbers, 3>& numbers) {
  std::string text;
  for (const ByteNumbers& each : numbers) {
    text += std::to_string(each.scale) + " and " + std::to_string(each.zero.value_or(0)) + "; ";
  }
  return text;
}

struct BinaryOp {
  const char* bytes;
  const char* reals;
};
constexpr BinaryOp binary_ops[] = {{"QLinearAdd", "Add"}, {"QLinearMul", "Mul"}};

// Vector code for each processor that this one can stand for: some multiply and add in one step.
class OnEachProcessor : public ::testing::TestWithParam<int64_t> {
 protected:
  OnEachProcessor() : supported_((hwy::SupportedTargets() & GetParam()) != 0) {
    if (supported_) hwy::SetSupportedTargetsForTest(GetParam());
  }
  ~OnEachProcessor() override { hwy::SetSupportedTargetsForTest(0); }
  const bool supported_;
};

INSTANTIATE_TEST_SUITE_P(QuantizedElementwise, OnEachProcessor,
                         ::testing::Values(HWY_AVX3, HWY_AVX2, HWY_STATIC_TARGET));

TEST_P(OnEachProcessor, EveryPairOfBytesIsAsInTheChain) {
  if (!supported_) GTEST_SKIP() << "not on this processor";
  for (const BinaryOp& op : binary_ops) {
    for (const sy_dtype dtype : {SY_INT8, SY_UINT8}) {
      const Pairs pairs = all_pairs(dtype);
      for (const auto& numbers : many_numbers(low_of(dtype))) {
        const Value made = binary(op.bytes, pairs.left, pairs.right, numbers)
                               .output(dtype, pairs.left.shape)
                               .run();
        const Value expected =
            binary_chain(op.reals, pairs.left, pairs.right, pairs.left.shape, numbers);
        ASSERT_EQ(as_doubles(made), as_doubles(expected)) << op.bytes << " " << described(numbers);
      }
    }
  }
}

Value wave(sy_dtype dtype, const Shape& shape) {
  std::vector<double> bytes;
  for (int64_t i = 0; i < sy::element_count(shape); ++i) {
    bytes.push_back(static_cast<double>(low_of(dtype) + i * 37 % 256));
  }
  return from_doubles(dtype, shape, bytes);
}

constexpr std::array<ByteNumbers, 3> usual = {{{0.02f, 7}, {0.03f, 100}, {0.05f, 50}}};

TEST(QuantizedElementwise, OperandsBroadcast) {
  struct Shapes {
    Shape a, b, made;
  };
  const Shapes shapes[] = {{{}, {}, {}},
                           {{2, 3, 70}, {}, {2, 3, 70}},
                           {{3, 1}, {2, 1, 1030}, {2, 3, 1030}},
                           {{2, 3, 5}, {3, 1}, {2, 3, 5}},
                           {{0, 3}, {3}, {0, 3}},
                           {{1}, {4, 33}, {4, 33}}};
  for (const BinaryOp& op : binary_ops) {
    for (const Shapes& each : shapes) {
      const Value a = wave(SY_UINT8, each.a), b = wave(SY_UINT8, each.b);
      const Value expected = binary_chain(op.reals, a, b, each.made, usual);
      OneNode node = binary(op.bytes, a, b, usual);
      EXPECT_EQ(as_doubles(node.output(SY_UINT8, each.made).run()), as_doubles(expected));
    }
  }
}

TEST(QuantizedElementwise, OperandsAndResultsHaveAnyStrides) {
  const Shape shape = {2, 3, 37};
  const Value a = wave(SY_INT8, shape), b = reversed(wave(SY_INT8, shape));
  const std::array<ByteNumbers, 3> numbers = {{{0.02f, 7}, {0.03f, -100}, {0.05f, 50}}};
  for (const BinaryOp& op : binary_ops) {
    const auto expected = as_doubles(binary_chain(op.reals, a, b, shape, numbers));
    for (const Value& left : {transposed(a, {2, 0, 1}), spaced(a), reversed(a)}) {
      OneNode node = binary(op.bytes, left, b, numbers);
      EXPECT_EQ(as_doubles(node.output(SY_INT8, shape, {1, 2, 6}).run()), expected);
      OneNode dense = binary(op.bytes, left, b, numbers);
      EXPECT_EQ(as_doubles(dense.hide_shapes().output(SY_INT8, shape).run()), expected);
    }
    OneNode over = binary(op.bytes, a, b, numbers);
    EXPECT_EQ(as_doubles(over.output_over(0).run()), expected);
  }
}

// ---- of each byte alone

struct UnaryOp {
  const char* bytes;
  const char* reals;
  std::optional<double> alpha;
};
const UnaryOp unary_ops[] = {{"QLinearSigmoid", "Sigmoid", {}},
                             {"QLinearLeakyRelu", "LeakyRelu", 0.3},
                             {"QLinearLeakyRelu", "LeakyRelu", -2.0}};

OneNode with_alpha(OneNode node, const UnaryOp& op) {
  if (op.alpha) node.attribute("alpha", *op.alpha);
  return node;
}

Value mapped(const UnaryOp& op, const Value& x, const ByteNumbers& from, const ByteNumbers& to,
             Shape strides = {}) {
  OneNode node = with_alpha(OneNode(op.bytes, 1, contrib), op);
  add_numbers(node.input(x), x.dtype, from);
  add_numbers(node, x.dtype, to);
  return node.output(x.dtype, x.shape, std::move(strides)).run();
}

Value unary_chain(const UnaryOp& op, const Value& x, const ByteNumbers& from,
                  const ByteNumbers& to) {
  OneNode node = with_alpha(OneNode(op.reals), op);
  node.input(dequantized(x, from)).output(SY_FLOAT32, x.shape);
  return quantized(node.run(), x.dtype, to);
}

TEST_P(OnEachProcessor, FunctionsOfEveryByteAreAsInTheChain) {
  if (!supported_) GTEST_SKIP() << "not on this processor";
  for (const UnaryOp& op : unary_ops) {
    for (const sy_dtype dtype : {SY_INT8, SY_UINT8}) {
      for (const auto& numbers : many_numbers(low_of(dtype))) {
        for (const ByteNumbers& to :
             {numbers[1], numbers[2], ByteNumbers{1 / 256.0f, low_of(dtype)}}) {
          const Value x = all_bytes(dtype);
          ASSERT_EQ(as_doubles(mapped(op, x, numbers[0], to)),
                    as_doubles(unary_chain(op, x, numbers[0], to)))
              << op.bytes << " " << described(numbers);
        }
      }
    }
  }
}

TEST(QuantizedElementwise, FunctionsTakeAnyShapeAndStrides) {
  const UnaryOp& sigmoid = unary_ops[0];
  const ByteNumbers from = {0.05f, 100}, to = {0.004f, 3};
  for (const Shape& shape : {Shape{}, Shape{0, 2}, Shape{2, 3, 40}}) {
    const Value x = wave(SY_UINT8, shape);
    const auto expected = as_doubles(unary_chain(sigmoid, x, from, to));
    EXPECT_EQ(as_doubles(mapped(sigmoid, x, from, to)), expected);
    EXPECT_EQ(as_doubles(mapped(sigmoid, spaced(x), from, to)), expected);
  }
  const Value x = wave(SY_UINT8, {2, 3, 40});
  EXPECT_EQ(as_doubles(mapped(sigmoid, reversed(x), from, to, {1, 2, 6})),
            as_doubles(unary_chain(sigmoid, x, from, to)));
}

// ---- QLinearConcat

struct Part {
  Value bytes;
  ByteNumbers numbers;
};

Value joined(const std::vector<Part>& parts, int axis, const ByteNumbers& to, const Shape& shape,
             Shape strides = {}) {
  const sy_dtype dtype = parts[0].bytes.dtype;
  OneNode node("QLinearConcat", 1, contrib);
  add_numbers(node.attribute("axis", axis), dtype, to);
  for (const Part& part : parts) add_numbers(node.input(part.bytes), dtype, part.numbers);
  return node.output(dtype, shape, std::move(strides)).run();
}

Value joined_chain(const std::vector<Part>& parts, int axis, const ByteNumbers& to,
                   const Shape& shape) {
  OneNode node("Concat");
  node.attribute("axis", axis);
  for (const Part& part : parts) node.input(dequantized(part.bytes, part.numbers));
  return quantized(node.output(SY_FLOAT32, shape).run(), parts[0].bytes.dtype, to);
}

TEST(QuantizedElementwise, EveryByteOfPartsIsAsInTheChain) {
  for (const sy_dtype dtype : {SY_INT8, SY_UINT8}) {
    for (const auto& numbers : many_numbers(low_of(dtype))) {
      if (!numbers[0].zero) continue;  // the op's zero points are required
      const Value x = all_bytes(dtype);
      const std::vector<Part> parts = {{x, numbers[0]}, {x, numbers[1]}, {x, numbers[2]}};
      for (const ByteNumbers& to : numbers) {
        ASSERT_EQ(as_doubles(joined(parts, 0, to, {768})),
                  as_doubles(joined_chain(parts, 0, to, {768})))
            << described(numbers);
      }
    }
  }
}

TEST(QuantizedElementwise, PartsLieAlongAnyAxisWithAnyStrides) {
  const ByteNumbers from = {0.02f, 7}, to = {0.03f, 9};
  const Value x = wave(SY_UINT8, {2, 3, 4}), empty = wave(SY_UINT8, {2, 0, 4});
  const std::vector<Part> parts = {{transposed(x, {2, 0, 1}), from}, {empty, to}, {spaced(x), to}};
  const Shape shape = {2, 6, 4};
  const auto expected = as_doubles(joined_chain(parts, 1, to, shape));
  EXPECT_EQ(as_doubles(joined(parts, 1, to, shape)), expected);
  EXPECT_EQ(as_doubles(joined(parts, -2, to, shape, {1, 2, 12})), expected);
}

// ---- refusals

TEST(QuantizedElementwise, OperandsOfOtherTypesAreRefused) {
  OneNode node = binary("QLinearAdd", wave(SY_UINT8, {3}), wave(SY_INT8, {3}), usual);
  const sy_verdict verdict = node.output(SY_UINT8, {3}).verdict();
  EXPECT_EQ(verdict.kind, SY_REFUSED);
  EXPECT_EQ(verdict.reason, SY_REASON_DTYPE);
}

TEST(QuantizedElementwise, ScalesOfSeveralNumbersAreInvalid) {
  OneNode node("QLinearSigmoid", 1, contrib);
  node.input(wave(SY_UINT8, {2})).input(value<float>({2}, {1, 2})).absent_input();
  add_numbers(node, SY_UINT8, usual[0]);
  node.output(SY_UINT8, {2});
  EXPECT_THROW(node.run(), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
