// BatchNormalization with the statistics of the batch, against the definition in double.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class BatchOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float>  ? 3e-6
                                     : std::is_same_v<T, half> ? 0x1.1p-9
                                                               : 0x1.1p-7;
  static double at(const std::vector<T>& of, size_t i) {
    return static_cast<double>(static_cast<float>(of[i]));
  }
};
TYPED_TEST_SUITE(BatchOf, Floating);

// One of more elements a channel than a group has threads, one of rank 2.
TYPED_TEST(BatchOf, IsNormalizedByItsOwnStatistics) {
  const std::vector<TypeParam> scale = {1.5f, -2.0f, 0.5f}, bias = {0.25f, 1.0f, -3.0f},
                               mean = {0.5f, -1.0f, 2.0f}, variance = {4.0f, 0.25f, 1.0f};
  const float epsilon = 1e-3f, momentum = 0.75f;
  for (const Shape& shape : {Shape{2, 3, 4, 5}, Shape{3, 3, 150}, Shape{4, 3}}) {
    const auto x = numbers<TypeParam>(count_of(shape));
    std::vector<double> sums(3), squares(3);
    const double count = static_cast<double>(count_of(shape)) / 3;
    const auto channel = [](const Shape& index) { return static_cast<size_t>(index[1]); };
    each_position(shape, [&](const Shape& index) {
      sums[channel(index)] += this->at(x, flat(shape, index)) / count;
    });
    each_position(shape, [&](const Shape& index) {
      const double distance = this->at(x, flat(shape, index)) - sums[channel(index)];
      squares[channel(index)] += distance * distance / count;
    });
    const auto y = made_by<TypeParam>(shape, [&](const Shape& index) {
      const size_t c = channel(index);
      const double distance = this->at(x, flat(shape, index)) - sums[c];
      return distance / std::sqrt(squares[c] + double{epsilon}) * this->at(scale, c) +
             this->at(bias, c);
    });
    std::vector<TypeParam> new_mean, new_variance;
    for (size_t c = 0; c < 3; ++c) {
      new_mean.push_back(static_cast<TypeParam>(this->at(mean, c) * 0.75 + sums[c] * 0.25));
      new_variance.push_back(
          static_cast<TypeParam>(this->at(variance, c) * 0.75 + squares[c] * 0.25));
    }
    for (const bool wants_running : {true, false}) {
      Case node("BatchNormalization", 15);
      node.attribute("epsilon", double{epsilon}).attribute("momentum", double{momentum});
      node.attribute("training_mode", 1).input(shape, x).input({3}, scale).input({3}, bias);
      node.input({3}, mean).input({3}, variance).output(shape, y, this->rounding);
      if (wants_running) {
        node.output({3}, new_mean, this->rounding).output({3}, new_variance, this->rounding);
      }
      node.check();
    }
  }
}

TEST(Batch, RefusesTypesThatDiffer) {
  const std::vector<half> of_channel = {1.0f};
  Case node("BatchNormalization", 15);
  node.attribute("training_mode", 1).input<float>({2, 1}, {1, 2});
  for (int i = 0; i < 4; ++i) node.input({1}, of_channel);
  const std::string message = node.output<float>({2, 1}, {0, 0}).failure().what();
  EXPECT_NE(message.find("tensors of one type"), std::string::npos) << message;
}

}  // namespace
}  // namespace mps::op_tests
