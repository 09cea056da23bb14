// BitCast, TensorScatter, Col2Im and CenterCropPad: elements read otherwise, or put elsewhere.
#include <gtest/gtest.h>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

TEST(BitCast, KeepsEveryBit) {
  const Value floats = value<float>({2, 2}, {1, -2, 0, INFINITY});
  for (const Value& input : layouts_of(floats)) {
    const Value bits = OneNode("BitCast", 26)
                           .attribute("to", SY_INT32)
                           .input(input)
                           .output(SY_INT32, {2, 2})
                           .run();
    EXPECT_EQ(numbers<int32_t>(bits),
              (std::vector<int32_t>{0x3f800000, static_cast<int32_t>(0xc0000000), 0, 0x7f800000}));
  }
  const Value packed = OneNode("BitCast", 26)
                           .attribute("to", SY_UINT4)
                           .input(packed_integers(SY_INT4, {3}, {-1, -8, 7}))
                           .output(SY_UINT4, {3})
                           .run();
  EXPECT_EQ(unpacked_integers(packed), (std::vector<int>{15, 8, 7}));
  EXPECT_EQ(OneNode("BitCast", 26)
                .attribute("to", SY_UINT16)
                .input(from_doubles(SY_FLOAT16, {0, 2}, {}))
                .output(SY_UINT16, {0, 2})
                .run()
                .size(),
            0);
  EXPECT_EQ(numbers<uint8_t>(OneNode("BitCast", 26)
                                 .attribute("to", SY_UINT8)
                                 .input(value<int8_t>({}, {-1}))
                                 .output(SY_UINT8, {})
                                 .run()),
            std::vector<uint8_t>{255});
}

OneNode scatter(const Value& cache, const Value& update, const char* mode,
                const std::vector<int64_t>& positions) {
  OneNode node("TensorScatter", 24);
  node.attribute("axis", 1).attribute("mode", mode).input(cache).input(update);
  node.input(integers(positions)).output(cache.dtype, cache.shape);
  return node;
}

TEST(TensorScatter, WritesEachSampleFromItsOwnPosition) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_INT8, SY_FLOAT16, SY_FLOAT64}) {
    const Value cache = from_doubles(dtype, {2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const Value update = from_doubles(dtype, {2, 2, 2}, {20, 21, 22, 23, 24, 25, 26, 27});
    EXPECT_EQ(as_doubles(scatter(cache, update, "linear", {1, 0}).run()),
              (Numbers{0, 1, 20, 21, 22, 23, 24, 25, 26, 27, 10, 11}));
    EXPECT_EQ(as_doubles(scatter(cache, update, "circular", {2, -1}).run()),
              (Numbers{22, 23, 2, 3, 20, 21, 26, 27, 8, 9, 24, 25}));
    EXPECT_THROW(scatter(cache, update, "linear", {2, 0}).run(), sy::Failure);
    EXPECT_THROW(scatter(cache, update, "linear", {-1, 0}).run(), sy::Failure);
    EXPECT_THROW(scatter(cache, update, "linear", {INT64_MAX, 0}).run(), sy::Failure);
  }
  const Value nothing = from_doubles(SY_FLOAT32, {0, 3, 2}, {});
  EXPECT_EQ(scatter(nothing, from_doubles(SY_FLOAT32, {0, 1, 2}, {}), "linear", {}).run().size(),
            0);
}

TEST(Col2Im, AddsUpBlocksThatOverlap) {
  // Blocks of 1 x 2 that slide over 1 x 3: the middle is in both.
  for (const sy_dtype dtype : {SY_FLOAT32, SY_INT32, SY_FLOAT16, SY_FLOAT64}) {
    for (const Value& columns : layouts_of(from_doubles(dtype, {1, 2, 2}, {1, 2, 3, 4}))) {
      EXPECT_EQ(as_doubles(OneNode("Col2Im", 18)
                               .input(columns)
                               .host_input(integers({1, 3}))
                               .host_input(integers({1, 2}))
                               .output(dtype, {1, 1, 1, 3})
                               .run()),
                (Numbers{1, 5, 4}));
    }
  }
  EXPECT_EQ(as_doubles(OneNode("Col2Im", 18)
                           .attribute("strides", std::vector<int64_t>{2})
                           .attribute("pads", std::vector<int64_t>{1, 0})
                           .input(from_doubles(SY_FLOAT32, {1, 2, 2}, {1, 2, 3, 4}))
                           .host_input(integers({3}))
                           .host_input(integers({2}))
                           .output(SY_FLOAT32, {1, 1, 3})
                           .run()),
            (Numbers{3, 2, 4}));
  OneNode wrong("Col2Im", 18);
  wrong.input(from_doubles(SY_FLOAT32, {1, 2, 2}, {1, 2, 3, 4}));
  wrong.host_input(integers({1, 4})).host_input(integers({1, 2}));
  wrong.output(SY_FLOAT32, {1, 1, 1, 4});
  EXPECT_THROW(wrong.run(), sy::Failure);
}

TEST(CenterCropPad, CutsAndAddsTheOddElementAtTheEnd) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_INT64, SY_UINT8, SY_FLOAT16}) {
    const Value x = from_doubles(dtype, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    for (const Value& input : layouts_of(x)) {
      EXPECT_EQ(as_doubles(OneNode("CenterCropPad", 18)
                               .input(input)
                               .host_input(integers({1, 5}))
                               .output(dtype, {1, 5})
                               .run()),
                (Numbers{0, 3, 4, 0, 0}));
    }
  }
  EXPECT_EQ(as_doubles(OneNode("CenterCropPad", 18)
                           .input(from_doubles(SY_FLOAT32, {0}, {}))
                           .host_input(integers({2}))
                           .output(SY_FLOAT32, {2})
                           .run()),
            (Numbers{0, 0}));
}

TEST(Dropout, InTrainingDropsAsManyAsTheRatioSays) {
  const Value x = from_doubles(SY_FLOAT32, {100, 100}, Numbers(10'000, 2));
  const auto run = [&](float ratio, int64_t seed) {
    return OneNode("Dropout", 22)
        .attribute("seed", seed)
        .input(x)
        .input(value<float>({}, {ratio}))
        .input(from_doubles(SY_BOOL, {}, {1}))
        .output(SY_FLOAT32, x.shape)
        .output(SY_BOOL, x.shape)
        .run_all();
  };
  const std::vector<Value> outputs = run(0.25f, 7);
  const Numbers y = as_doubles(outputs[0]), kept = as_doubles(outputs[1]);
  double count = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    count += kept[i];
    ASSERT_NEAR(y[i], kept[i] * 2 / 0.75, 1e-6);
  }
  EXPECT_NEAR(count, 7500, 200);
  EXPECT_EQ(as_doubles(run(0.25f, 7)[0]), y);
  EXPECT_NE(as_doubles(run(0.25f, 8)[0]), y);
  EXPECT_EQ(as_doubles(run(1, 7)[0]), Numbers(10'000, 0));
  EXPECT_THROW(run(1.5f, 7), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
