// Optimizer steps against PyTorch's formulas in double.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

// The scalars' type, which is computed in.
sy_dtype scalar_dtype(sy_dtype dtype) { return dtype == SY_FLOAT64 ? SY_FLOAT64 : SY_FLOAT32; }

Value scalar(sy_dtype dtype, double number) {
  return from_doubles(scalar_dtype(dtype), {}, {number});
}

// What a float16 or bfloat16 result lacks is half a unit; a float32 one, a few roundings.
void expect_step(const Value& got, const Numbers& expected, double scale = 1) {
  switch (got.dtype) {
    case SY_FLOAT64: return expect_near(got, expected, 0, 1e-7 * scale);  // attributes are floats
    case SY_FLOAT32: return expect_near(got, expected, 4, 1e-6 * scale);
    default: return expect_near(got, expected, 0.6, 1e-6 * scale);
  }
}

TEST(SgdStep, EveryDtypeAndLayout) {
  const Shape shape = {7, 5, 3};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    SCOPED_TRACE(sy::dtype_name(dtype));
    const Value p = random(dtype, shape, 1), g = random(dtype, shape, 2);
    Numbers expected = as_doubles(p);
    const Numbers grad = as_doubles(g);
    for (size_t i = 0; i < expected.size(); ++i) {
      expected[i] -= 0.1 * (grad[i] + 0.01 * expected[i]);
    }
    const std::vector<Value> ps = layouts_of(p), gs = layouts_of(g);
    for (size_t i = 0; i < ps.size(); ++i) {
      OneNode node("SgdStep", 1, switchyard_domain);
      node.attribute("weight_decay", 0.01);
      node.input(ps[i]).input(gs[(i + 1) % gs.size()]).input(scalar(dtype, 0.1));
      node.output(dtype, shape, gs[i].strides, gs[i].offset);
      expect_step(node.run(), expected);
      OneNode in_place("SgdStep", 1, switchyard_domain);
      in_place.attribute("weight_decay", 0.01);
      in_place.input(ps[i]).input(g).input(scalar(dtype, 0.1)).output_over(0);
      expect_step(in_place.run(), expected);
    }
  }
}

TEST(SgdStep, LargeOnesOnEveryThreadAndNone) {
  const Shape shape = {300'007};
  const Value p = random(SY_FLOAT32, shape, 1), g = random(SY_FLOAT32, shape, 2);
  Numbers expected = as_doubles(p);
  const Numbers grad = as_doubles(g);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] -= 0.5 * grad[i];
  OneNode node("SgdStep", 1, switchyard_domain);
  node.input(p).input(g).input(scalar(SY_FLOAT32, 0.5)).output_over(0);
  expect_near(node.run(), expected, 1, 1e-7);
  OneNode none("SgdStep", 1, switchyard_domain);
  none.input(blank(SY_FLOAT32, {0, 4})).input(blank(SY_FLOAT32, {0, 4}));
  EXPECT_EQ(none.input(scalar(SY_FLOAT32, 1)).output(SY_FLOAT32, {0, 4}).run().size(), 0);
}

TEST(MomentumStep, FollowsPyTorchsSgdForManySteps) {
  const Shape shape = {5, 11};
  const double rate = 0.05, momentum = 0.9, decay = 0.02;
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    for (const bool nesterov : {false, true}) {
      for (const double dampening : {0.0, 0.25}) {
        SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " nesterov ", nesterov ? 1 : 0, " dampening ",
                              dampening));
        Value p = random(dtype, shape, 1), v = blank(dtype, shape);
        Numbers parameter = as_doubles(p), velocity(parameter.size());
        for (int step = 0; step < 8; ++step) {
          const Value g = random(dtype, shape, 10 + step);
          const Numbers gradient = as_doubles(g);
          for (size_t i = 0; i < parameter.size(); ++i) {
            double grad = gradient[i] + decay * parameter[i];
            velocity[i] = step == 0 ? grad : momentum * velocity[i] + (1 - dampening) * grad;
            grad = nesterov ? grad + momentum * velocity[i] : velocity[i];
            parameter[i] -= rate * grad;
          }
          OneNode node("MomentumStep", 1, switchyard_domain);
          node.attribute("momentum", momentum).attribute("weight_decay", decay);
          node.attribute("nesterov", nesterov ? 1 : 0);
          node.input(p).input(g).input(v).input(scalar(dtype, rate));
          node.input(scalar(dtype, step == 0 ? 0 : dampening));
          const auto made = node.output_over(0).output_over(2).run_all();
          expect_step(made[0], parameter);
          expect_step(made[1], velocity, 10);
          p = made[0];
          v = made[1];
        }
      }
    }
  }
}

struct AdamCase {
  double decay;
  bool decoupled;
};

TEST(AdamStep, FollowsPyTorchsAdamAndAdamWForManySteps) {
  const Shape shape = {13, 5};
  const double rate = 0.01, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64}) {
    for (const AdamCase& c : {AdamCase{0, false}, AdamCase{0.1, false}, AdamCase{0.1, true}}) {
      SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " decay ", c.decay, " ", c.decoupled ? 1 : 0));
      Value p = random(dtype, shape, 1), m = blank(dtype, shape), v = blank(dtype, shape);
      Numbers parameter = as_doubles(p), first(parameter.size()), second(parameter.size());
      for (int step = 1; step <= 8; ++step) {
        const Value g = random(dtype, shape, 10 + step);
        const Numbers gradient = as_doubles(g);
        const double correction1 = 1 - std::pow(beta1, step);
        const double correction2 = 1 - std::pow(beta2, step);
        for (size_t i = 0; i < parameter.size(); ++i) {
          const double grad = gradient[i] + (c.decoupled ? 0 : c.decay * parameter[i]);
          if (c.decoupled) parameter[i] *= 1 - rate * c.decay;
          first[i] = beta1 * first[i] + (1 - beta1) * grad;
          second[i] = beta2 * second[i] + (1 - beta2) * grad * grad;
          const double divisor = std::sqrt(second[i]) / std::sqrt(correction2) + epsilon;
          parameter[i] -= rate / correction1 * first[i] / divisor;
        }
        OneNode node("AdamStep", 1, switchyard_domain);
        node.attribute("gain1", 1 - beta1).attribute("gain2", 1 - beta2);
        node.attribute("weight_decay", c.decay).attribute("decoupled", c.decoupled ? 1 : 0);
        node.input(p).input(g).input(m).input(v).input(scalar(dtype, rate));
        node.input(scalar(dtype, correction1)).input(scalar(dtype, correction2));
        const auto made = node.output_over(0).output_over(2).output_over(3).run_all();
        expect_step(made[0], parameter);
        expect_step(made[1], first);
        expect_step(made[2], second);
        p = made[0];
        m = made[1];
        v = made[2];
      }
    }
  }
}

TEST(AdamStep, NarrowTypesAndLayouts) {
  const Shape shape = {6, 9};
  for (const sy_dtype dtype : {SY_FLOAT16, SY_BFLOAT16, SY_FLOAT32}) {
    SCOPED_TRACE(sy::dtype_name(dtype));
    const Value p = random(dtype, shape, 1), g = random(dtype, shape, 2);
    const Value m = random(dtype, shape, 3), v = blank(dtype, shape);
    const Numbers gradient = as_doubles(g), old = as_doubles(m);
    Numbers parameter = as_doubles(p), first, second;
    for (size_t i = 0; i < parameter.size(); ++i) {
      first.push_back(0.5 * old[i] + 0.5 * gradient[i]);
      second.push_back(0.25 * gradient[i] * gradient[i]);
      parameter[i] -= 0.125 / 0.5 * first[i] / (std::sqrt(second[i]) / std::sqrt(0.5) + 0.5);
    }
    const std::vector<Value> ps = layouts_of(p), gs = layouts_of(g), ms = layouts_of(m);
    for (size_t i = 0; i < ps.size(); ++i) {
      OneNode node("AdamStep", 1, switchyard_domain);
      node.attribute("gain1", 0.5).attribute("gain2", 0.25).attribute("epsilon", 0.5);
      node.input(ps[i]).input(gs[(i + 1) % gs.size()]).input(ms[(i + 2) % ms.size()]).input(v);
      node.input(scalar(dtype, 0.125)).input(scalar(dtype, 0.5)).input(scalar(dtype, 0.5));
      node.output_over(0).output(dtype, shape, ms[i].strides, ms[i].offset).output(dtype, shape);
      const auto made = node.run_all();
      expect_step(made[0], parameter);
      expect_step(made[1], first);
      expect_step(made[2], second);
    }
  }
}

}  // namespace
}  // namespace cpu::testing
