// Derivatives where a function has none, or more than one: as PyTorch has them.
#include <gtest/gtest.h>

#include <cmath>

#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

struct Kink {
  const char* name;
  Tensor (*function)(const Tensor&);
  double point, derivative;
};

constexpr double kSeluAtZero = 1.0507009873554804934 * 1.6732632423543772848;

const Kink kKinks[] = {
    {"relu", [](const Tensor& x) { return relu(x); }, 0, 0},
    {"relu6", [](const Tensor& x) { return relu6(x); }, 0, 0},
    {"relu6", [](const Tensor& x) { return relu6(x); }, 6, 0},
    {"relu6", [](const Tensor& x) { return relu6(x); }, 3, 1},
    {"hardtanh", [](const Tensor& x) { return hardtanh(x); }, -1, 0},
    {"hardtanh", [](const Tensor& x) { return hardtanh(x); }, 1, 0},
    {"hardtanh", [](const Tensor& x) { return hardtanh(x); }, 0.5, 1},
    {"hardtanh", [](const Tensor& x) { return hardtanh(x); }, 2, 0},
    {"hardsigmoid", [](const Tensor& x) { return hardsigmoid(x); }, -3, 0},
    {"hardsigmoid", [](const Tensor& x) { return hardsigmoid(x); }, 3, 0},
    {"hardswish", [](const Tensor& x) { return hardswish(x); }, -3, 0},
    {"hardswish", [](const Tensor& x) { return hardswish(x); }, 3, 1},
    {"clamp", [](const Tensor& x) { return clamp(x, -1, 2); }, -1, 1},
    {"clamp", [](const Tensor& x) { return clamp(x, -1, 2); }, 2, 1},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x, 0.25); }, 0, 0.25},
    {"prelu", [](const Tensor& x) { return prelu(x, full_like(x, {1}, 0.25)); }, 0, 0.25},
    {"elu", [](const Tensor& x) { return elu(x, 2); }, 0, 2},
    {"selu", [](const Tensor& x) { return selu(x); }, 0, kSeluAtZero},
    {"abs", [](const Tensor& x) { return abs(x); }, 0, 0},
    {"sign", [](const Tensor& x) { return sign(x); }, 0, 0},
    {"round", [](const Tensor& x) { return round(x); }, 0.5, 0},
    {"maximum", [](const Tensor& x) { return maximum(x, full_like(x, {}, 1)); }, 1, 0.5},
    {"minimum", [](const Tensor& x) { return minimum(x, full_like(x, {}, 1)); }, 1, 0.5},
    {"amax",
     [](const Tensor& x) {
       return amax(cat({x, x.detach()}), {0});
     },
     1, 0.5},
    {"amin",
     [](const Tensor& x) {
       return amin(cat({x, x.detach()}), {0});
     },
     1, 0.5},
    {"norm", [](const Tensor& x) { return norm(x, 2); }, 0, 0},
};

TEST(Kinks, HavePyTorchsDerivatives) {
  for (const DType dtype : {DType::float32, DType::float64}) {
    for (const Kink& kink : kKinks) {
      Tensor x = full({1}, kink.point, {.dtype = dtype});
      x.requires_grad_();
      sum(kink.function(x)).backward();
      EXPECT_NEAR(x.grad().item(), kink.derivative, 1e-6)
          << kink.name << " of " << (dtype == DType::float64 ? "float64" : "float32") << " at "
          << kink.point;
    }
  }
}

TEST(Kinks, OfWhatSaturatesPassNaNOn) {
  Tensor x = full({1}, NAN);
  x.requires_grad_();
  const Tensor y = relu6(x);
  EXPECT_TRUE(std::isnan(y.item()));
  sum(y).backward();
  EXPECT_EQ(x.grad().item(), 1);
}

TEST(Kinks, OfExtremesPassNaNOn) {
  for (const auto extreme : {maximum, minimum}) {
    Tensor x = full({1}, NAN), y = full({1}, 2.0);
    x.requires_grad_();
    y.requires_grad_();
    sum(extreme(x, y)).backward();
    EXPECT_EQ(x.grad().item(), 1);
    EXPECT_EQ(y.grad().item(), 1);
  }
}

}  // namespace
}  // namespace switchyard
