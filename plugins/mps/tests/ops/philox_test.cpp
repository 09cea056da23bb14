// Random numbers from a seed and an offset that lie on the device, against Philox4x32-10 and the
// formulas of plugin-api/switchyard-ops.md.
#include <gtest/gtest.h>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"
#include "ops/philox.hpp"

namespace mps::op_tests {
namespace {

// Of more than 32 bits both; with the last one the sum with a block's number wraps.
struct PhiloxStream {
  int64_t seed;
  int64_t offset;
  uint64_t key() const { return static_cast<uint64_t>(seed); }
  uint64_t first() const { return static_cast<uint64_t>(offset); }
};
constexpr PhiloxStream streams[] = {{0, 0}, {0x123456789abcdef0, 0x7fffffffe}, {-5, -3}};

Case draw(const char* op, const Shape& shape, const PhiloxStream& stream) {
  Case made(op, 1);
  made.domain("switchyard").host({static_cast<int64_t>(shape.size())}, shape);
  made.input<int64_t>({}, {stream.seed}).input<int64_t>({}, {stream.offset});
  return made;
}

template <typename T>
class PhiloxOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float>  ? 5e-7
                                     : std::is_same_v<T, half> ? 1e-3
                                                               : 8e-3;
};
TYPED_TEST_SUITE(PhiloxOf, Floating);

// Bit by bit.
TYPED_TEST(PhiloxOf, UniformNumbers) {
  for (const PhiloxStream& stream : streams) {
    for (const int64_t count : {1, 4, 7, 1001}) {
      draw("PhiloxUniform", {count}, stream)
          .expect({count}, elements<TypeParam>(count, [&](size_t i) {
                    return uniform(i, stream.key(), stream.first());
                  }));
    }
    const auto expected = elements<TypeParam>(30, [&](size_t i) {
      return uniform(i, stream.key(), stream.first()) * (4.1f - -2.3f) + -2.3f;
    });
    draw("PhiloxUniform", {2, 3, 5}, stream)
        .attribute("low", -2.3)
        .attribute("high", 4.1)
        .expect({2, 3, 5}, expected);
  }
}

TYPED_TEST(PhiloxOf, NormalNumbers) {
  for (const PhiloxStream& stream : streams) {
    for (const int64_t count : {1, 2, 5, 1001}) {
      draw("PhiloxNormal", {count}, stream)
          .expect({count},
                  elements<TypeParam>(
                      count, [&](size_t i) { return normal(i, stream.key(), stream.first()); }),
                  this->rounding);
    }
    draw("PhiloxNormal", {3, 4}, stream)
        .attribute("mean", 5.0)
        .attribute("scale", 0.5)
        .expect({3, 4},
                elements<TypeParam>(
                    12, [&](size_t i) { return 5 + normal(i, stream.key(), stream.first()) / 2; }),
                this->rounding);
  }
}

template <typename T>
class PhiloxIntegersOf : public testing::Test {};
using Numbered = testing::Types<float, half, bfloat, int8_t, uint8_t, int16_t, uint16_t, int32_t,
                                uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(PhiloxIntegersOf, Numbered);

__extension__ using Wide = unsigned __int128;

int64_t integer(size_t i, const PhiloxStream& stream, int64_t low, int64_t high) {
  const Block block = philox(stream.first() + i / 2, stream.key());
  const uint64_t bits = uint64_t{block[2 * (i % 2) + 1]} << 32 | block[2 * (i % 2)];
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  const auto product = static_cast<Wide>(bits) * range;
  return static_cast<int64_t>(static_cast<uint64_t>(low) + static_cast<uint64_t>(product >> 64));
}

TYPED_TEST(PhiloxIntegersOf, FromLowUpToHigh) {
  struct Bounds {
    int64_t low, high;
  };
  for (const Bounds& bounds : {Bounds{0, 10}, Bounds{-3, 4}, Bounds{41, 42}}) {
    for (const PhiloxStream& stream : streams) {
      const Shape shape{3, 7};
      draw("PhiloxInteger", shape, stream)
          .template input<int64_t>({}, {bounds.low})
          .template input<int64_t>({}, {bounds.high})
          .expect(shape, elements<TypeParam>(21, [&](size_t i) {
                    return integer(i, stream, bounds.low, bounds.high);
                  }));
    }
  }
}

TEST(PhiloxIntegers, OfTheWholeRange) {
  constexpr auto least = std::numeric_limits<int64_t>::min();
  constexpr auto most = std::numeric_limits<int64_t>::max();
  draw("PhiloxInteger", {513}, streams[1])
      .input<int64_t>({}, {least})
      .input<int64_t>({}, {most})
      .expect({513}, elements<int64_t>(
                         513, [&](size_t i) { return integer(i, streams[1], least, most); }));
}

TEST(PhiloxIntegers, ThereMustBeOne) {
  const auto failure = draw("PhiloxInteger", {9}, streams[0])
                           .input<int64_t>({}, {4})
                           .input<int64_t>({}, {4})
                           .output<int64_t>({9}, Numbers(9))
                           .failure();
  EXPECT_NE(std::string(failure.what()).find("there is no integer from low up to"),
            std::string::npos)
      << failure.what();
}

// Before anything runs, where the bounds are known: only then can the message tell them.
TEST(PhiloxIntegers, ThereMustBeOneBetweenKnownBounds) {
  const auto drawn = [](int64_t low, int64_t high) {
    Case made = draw("PhiloxInteger", {3}, streams[0]);
    made.constant<int64_t>({}, {low}).constant<int64_t>({}, {high});
    return made;
  };
  const auto failure = drawn(4, -2).output<int64_t>({3}, Numbers(3)).failure();
  EXPECT_EQ(failure.status(), SY_INVALID);
  EXPECT_STREQ(failure.what(), "PhiloxInteger: there is no integer from 4 up to, but not, -2");
  drawn(-2, 4).expect(
      {3}, elements<int64_t>(3, [&](size_t i) { return integer(i, streams[0], -2, 4); }));
}

TEST(PhiloxNumbers, NothingToDraw) {
  draw("PhiloxUniform", {0, 3}, streams[1]).expect<float>({0, 3}, {});
  draw("PhiloxNormal", {}, streams[0]).expect<float>({}, {static_cast<float>(normal(0, 0))}, 5e-7);
}

}  // namespace
}  // namespace mps::op_tests
