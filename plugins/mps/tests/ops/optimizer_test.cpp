// Optimizer steps against the formulas of plugin-api/switchyard-ops.md in double, into memory of
// their own and in place.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

constexpr int64_t count = 60;
const Shape shape{3, 4, 5};

template <typename T>
class StepOf : public testing::Test {
 protected:
  static constexpr double rounding = std::is_same_v<T, float>  ? 1e-6
                                     : std::is_same_v<T, half> ? 0x1.1p-10
                                                               : 0x1.1p-8;

  static double at(const std::vector<T>& numbers, size_t i) {
    return static_cast<double>(static_cast<float>(numbers[i]));
  }
  const std::vector<T> parameter_ = numbers<T>(count), gradient_ = numbers<T>(count, 2),
                       first_ = numbers<T>(count, 3);
  // Not negative.
  const std::vector<T> second_ = [] {
    auto made = numbers<T>(count, 4);
    for (T& number : made) number = static_cast<T>(std::fabs(static_cast<float>(number)));
    return made;
  }();
  std::vector<T> wanted_[3];

  void want(size_t output, double number) { wanted_[output].push_back(static_cast<T>(number)); }

  // Both ways; a step's state follows its gradient.
  void check(const std::function<Case()>& step, size_t outputs) const {
    Case apart = step(), within = step();
    for (size_t i = 0; i < outputs; ++i) {
      apart.output(shape, wanted_[i], rounding);
      within.output(shape, wanted_[i], rounding).in_place_of(i == 0 ? 0 : i + 1);
    }
    apart.check();
    within.check();
  }
};
TYPED_TEST_SUITE(StepOf, Floating);

TYPED_TEST(StepOf, GradientDescent) {
  for (const float decay : {0.0f, 0.125f}) {
    const float rate = 0.3f;
    this->wanted_[0].clear();
    for (size_t i = 0; i < count; ++i) {
      const double old = this->at(this->parameter_, i);
      this->want(0, old - double{rate} * (this->at(this->gradient_, i) + double{decay} * old));
    }
    this->check(
        [&] {
          Case step("SgdStep", 1);
          step.domain("switchyard").attribute("weight_decay", double{decay});
          step.input(shape, this->parameter_).input(shape, this->gradient_);
          step.template input<float>({}, {rate});
          return step;
        },
        1);
  }
}

TYPED_TEST(StepOf, Momentum) {
  const float rate = 0.2f, dampening = 0.25f, momentum = 0.9f, decay = 0.01f;
  for (const bool nesterov : {false, true}) {
    for (auto& wanted : this->wanted_) wanted.clear();
    for (size_t i = 0; i < count; ++i) {
      const double old = this->at(this->parameter_, i);
      const double gradient = this->at(this->gradient_, i) + double{decay} * old;
      const double moved =
          double{momentum} * this->at(this->first_, i) + (1 - double{dampening}) * gradient;
      this->want(0, old - double{rate} * (nesterov ? gradient + double{momentum} * moved : moved));
      this->want(1, moved);
    }
    this->check(
        [&] {
          Case step("MomentumStep", 1);
          step.domain("switchyard").attribute("weight_decay", double{decay});
          step.attribute("momentum", double{momentum}).attribute("nesterov", nesterov ? 1 : 0);
          step.input(shape, this->parameter_).input(shape, this->gradient_);
          step.input(shape, this->first_);
          step.template input<float>({}, {rate}).template input<float>({}, {dampening});
          return step;
        },
        2);
  }
}

TYPED_TEST(StepOf, Adam) {
  const double rate = 0.01f, decay = 0.1f, gain1 = 0.1f, gain2 = 0.001f, epsilon = 1e-4f;
  const float corrections[] = {0.271f, 0.002997001f};
  for (const bool decoupled : {false, true}) {
    for (auto& wanted : this->wanted_) wanted.clear();
    for (size_t i = 0; i < count; ++i) {
      const double old = this->at(this->parameter_, i), given = this->at(this->gradient_, i);
      const double gradient = decoupled ? given : given + decay * old;
      const double mean = this->at(this->first_, i), power = this->at(this->second_, i);
      const double new_mean = mean + gain1 * (gradient - mean);
      const double new_power = (1 - gain2) * power + gain2 * gradient * gradient;
      const double divisor = std::sqrt(new_power) / std::sqrt(double{corrections[1]}) + epsilon;
      const double kept = decoupled ? old * (1 - rate * decay) : old;
      this->want(0, kept - rate / double{corrections[0]} * new_mean / divisor);
      this->want(1, new_mean);
      this->want(2, new_power);
    }
    this->check(
        [&] {
          Case step("AdamStep", 1);
          step.domain("switchyard").attribute("weight_decay", decay);
          step.attribute("gain1", gain1).attribute("gain2", gain2).attribute("epsilon", epsilon);
          step.attribute("decoupled", decoupled ? 1 : 0);
          step.input(shape, this->parameter_).input(shape, this->gradient_);
          step.input(shape, this->first_).input(shape, this->second_);
          step.template input<float>({}, {static_cast<float>(rate)});
          step.template input<float>({}, {corrections[0]});
          step.template input<float>({}, {corrections[1]});
          return step;
        },
        3);
  }
}

TEST(Steps, NothingToRenew) {
  Case("SgdStep", 1)
      .domain("switchyard")
      .input<float>({0, 3}, {})
      .input<float>({0, 3}, {})
      .input<float>({}, {0.1f})
      .expect<float>({0, 3}, {});
}

TEST(Steps, RefuseWhatIsNotComputedHere) {
  Case wide("SgdStep", 1);
  wide.domain("switchyard").input<float>({1}, {1}).input<float>({1}, {1}).input<double>({}, {0.1});
  EXPECT_EQ(wide.output<float>({1}, {1}).failure().reason(), SY_REASON_DTYPE);
  Case forgetful("MomentumStep", 1);
  forgetful.domain("switchyard").attribute("momentum", 0.9).input<float>({1}, {1});
  forgetful.input<float>({1}, {1}).input<float>({1}, {1}).input<float>({}, {1});
  forgetful.input<float>({}, {1}).output<float>({1}, {1}).no_output();
  EXPECT_EQ(forgetful.failure().reason(), SY_REASON_ATTRIBUTE);
}

}  // namespace
}  // namespace mps::op_tests
