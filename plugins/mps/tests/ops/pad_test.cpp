#include <gtest/gtest.h>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

Shape padded(const Shape& shape, const Numbers& pads) {
  Shape result = shape;
  for (size_t i = 0; i < shape.size(); ++i) result[i] += pads[i] + pads[i + shape.size()];
  return result;
}

// Walks back into the tensor as the mode says, a step at a time.
int64_t shown(const std::string& mode, int64_t i, int64_t extent) {
  if (mode == "edge") return i < 0 ? 0 : i >= extent ? extent - 1 : i;
  while (i < 0 || i >= extent) {
    if (extent == 1) return 0;
    if (mode == "wrap") {
      i += i < 0 ? extent : -extent;
    } else {
      i = i < 0 ? -i : 2 * (extent - 1) - i;
    }
  }
  return i;
}

template <typename T>
std::vector<T> repeating(const std::string& mode, const Shape& shape, const std::vector<T>& x,
                         const Numbers& pads) {
  return made_by<T>(padded(shape, pads), [&](Shape index) {
    for (size_t i = 0; i < index.size(); ++i) index[i] = shown(mode, index[i] - pads[i], shape[i]);
    return x[flat(shape, index)];
  });
}

template <typename T>
std::vector<T> bordered(const Shape& shape, const std::vector<T>& x, const Numbers& pads, T value) {
  return made_by<T>(padded(shape, pads), [&](Shape index) {
    for (size_t i = 0; i < index.size(); ++i) {
      index[i] -= pads[i];
      if (index[i] < 0 || index[i] >= shape[i]) return value;
    }
    return x[flat(shape, index)];
  });
}

template <typename T>
class PadOf : public testing::Test {};
using PadTypes = testing::Types<float, half, int8_t, int32_t, int64_t>;
TYPED_TEST_SUITE(PadOf, PadTypes);

TYPED_TEST(PadOf, Constants) {
  const Shape shape{2, 3, 4};
  const auto x = wild<TypeParam>(24);
  const auto value = static_cast<TypeParam>(7);
  for (const Numbers& pads : {Numbers{0, 1, 2, 3, 0, 1}, Numbers{-1, 2, 0, 0, -2, -1}}) {
    Case("Pad")
        .attribute("mode", "constant")
        .input(shape, x)
        .template host<int64_t>({6}, pads)
        .template input<TypeParam>({}, {value})
        .expect(padded(shape, pads), bordered(shape, x, pads, value));
    Case("Pad")
        .attribute("mode", "constant")
        .input(shape, x)
        .template host<int64_t>({6}, pads)
        .expect(padded(shape, pads), bordered(shape, x, pads, TypeParam(0)));
  }
}

TYPED_TEST(PadOf, Repetitions) {
  const Shape shape{2, 1, 4};
  const auto x = wild<TypeParam>(8, 2);
  for (const char* mode : {"edge", "reflect", "wrap"}) {
    for (const Numbers& pads :
         {Numbers{0, 1, 2, 3, 0, 1}, Numbers{0, 0, 9, 0, 0, 11}, Numbers{-1, 0, -1, 0, 2, 2}}) {
      Case("Pad")
          .attribute("mode", mode)
          .input(shape, x)
          .template host<int64_t>({6}, pads)
          .expect(padded(shape, pads), repeating(mode, shape, x, pads));
    }
  }
}

TEST(Pad, OfSomeAxes) {
  const auto x = numbers<float>(24);
  const std::vector<float> expected = bordered<float>({2, 3, 4}, x, {2, 0, 0, 1, 0, 3}, 0);
  Case("Pad")
      .attribute("mode", "constant")
      .input<float>({2, 3, 4}, x)
      .host<int64_t>({4}, {0, 2, 3, 1})
      .no_input()
      .host<int32_t>({2}, {-1, 0})
      .expect({5, 3, 7}, expected);
}

TEST(Pad, OfNoElements) {
  Case("Pad")
      .attribute("mode", "constant")
      .input<float>({2, 0}, {})
      .host<int64_t>({4}, {0, 1, 0, 2})
      .input<float>({1}, {4})
      .expect<float>({2, 3}, {4, 4, 4, 4, 4, 4});
  EXPECT_EQ(Case("Pad")
                .attribute("mode", "edge")
                .input<float>({2, 0}, {})
                .host<int64_t>({4}, {0, 1, 0, 2})
                .output<float>({2, 3}, Floats(6))
                .failure()
                .status(),
            SY_INVALID);
}

TEST(Pad, RefusesOtherModes) {
  const sy::Failure failure = Case("Pad")
                                  .attribute("mode", "mirror")
                                  .input<float>({2}, {1, 2})
                                  .host<int64_t>({2}, {1, 1})
                                  .output<float>({4}, Floats(4))
                                  .failure();
  EXPECT_EQ(failure.reason(), SY_REASON_ATTRIBUTE);
}

}  // namespace
}  // namespace mps::op_tests
