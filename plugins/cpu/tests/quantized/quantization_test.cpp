#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

const std::vector<sy_dtype> integer_types = {SY_INT8, SY_UINT8, SY_INT16, SY_UINT16};

double lowest_of(sy_dtype dtype) {
  switch (dtype) {
    case SY_INT8: return -128;
    case SY_INT16: return -32768;
    case SY_INT4: return -8;
    case SY_INT2: return -2;
    default: return 0;
  }
}
double highest_of(sy_dtype dtype) {
  switch (dtype) {
    case SY_INT8: return 127;
    case SY_INT16: return 32767;
    case SY_UINT8: return 255;
    case SY_UINT16: return 65535;
    case SY_INT4: return 7;
    case SY_INT2: return 1;
    case SY_UINT2: return 3;
    default: return 15;
  }
}

std::vector<double> wave(int64_t count) {
  std::vector<double> made;
  for (int64_t i = 0; i < count; ++i) made.push_back(static_cast<double>(i * 37 % 101) * 0.5 - 25);
  return made;
}

// Which of the numbers of scale and zero point an element of `shape` has.
using Position = std::function<size_t(const std::vector<int64_t>& index)>;

std::vector<size_t> positions(const Shape& shape, const Position& position) {
  std::vector<size_t> made;
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t n = sy::element_count(shape); n > 0; --n) {
    made.push_back(position(index));
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
  return made;
}

struct Scheme {
  int axis, block;
  Shape number_shape;
  Position position;
};

const Shape shape = {2, 5, 3};

std::vector<Scheme> schemes() {
  return {
      {1, 0, {}, [](const auto&) { return size_t{0}; }},
      {1, 0, {5}, [](const auto& index) { return static_cast<size_t>(index[1]); }},
      {-1, 0, {3}, [](const auto& index) { return static_cast<size_t>(index[2]); }},
      {1,
       2,
       {2, 3, 3},
       [](const auto& i) { return static_cast<size_t>(i[0] * 9 + i[1] / 2 * 3 + i[2]); }},
      {1, 5, {2, 1, 3}, [](const auto& i) { return static_cast<size_t>(i[0] * 3 + i[2]); }},
      {2,
       2,
       {2, 5, 2},
       [](const auto& i) { return static_cast<size_t>(i[0] * 10 + i[1] * 2 + i[2] / 2); }},
  };
}

std::vector<double> scales(const Shape& number_shape) {
  std::vector<double> made;
  for (int64_t i = 0; i < sy::element_count(number_shape); ++i) {
    made.push_back(std::ldexp(1.0, static_cast<int>(i % 4) - 2));
  }
  return made;
}

std::vector<double> zero_points(sy_dtype dtype, const Shape& number_shape) {
  std::vector<double> made;
  for (int64_t i = 0; i < sy::element_count(number_shape); ++i) {
    made.push_back(static_cast<double>(i % 3) + (lowest_of(dtype) < 0 ? -1 : 4));
  }
  return made;
}

OneNode with_scheme(const char* op, const Scheme& scheme) {
  OneNode made(op);
  made.attribute("axis", scheme.axis).attribute("block_size", scheme.block);
  return made;
}

TEST(Quantize, EverySchemeTypeAndLayout) {
  for (const Scheme& scheme : schemes()) {
    const auto at = positions(shape, scheme.position);
    const auto scale = scales(scheme.number_shape);
    for (const sy_dtype from : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT32}) {
      for (const sy_dtype to : integer_types) {
        const auto zero = zero_points(to, scheme.number_shape);
        const Value plain = from_doubles(from, shape, wave(30));
        std::vector<double> expected;
        const auto x = as_doubles(plain);
        for (size_t i = 0; i < x.size(); ++i) {
          const double number = std::nearbyint(x[i] / scale[at[i]]) + zero[at[i]];
          expected.push_back(std::clamp(number, lowest_of(to), highest_of(to)));
        }
        const sy_dtype scale_dtype = from == SY_INT32 ? SY_FLOAT32 : from;
        for (const Value& input : layouts_of(plain)) {
          const Value output = with_scheme("QuantizeLinear", scheme)
                                   .attribute("saturate", 1)
                                   .input(input)
                                   .input(from_doubles(scale_dtype, scheme.number_shape, scale))
                                   .input(from_doubles(to, scheme.number_shape, zero))
                                   .output(to, shape)
                                   .run();
          ASSERT_EQ(as_doubles(output), expected);
        }
      }
    }
  }
}

TEST(Dequantize, EverySchemeTypeAndLayout) {
  for (const Scheme& scheme : schemes()) {
    const auto at = positions(shape, scheme.position);
    const auto scale = scales(scheme.number_shape);
    for (const sy_dtype from : {SY_INT8, SY_UINT8, SY_INT16, SY_UINT16, SY_INT32}) {
      for (const sy_dtype to : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
        const auto zero = zero_points(from, scheme.number_shape);
        const Value plain = from_doubles(from, shape, wave(30));
        std::vector<double> expected;
        const auto x = as_doubles(plain);
        for (size_t i = 0; i < x.size(); ++i)
          expected.push_back((x[i] - zero[at[i]]) * scale[at[i]]);
        for (const Value& input : layouts_of(plain)) {
          const Value output = with_scheme("DequantizeLinear", scheme)
                                   .input(input)
                                   .input(from_doubles(to, scheme.number_shape, scale))
                                   .input(from_doubles(from, scheme.number_shape, zero))
                                   .output(to, shape)
                                   .run();
          ASSERT_EQ(as_doubles(output), expected);
        }
      }
    }
  }
}

TEST(Quantize, NibblesThereAndBack) {
  for (const Scheme& scheme : schemes()) {
    const auto at = positions(shape, scheme.position);
    const auto scale = scales(scheme.number_shape);
    for (const sy_dtype dtype : {SY_INT4, SY_UINT4, SY_INT2, SY_UINT2}) {
      auto zero = zero_points(dtype, scheme.number_shape);
      for (double& number : zero) {
        number = std::clamp(number, lowest_of(dtype), highest_of(dtype));
      }
      const std::vector<int> zero_numbers(zero.begin(), zero.end());
      const Value x = from_doubles(SY_FLOAT32, shape, wave(30));
      const Value zeros = packed_integers(dtype, scheme.number_shape, zero_numbers);
      const Value numbers_of_scale = from_doubles(SY_FLOAT32, scheme.number_shape, scale);
      const Value packed = with_scheme("QuantizeLinear", scheme)
                               .input(x)
                               .input(numbers_of_scale)
                               .input(zeros)
                               .output(dtype, shape)
                               .run();
      const Value back = with_scheme("DequantizeLinear", scheme)
                             .input(packed)
                             .input(numbers_of_scale)
                             .input(zeros)
                             .output(SY_FLOAT32, shape)
                             .run();
      std::vector<int> expected;
      std::vector<double> expected_back;
      for (size_t i = 0; i < at.size(); ++i) {
        const double number =
            std::clamp(std::nearbyint(as_doubles(x)[i] / scale[at[i]]) + zero[at[i]],
                       lowest_of(dtype), highest_of(dtype));
        expected.push_back(static_cast<int>(number));
        expected_back.push_back((number - zero[at[i]]) * scale[at[i]]);
      }
      EXPECT_EQ(unpacked_integers(packed), expected);
      EXPECT_EQ(as_doubles(back), expected_back);
    }
  }
}

TEST(Quantize, FourBitFloatsInBlocksWithPowersOfTwoAsScales) {
  const Value x = value<float>({1, 4}, {3, -1.2f, 40, 0.1f});
  const Value scale = value<Float8E8M0>({1, 2}, {{127}, {129}});  // 1 and 4
  const auto node = [](const char* op) {
    OneNode made(op, 25);
    made.attribute("axis", 1).attribute("block_size", 2);
    return made;
  };
  const Value quantized =
      node("QuantizeLinear").input(x).input(scale).output(SY_FLOAT4E2M1, {1, 4}).run();
  const Value back = node("DequantizeLinear")
                         .attribute("output_dtype", SY_FLOAT32)
                         .input(quantized)
                         .input(scale)
                         .output(SY_FLOAT32, {1, 4})
                         .run();
  EXPECT_EQ(as_doubles(back), (std::vector<double>{3, -1, 24, 0}));
}

TEST(Quantize, ABlockMayBeLargerThanAnyAxis) {
  const Value quantized = OneNode("QuantizeLinear", 21)
                              .attribute("axis", 1)
                              .attribute("block_size", INT64_MAX)
                              .input(value<float>({1, 3}, {1, 2, 300}))
                              .input(value<float>({1, 1}, {2}))
                              .output(SY_UINT8, {1, 3})
                              .run();
  EXPECT_EQ(as_doubles(quantized), (std::vector<double>{0, 1, 150}));
}

TEST(Quantize, RoundsTheQuotientToThePrecisionAskedFor) {
  // From 2048 on float16 holds even numbers only.
  const auto run = [](sy_dtype precision) {
    return as_doubles(OneNode("QuantizeLinear", 25)
                          .attribute("precision", precision)
                          .input(value<float>({1}, {2051}))
                          .input(value<float>({}, {1}))
                          .input(value<int16_t>({}, {0}))
                          .output(SY_INT16, {1})
                          .run());
  };
  EXPECT_EQ(run(SY_FLOAT32), std::vector<double>{2051});
  EXPECT_EQ(run(SY_FLOAT16), std::vector<double>{2052});
}

TEST(Quantize, EightBitFloatsAndZeroPointsLeftOut) {
  const Value x = value<float>({4}, {1, -3, 1000, 0.1f});
  const Value scale = value<float>({}, {2});
  const Value quantized = OneNode("QuantizeLinear")
                              .attribute("axis", 1)
                              .attribute("saturate", 1)
                              .input(x)
                              .input(scale)
                              .input(blank(SY_FLOAT8E4M3FN, {}))
                              .output(SY_FLOAT8E4M3FN, {4})
                              .run();
  EXPECT_EQ(as_doubles(quantized),
            (std::vector<double>{0.5, -1.5, 448,
                                 static_cast<double>(to_float(convert<Float8E4M3FN>(0.05f)))}));
  EXPECT_EQ(as_doubles(OneNode("DequantizeLinear")
                           .attribute("axis", 1)
                           .input(quantized)
                           .input(scale)
                           .output(SY_FLOAT32, {4})
                           .run())[1],
            -3);
  EXPECT_EQ(as_doubles(OneNode("QuantizeLinear")
                           .attribute("axis", 1)
                           .input(x)
                           .input(scale)
                           .output(SY_UINT8, {4})
                           .run()),
            (std::vector<double>{0, 0, 255, 0}));
}

TEST(Quantize, TiesGoToEvenAndManyElements) {
  const Value ties = value<float>({6}, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f});
  EXPECT_EQ(as_doubles(OneNode("QuantizeLinear")
                           .input(ties)
                           .input(value<float>({}, {1}))
                           .input(value<int8_t>({}, {0}))
                           .output(SY_INT8, {6})
                           .run()),
            (std::vector<double>{0, 2, 2, 0, -2, -2}));
  const int64_t count = 100'003;
  const Value many = from_doubles(SY_FLOAT32, {count}, wave(count));
  const auto got = as_doubles(OneNode("QuantizeLinear")
                                  .input(many)
                                  .input(value<float>({}, {0.25f}))
                                  .input(value<uint8_t>({}, {128}))
                                  .output(SY_UINT8, {count})
                                  .run());
  const auto x = as_doubles(many);
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(got[i], std::clamp(std::nearbyint(x[i] / 0.25) + 128, 0.0, 255.0));
  }
}

// One scale for all has a loop of its own: it comes to what the loop for a scale for each row does.
TEST(Quantize, NumbersAndScalesThatAreNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> row = {0,     -0.0f,  0.5f, -0.5f, 1.5f,   infinity, -infinity, nan,
                            1e30f, -1e30f, 1e9f, -3e9f, 1e-45f, 127.5f,   -128.5f,   254.5f};
  row.push_back(255.5f);  // more than a vector holds
  const auto n = static_cast<int64_t>(row.size());
  std::vector<float> twice = row;
  twice.insert(twice.end(), row.begin(), row.end());
  for (const sy_dtype dtype : {SY_INT8, SY_UINT8}) {
    for (const float scale : {1.0f, -1.0f, 0.0f, -0.0f, infinity, nan, 1e-45f, 1e38f}) {
      for (const double zero : {0.0, 3.0, 127.0}) {
        const auto quantized = [&](const Value& x, const Value& scales, const Value& zeros) {
          OneNode node("QuantizeLinear", 13);
          node.attribute("axis", 0).input(x).input(scales).input(zeros);
          return as_doubles(node.output(dtype, x.shape).run());
        };
        const auto whole = quantized(value<float>({1, n}, row), value<float>({}, {scale}),
                                     from_doubles(dtype, {}, {zero}));
        auto rows = quantized(value<float>({2, n}, twice), value<float>({2}, {scale, scale}),
                              from_doubles(dtype, {2}, {zero, zero}));
        rows.resize(row.size());
        EXPECT_EQ(whole, rows) << "scale " << scale << ", zero point " << zero;
      }
    }
  }
}

TEST(Dequantize, KeepsEveryDigitOfInt32) {
  const Value x = value<int32_t>({2}, {16777217, 2147483647});
  EXPECT_EQ(numbers<float>(OneNode("DequantizeLinear")
                               .input(x)
                               .input(value<float>({}, {1}))
                               .input(value<int32_t>({}, {16777216}))
                               .output(SY_FLOAT32, {2})
                               .run())[0],
            1.0f);
}

TEST(Quantize, BlocksMustFitTheirScale) {
  OneNode node("QuantizeLinear");
  node.attribute("axis", 0)
      .attribute("block_size", 2)
      .input(value<float>({4}, {1, 2, 3, 4}))
      .input(value<float>({3}, {1, 1, 1}))
      .input(value<int8_t>({3}, {0, 0, 0}))
      .output(SY_INT8, {4});
  EXPECT_THROW(node.run(), sy::Failure);
}

// ONNX's own examples, and one of a constant tensor.
TEST(DynamicQuantize, OnnxExamples) {
  const auto run = [](const Value& x) {
    return OneNode("DynamicQuantizeLinear")
        .input(x)
        .output(SY_UINT8, x.shape)
        .output(SY_FLOAT32, {})
        .output(SY_UINT8, {})
        .run_all();
  };
  auto outputs = run(value<float>({6}, {0, 2, -3, -2.5f, 1.34f, 0.5f}));
  EXPECT_EQ(as_doubles(outputs[0]), (std::vector<double>{153, 255, 0, 26, 221, 179}));
  EXPECT_FLOAT_EQ(numbers<float>(outputs[1])[0], 0.0196078438f);
  EXPECT_EQ(as_doubles(outputs[2]), (std::vector<double>{153}));
  outputs = run(value<float>({6}, {-1, -2.1f, -1.3f, -2.5f, -3.34f, -4}));
  EXPECT_EQ(as_doubles(outputs[0]), (std::vector<double>{191, 121, 172, 96, 42, 0}));
  EXPECT_EQ(as_doubles(outputs[2]), (std::vector<double>{255}));
  outputs =
      run(value<float>({3, 4}, {1, 2.1f, 1.3f, 2.5f, 3.34f, 4, 1.5f, 2.6f, 3.9f, 4, 3, 2.345f}));
  EXPECT_EQ(as_doubles(outputs[0]),
            (std::vector<double>{64, 134, 83, 159, 213, 255, 96, 166, 249, 255, 191, 149}));
  outputs = run(value<float>({2}, {0, 0}));
  EXPECT_EQ(as_doubles(outputs[0]), (std::vector<double>{0, 0}));
  outputs = run(value<float>({200'000}, std::vector<float>(200'000, 51.0f)));
  EXPECT_EQ(as_doubles(outputs[0])[199'999], 255);
  EXPECT_FLOAT_EQ(numbers<float>(outputs[1])[0], 0.2f);
}

// Every byte, more and fewer than a vector holds, in any layout.
TEST(Dequantize, EveryByteOfOneScale) {
  for (const sy_dtype dtype : {SY_INT8, SY_UINT8}) {
    const int64_t least = dtype == SY_INT8 ? -128 : 0;
    const Value zero = from_doubles(dtype, {}, {7});
    for (const Shape& shape : {Shape{1}, Shape{13}, Shape{256}, Shape{2, 5, 7, 3}}) {
      std::vector<double> numbers, expected;
      for (int64_t i = 0; i < sy::element_count(shape); ++i) {
        numbers.push_back(static_cast<double>(least + i % 256));
        expected.push_back((numbers.back() - 7) * -0.375);
      }
      std::vector<Value> layouts = layouts_of(from_doubles(dtype, shape, numbers));
      if (shape.size() == 4) layouts.push_back(channels_last(layouts[0]));
      for (const Value& laid : layouts) {
        OneNode node("DequantizeLinear", 13);
        node.input(laid).input(from_doubles(SY_FLOAT32, {}, {-0.375})).input(zero);
        const Value y = node.output(SY_FLOAT32, shape).accept_strides().run();
        EXPECT_EQ(as_doubles(y), expected);
      }
    }
  }
}

}  // namespace
}  // namespace cpu::testing
