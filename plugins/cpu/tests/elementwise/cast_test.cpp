#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "types/dispatch.hpp"

namespace cpu::testing {
namespace {

const std::vector<sy_dtype> byte_dtypes = {
    SY_FLOAT32, SY_FLOAT64,      SY_FLOAT16,        SY_BFLOAT16,   SY_INT8,          SY_INT16,
    SY_INT32,   SY_INT64,        SY_UINT8,          SY_UINT16,     SY_UINT32,        SY_UINT64,
    SY_BOOL,    SY_FLOAT8E4M3FN, SY_FLOAT8E4M3FNUZ, SY_FLOAT8E5M2, SY_FLOAT8E5M2FNUZ};

Value cast(const Value& input, sy_dtype to) {
  return OneNode("Cast")
      .attribute("to", to)
      .attribute("saturate", 1)
      .input(input)
      .output(to, input.shape)
      .run();
}

TEST(Cast, EveryPairKeepsSmallNumbers) {
  const std::vector<double> elements = {0, 1, 2, 3, 4, 6, 8, 12, 16};
  for (const sy_dtype from : byte_dtypes) {
    for (const sy_dtype to : byte_dtypes) {
      const Value plain = from_doubles(from, {3, 3}, elements);
      const std::vector<double> kept = as_doubles(plain);
      for (const Value& input : layouts_of(plain)) {
        const std::vector<double> got = as_doubles(cast(input, to));
        for (size_t i = 0; i < got.size(); ++i) {
          const double want = to == SY_BOOL ? (kept[i] != 0 ? 1 : 0) : kept[i];
          ASSERT_EQ(got[i], want) << sy::dtype_name(from) << " to " << sy::dtype_name(to);
        }
      }
    }
  }
}

TEST(Cast, EveryPairThatConvertsAsNumericDoes) {
  std::vector<double> elements;
  for (int i = -700; i < 700; ++i) elements.push_back(i * 0.73 * std::abs(i));
  const Shape shape = {static_cast<int64_t>(elements.size())};
  for (const sy_dtype from :
       {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16, SY_INT32, SY_INT64}) {
    for (const sy_dtype to : byte_dtypes) {
      const Value input = from_doubles(from, shape, elements);
      const std::vector<double> got = as_doubles(cast(input, to));
      visit_dtype(ByteTypes{}, from, [&](auto a) {
        const auto wide = numbers<decltype(a)>(input);
        visit_dtype(ByteTypes{}, to, [&](auto b) {
          for (size_t i = 0; i < wide.size(); ++i) {
            const double want =
                static_cast<double>(widen(convert<decltype(b)>(static_cast<decltype(a)>(wide[i]))));
            if (std::isnan(want) && std::isnan(got[i])) continue;
            ASSERT_EQ(got[i], want) << sy::dtype_name(from) << " to " << sy::dtype_name(to);
          }
        });
      });
    }
  }
}

TEST(Cast, VectorsRoundEveryFloatAsScalarsDo) {
  std::vector<float> inputs;
  for (uint64_t bits = 0; bits < 0x1'0000'0000; bits += 4093) {
    inputs.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  const Value input = value<float>({static_cast<int64_t>(inputs.size())}, inputs);
  const auto halves = numbers<Float16>(cast(input, SY_FLOAT16));
  const auto brains = numbers<BFloat16>(cast(input, SY_BFLOAT16));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_EQ(halves[i].bits, to_float16(inputs[i]).bits) << inputs[i];
    ASSERT_EQ(brains[i].bits, to_bfloat16(inputs[i]).bits) << inputs[i];
  }
}

TEST(Cast, VectorsWidenEveryHalfAsScalarsDo) {
  std::vector<Float16> halves;
  std::vector<BFloat16> brains;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back({static_cast<uint16_t>(bits)});
    brains.push_back({static_cast<uint16_t>(bits)});
  }
  const auto from_halves = numbers<float>(cast(value<Float16>({0x10000}, halves), SY_FLOAT32));
  const auto from_brains = numbers<float>(cast(value<BFloat16>({0x10000}, brains), SY_FLOAT32));
  for (size_t i = 0; i < halves.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(from_halves[i]),
              std::bit_cast<uint32_t>(to_float(halves[i])));
    ASSERT_EQ(std::bit_cast<uint32_t>(from_brains[i]),
              std::bit_cast<uint32_t>(to_float(brains[i])));
  }
}

TEST(Cast, LongRowsOfBools) {
  std::vector<double> elements;
  for (int i = 0; i < 53; ++i) elements.push_back(i % 3 == 0 ? 1 : 0);
  EXPECT_EQ(as_doubles(cast(from_doubles(SY_BOOL, {53}, elements), SY_FLOAT32)), elements);
}

TEST(Cast, TwoBitsAByteAtATime) {
  EXPECT_EQ(unpacked_integers(cast(value<float>({5}, {-20, -1.9f, 0.5f, 1, 100}), SY_INT2)),
            (std::vector<int>{0, -1, 0, 1, 0}));
  EXPECT_EQ(unpacked_integers(cast(value<int32_t>({3}, {3, 4, 5}), SY_UINT2)),
            (std::vector<int>{3, 0, 1}));
  EXPECT_EQ(as_doubles(cast(packed_integers(SY_INT2, {5}, {1, -2, 0, -1, 1}), SY_FLOAT32)),
            (std::vector<double>{1, -2, 0, -1, 1}));
  EXPECT_EQ(unpacked_integers(cast(packed_integers(SY_INT4, {3}, {1, -2, 7}), SY_UINT2)),
            (std::vector<int>{1, 2, 3}));
  std::vector<int> many;
  for (int i = 0; i < 4003; ++i) many.push_back(i % 4);
  EXPECT_EQ(unpacked_integers(cast(packed_integers(SY_UINT2, {4003}, many), SY_UINT2)), many);
  EXPECT_EQ(cast(packed_integers(SY_UINT2, {0, 3}, {}), SY_FLOAT32).size(), 0);
}

TEST(Cast, FourBitFloatsTakeTheNearestOfEight) {
  const Value input = value<double>({9}, {0, 0.25, 0.2500001, 2.5, 3.5, 5, 1e300, -1.75, -6});
  EXPECT_EQ(as_doubles(cast(cast(input, SY_FLOAT4E2M1), SY_FLOAT32)),
            (std::vector<double>{0, 0, 0.5, 2, 4, 4, 6, -2, -6}));
  EXPECT_EQ(unpacked_integers(cast(value<float>({1}, {NAN}), SY_FLOAT4E2M1)), std::vector<int>{8});
}

TEST(Cast, PowersOfTwoRoundAsTheNodeSays) {
  const std::vector<float> numbers_given = {1, 3, 2.5f, 0, INFINITY, NAN, 1e-45f, 3e38f};
  const auto run = [&](const char* mode, int saturate) {
    const auto powers = numbers<Float8E8M0>(OneNode("Cast")
                                                .attribute("to", SY_FLOAT8E8M0)
                                                .attribute("saturate", saturate)
                                                .attribute("round_mode", mode)
                                                .input(value<float>({8}, numbers_given))
                                                .output(SY_FLOAT8E8M0, {8})
                                                .run());
    std::vector<uint8_t> codes;
    for (const Float8E8M0 power : powers) codes.push_back(power.bits);
    return codes;
  };
  using Codes = std::vector<uint8_t>;
  EXPECT_EQ(run("up", 1), (Codes{127, 129, 129, 0, 254, 255, 0, 254}));
  EXPECT_EQ(run("down", 1), (Codes{127, 128, 128, 0, 254, 255, 0, 254}));
  EXPECT_EQ(run("nearest", 0), (Codes{127, 129, 128, 255, 255, 255, 255, 255}));
  OneNode sideways("Cast");
  sideways.attribute("to", SY_FLOAT8E8M0).attribute("round_mode", "sideways");
  sideways.input(value<float>({1}, {1})).output(SY_FLOAT8E8M0, {1});
  EXPECT_THROW(sideways.run(), sy::Failure);
}

TEST(Cast, SaturationIsAChoiceForEightBitFloats) {
  const Value big = value<float>({2}, {1e9f, -1e9f});
  const auto run = [&](int saturate) {
    return numbers<Float8E4M3FN>(OneNode("Cast")
                                     .attribute("to", SY_FLOAT8E4M3FN)
                                     .attribute("saturate", saturate)
                                     .input(big)
                                     .output(SY_FLOAT8E4M3FN, {2})
                                     .run());
  };
  EXPECT_EQ(run(1)[0].bits, 0x7e);
  EXPECT_EQ(run(1)[1].bits, 0xfe);
  EXPECT_EQ(run(0)[0].bits, 0x7f);
  EXPECT_EQ(run(0)[1].bits, 0xff);
}

TEST(Cast, NibblesBothWays) {
  const std::vector<int> signed_numbers = {-8, -1, 0, 3, 7};
  const Value packed = packed_integers(SY_INT4, {5}, signed_numbers);
  EXPECT_EQ(as_doubles(cast(packed, SY_FLOAT32)), (std::vector<double>{-8, -1, 0, 3, 7}));
  EXPECT_EQ(as_doubles(cast(packed, SY_INT64)), (std::vector<double>{-8, -1, 0, 3, 7}));
  EXPECT_EQ(unpacked_integers(cast(value<float>({5}, {-20, -1.9f, 0.5f, 3, 100}), SY_INT4)),
            (std::vector<int>{-4, -1, 0, 3, 4}));
  EXPECT_EQ(unpacked_integers(cast(value<int32_t>({3}, {15, 16, 17}), SY_UINT4)),
            (std::vector<int>{15, 0, 1}));
  EXPECT_EQ(unpacked_integers(cast(packed_integers(SY_UINT4, {3}, {1, 9, 15}), SY_UINT4)),
            (std::vector<int>{1, 9, 15}));
  std::vector<int> many;
  for (int i = 0; i < 40'001; ++i) many.push_back(i % 16);
  const Value long_row = packed_integers(SY_UINT4, {40'001}, many);
  EXPECT_EQ(unpacked_integers(cast(cast(long_row, SY_FLOAT16), SY_UINT4)), many);
}

TEST(Cast, LikeTakesTheOutputsType) {
  const Value x = value<float>({2}, {1.5f, -2.5f});
  EXPECT_EQ(
      numbers<int32_t>(
          OneNode("CastLike").input(x).input(value<int32_t>({1}, {0})).output(SY_INT32, {2}).run()),
      (std::vector<int32_t>{1, -2}));
  EXPECT_EQ(unpacked_integers(OneNode("CastLike")
                                  .input(x)
                                  .input(packed_integers(SY_INT4, {1}, {0}))
                                  .output(SY_INT4, {2})
                                  .run()),
            (std::vector<int>{1, -2}));
}

}  // namespace
}  // namespace cpu::testing
