// Scaled losses: steps that are left out, the scale's ways, its state.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <switchyard/autocast.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/optim.hpp>

#include "functions/thrown.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard::optim {
namespace {

using testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();

class GradScalerTest : public testing::Test {
 protected:
  // One scaled step down the slope of w * factor.
  bool step(GradScaler& scaler, double factor) {
    sgd_.zero_grad();
    scaler.scale(w_ * factor).backward();
    const bool made = scaler.step(sgd_);
    scaler.update();
    return made;
  }
  double weight() const { return w_.item(); }

  Tensor w_ = full({}, 4.0).requires_grad_();
  SGD sgd_{std::vector<Tensor>{w_}, {.lr = 0.5}};
};

TEST_F(GradScalerTest, StepsWithTheUnscaledGradient) {
  GradScaler scaler({.init_scale = 1024});
  EXPECT_EQ(scaler.scale(full({}, 2.0)).item(), 2048);
  EXPECT_TRUE(step(scaler, 2));
  EXPECT_EQ(weight(), 3);
  EXPECT_EQ(w_.grad().item(), 2);
  EXPECT_EQ(scaler.get_scale(), 1024);
}

TEST_F(GradScalerTest, WhatItRefusesHasChangedNothing) {
  GradScaler scaler({.init_scale = 1024});
  const Tensor half = full({}, 1.0, {.dtype = DType::float16}).requires_grad_();
  SGD both({w_, half}, {.lr = 0.5});
  scaler.scale(w_ * 2).backward();
  half.set_grad(full({}, 1.0, {.dtype = DType::float16}));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(thrown([&] { scaler.unscale_(both); }), HasSubstr("float16 gradients"));
    EXPECT_THAT(thrown([&] { scaler.step(both); }), HasSubstr("float16 gradients"));
  }
  EXPECT_EQ(w_.grad().item(), 2048);
  EXPECT_EQ(weight(), 4);
}

TEST_F(GradScalerTest, AnOverflowLeavesTheStepOutAndHalvesTheScale) {
  GradScaler scaler({.init_scale = 1024});
  for (const double bad : {double{kInf}, -double{kInf}, std::nan("")}) {
    const double before = scaler.get_scale();
    EXPECT_FALSE(step(scaler, bad));
    EXPECT_EQ(weight(), 4);
    EXPECT_EQ(scaler.get_scale(), before / 2);
  }
  EXPECT_TRUE(step(scaler, 2));
  EXPECT_EQ(weight(), 3);
}

TEST_F(GradScalerTest, GrowsAfterAnIntervalWithoutOverflow) {
  GradScaler scaler(
      {.backoff_factor = 0.25, .growth_factor = 4, .growth_interval = 2, .init_scale = 8});
  step(scaler, 0);
  EXPECT_EQ(scaler.get_scale(), 8);
  step(scaler, kInf);
  EXPECT_EQ(scaler.get_scale(), 2);
  step(scaler, 0);
  EXPECT_EQ(scaler.get_scale(), 2) << "counts anew after an overflow";
  step(scaler, 0);
  EXPECT_EQ(scaler.get_scale(), 8);
  scaler.update();
  scaler.update();
  EXPECT_EQ(scaler.get_scale(), 8) << "updates without steps count nothing";
}

TEST_F(GradScalerTest, UnscalesOnceForWhatComesBeforeTheStep) {
  GradScaler scaler({.init_scale = 64});
  scaler.scale(w_ * 8).backward();
  scaler.unscale_(sgd_);
  EXPECT_EQ(w_.grad().item(), 8);
  EXPECT_THAT(thrown([&] { scaler.unscale_(sgd_); }), HasSubstr("twice"));
  w_.grad().mul_(0.25);
  EXPECT_TRUE(scaler.step(sgd_));
  EXPECT_EQ(weight(), 3);
  EXPECT_THAT(thrown([&] { scaler.step(sgd_); }), HasSubstr("update()"));
  EXPECT_EQ(weight(), 3);
  scaler.update();
  EXPECT_TRUE(step(scaler, 2));
}

TEST_F(GradScalerTest, OneOptimizersOverflowDoesNotStopAnother) {
  const Tensor v = full({}, 1.0).requires_grad_();
  SGD other(std::vector<Tensor>{v}, {.lr = 1});
  GradScaler scaler({.init_scale = 2});
  scaler.scale(w_ * kInf + v).backward();
  EXPECT_FALSE(scaler.step(sgd_));
  EXPECT_TRUE(scaler.step(other));
  scaler.update();
  EXPECT_EQ(v.item(), 0);
  EXPECT_EQ(scaler.get_scale(), 1);
}

TEST_F(GradScalerTest, ChecksWhereTheGradientsLie) {
  const Runtime runtime =
      start({{"mps", "cpu"}, "", "[plugins.mps.options]\ndevice = \"software\"\n"});
  const RuntimeScope scope(runtime);
  const DeviceScope on(runtime.device("mps"));
  const Tensor a = ones({2, 3}).requires_grad_(), b = ones({4}).requires_grad_();
  SGD sgd(std::vector<Tensor>{a, b}, {.lr = 0.5});
  GradScaler scaler({.init_scale = 4});
  scaler.scale(sum(a) * 2 + sum(b)).backward();
  runtime.reset_fallbacks();
  EXPECT_TRUE(scaler.step(sgd));
  EXPECT_EQ(a.select(0, 0).sum().item(), 0);
  scaler.update();
  scaler.scale(sum(a) + sum(b) * kInf).backward();
  EXPECT_FALSE(scaler.step(sgd));
  for (const FallbackInfo& fallback : runtime.fallbacks()) ADD_FAILURE() << fallback.op;
}

TEST_F(GradScalerTest, KeepsItsState) {
  GradScaler scaler({.growth_interval = 2, .init_scale = 8}), other({.growth_interval = 2});
  step(scaler, 0);
  other.load_state_dict(scaler.state_dict());
  EXPECT_EQ(other.get_scale(), 8);
  step(other, 0);
  EXPECT_EQ(other.get_scale(), 16) << "the count of steps came along";
  EXPECT_THAT(thrown([&] { other.load_state_dict({}); }), HasSubstr("missing are scale"));
  EXPECT_EQ(other.get_scale(), 16);
}

TEST_F(GradScalerTest, RefusesAStateThatIsNotOne) {
  GradScaler scaler({.init_scale = 8});
  const auto said = [&](double scale, double steps) {
    return thrown([&] {
      scaler.load_state_dict(
          {{"scale", host_scalar(scale)}, {"_growth_tracker", host_scalar(steps)}});
    });
  };
  for (const double scale : {0.0, -1.0, std::nan(""), double{kInf}}) {
    EXPECT_THAT(said(scale, 0), HasSubstr("a finite scale above 0")) << scale;
  }
  for (const double steps : {-1.0, 0.5, 1e300, std::nan(""), double{kInf}}) {
    EXPECT_THAT(said(2, steps), HasSubstr("where a count is needed")) << steps;
  }
  EXPECT_EQ(scaler.get_scale(), 8);
}

TEST_F(GradScalerTest, PassesThroughWhereItIsDisabled) {
  GradScaler scaler({.enabled = false});
  EXPECT_EQ(scaler.scale(full({}, 2.0)).item(), 2);
  EXPECT_EQ(scaler.get_scale(), 1);
  EXPECT_TRUE(step(scaler, 2));
  EXPECT_EQ(weight(), 3);
}

TEST_F(GradScalerTest, RefusesOptionsAndNarrowGradients) {
  EXPECT_THAT(thrown([] { GradScaler({.init_scale = 0}); }), HasSubstr("scale above 0"));
  EXPECT_THAT(thrown([] { GradScaler({.growth_factor = 1}); }), HasSubstr("growth"));
  EXPECT_THAT(thrown([] { GradScaler({.backoff_factor = 1}); }), HasSubstr("backoff"));
  EXPECT_THAT(thrown([] { GradScaler({.growth_interval = 0}); }), HasSubstr("interval"));
  const Tensor half = ones({1}, {.dtype = DType::float16, .requires_grad = true});
  SGD sgd(std::vector<Tensor>{half}, {.lr = 1});
  GradScaler scaler;
  sum(half).backward();
  EXPECT_THAT(thrown([&] { scaler.step(sgd); }), HasSubstr("float16 gradients"));
}

TEST_F(GradScalerTest, KeepsSmallGradientsOfHalfPrecisionAlive) {
  const auto gradient_with = [](double init_scale) {
    const Tensor w = full({1, 1}, 1.0).requires_grad_();
    SGD sgd(std::vector<Tensor>{w}, {.lr = 1});
    GradScaler scaler({.init_scale = init_scale});
    Tensor loss;
    {
      const Autocast half(DType::float16);
      loss = sum(matmul(full({1, 1}, 1e-4), w)) * 1e-5;
    }
    scaler.scale(loss).backward();
    scaler.unscale_(sgd);
    return w.grad().item();
  };
  EXPECT_EQ(gradient_with(1), 0) << "vanishes";
  EXPECT_NEAR(gradient_with(65536) / 1e-9, 1, 0.01);
}

}  // namespace
}  // namespace switchyard::optim
