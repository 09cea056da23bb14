#include <gtest/gtest.h>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

// The mean and the variance of the elements that `belongs` names.
struct Moments {
  double mean = 0, variance = 0;
};

template <typename T, typename Belongs>
Moments moments_of(const Shape& shape, const std::vector<T>& x, Belongs&& belongs) {
  double count = 0, sum = 0, squares = 0;
  each_position(shape, [&](const Shape& at) {
    if (!belongs(at)) return;
    sum += static_cast<double>(x[flat(shape, at)]);
    ++count;
  });
  each_position(shape, [&](const Shape& at) {
    if (!belongs(at)) return;
    const double distance = static_cast<double>(x[flat(shape, at)]) - sum / count;
    squares += distance * distance;
  });
  return {sum / count, squares / count};
}

template <typename T>
class MomentsOf : public testing::Test {
 protected:
  static constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 4e-3;
  static constexpr double epsilon = 0.01;
};
TYPED_TEST_SUITE(MomentsOf, FloatAndHalf);

TYPED_TEST(MomentsOf, Layers) {
  const Shape shape{2, 3, 4, 5};
  const auto x = numbers<TypeParam>(120);
  for (const int64_t axis : {0, 2, -1}) {
    const size_t first = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    const Shape line(shape.begin() + static_cast<std::ptrdiff_t>(first), shape.end());
    Shape left = shape;
    std::fill(left.begin() + static_cast<std::ptrdiff_t>(first), left.end(), 1);
    const auto scale = numbers<TypeParam>(count_of(line), 2);
    const auto bias = numbers<TypeParam>(count_of(line), 3);
    const auto moments = [&](const Shape& of) {
      return moments_of(shape, x, [&](const Shape& at) {
        return std::equal(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(first), of.begin());
      });
    };
    for (const bool has_bias : {true, false}) {
      const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
        const Moments of = moments(at);
        const Shape within(at.begin() + static_cast<std::ptrdiff_t>(first), at.end());
        const size_t position = flat(line, within);
        const double normal = (static_cast<double>(x[flat(shape, at)]) - of.mean) /
                              std::sqrt(of.variance + this->epsilon);
        return normal * static_cast<double>(scale[position]) +
               (has_bias ? static_cast<double>(bias[position]) : 0);
      });
      Case node("LayerNormalization", 17);
      node.attribute("axis", axis).attribute("epsilon", this->epsilon).attribute("stash_type", 1);
      node.input(shape, x).input(line, scale);
      if (has_bias) node.input(line, bias);
      node.output(shape, expected, this->tolerance);
      if (has_bias) {
        node.output(left, made_by<float>(left, [&](const Shape& at) { return moments(at).mean; }),
                    1e-5);
      } else {
        node.no_output();
      }
      node.output(left,
                  made_by<float>(left,
                                 [&](const Shape& at) {
                                   return 1 / std::sqrt(moments(at).variance + this->epsilon);
                                 }),
                  1e-5);
      node.check();
    }
  }
}

// Both: with one group a channel, and with several channels a group.
TYPED_TEST(MomentsOf, Channels) {
  const Shape shape{2, 6, 3, 5};
  const auto x = numbers<TypeParam>(180, 4);
  const auto scale = numbers<TypeParam>(6, 5), bias = numbers<TypeParam>(6, 6);
  for (const int64_t together : {1, 3, 6}) {
    const auto expected = made_by<TypeParam>(shape, [&](const Shape& at) {
      const Moments of = moments_of(shape, x, [&](const Shape& other) {
        return other[0] == at[0] && other[1] / together == at[1] / together;
      });
      const auto channel = static_cast<size_t>(at[1]);
      const double normal = (static_cast<double>(x[flat(shape, at)]) - of.mean) /
                            std::sqrt(of.variance + this->epsilon);
      return normal * static_cast<double>(scale[channel]) + static_cast<double>(bias[channel]);
    });
    const bool is_instance = together == 1;
    Case node(is_instance ? "InstanceNormalization" : "GroupNormalization", is_instance ? 6 : 21);
    node.attribute("epsilon", this->epsilon);
    if (!is_instance) node.attribute("num_groups", 6 / together).attribute("stash_type", 1);
    node.input(shape, x)
        .template input<TypeParam>({6}, scale)
        .template input<TypeParam>({6}, bias)
        .expect(shape, expected, this->tolerance);
  }
}

TYPED_TEST(MomentsOf, AnyAxes) {
  const Shape shape{3, 2, 4};
  const auto x = numbers<TypeParam>(24, 7);
  Case("MeanVarianceNormalization", 13)
      .attribute("axes", Numbers{0, -1})
      .input(shape, x)
      .expect(shape,
              made_by<TypeParam>(shape,
                                 [&](const Shape& at) {
                                   const Moments of = moments_of(shape, x, [&](const Shape& other) {
                                     return other[1] == at[1];
                                   });
                                   return (static_cast<double>(x[flat(shape, at)]) - of.mean) /
                                          (std::sqrt(of.variance) + 1e-9);
                                 }),
              this->tolerance);
}

TEST(Moments, LinesOfWildNumbersAreNaN) {
  Case("LayerNormalization", 17)
      .attribute("axis", -1)
      .attribute("epsilon", 1e-5)
      .attribute("stash_type", 1)
      .input<float>({2, 2}, {1, NAN, 3, 5})
      .input<float>({2}, {1, 1})
      .expect<float>({2, 2}, {NAN, NAN, -1, 1}, 1e-4);
}

// As of an infinite variance, though no float holds the square of what the mean lacks either.
TEST(Moments, LinesTooLargeToSquareAreZero) {
  std::vector<float> x(96, 1);
  x[51] = 1e30f;
  Case("LayerNormalization", 17)
      .attribute("axis", -1)
      .attribute("epsilon", 1e-5)
      .attribute("stash_type", 1)
      .input<float>({1, 96}, x)
      .input<float>({96}, std::vector<float>(96, 1))
      .expect<float>({1, 96}, std::vector<float>(96));
}

TEST(Moments, OfNoElements) {
  Case("LayerNormalization", 17)
      .attribute("axis", -1)
      .attribute("epsilon", 1e-5)
      .attribute("stash_type", 1)
      .input<float>({2, 0}, {})
      .input<float>({0}, {})
      .output<float>({2, 0}, {})
      .output<float>({2, 1}, {NAN, NAN})
      .check();
}

TEST(Moments, RefusesTensorsWithoutChannels) {
  EXPECT_EQ(Case("InstanceNormalization", 6)
                .attribute("epsilon", 1e-5)
                .input<float>({1}, {1})
                .input<float>({1}, {1})
                .input<float>({1}, {1})
                .output<float>({1}, {1})
                .failure()
                .reason(),
            SY_REASON_RANK);
}

}  // namespace
}  // namespace mps::op_tests
