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
    {"prelu", [](const Tensor& x) { return prelu(x, x.new_full({1}, 0.25)); }, 0, 0.25},
    {"elu", [](const Tensor& x) { return elu(x, 2); }, 0, 2},
    {"selu", [](const Tensor& x) { return selu(x); }, 0, kSeluAtZero},
    {"abs", [](const Tensor& x) { return abs(x); }, 0, 0},
    {"sign", [](const Tensor& x) { return sign(x); }, 0, 0},
    {"round", [](const Tensor& x) { return round(x); }, 0.5, 0},
    {"maximum", [](const Tensor& x) { return maximum(x, x.new_full({}, 1)); }, 1, 0.5},
    {"minimum", [](const Tensor& x) { return minimum(x, x.new_full({}, 1)); }, 1, 0.5},
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
    {"norm of order 3", [](const Tensor& x) { return norm(x, 3); }, 0, 0},
    {"largest norm", [](const Tensor& x) { return norm(x, INFINITY); }, 0, 0},
    {"clamp by tensors", [](const Tensor& x) { return clamp(x, x.new_full({}, 1)); }, 1, 1},
    {"clamp by tensors",
     [](const Tensor& x) { return clamp(x, x.new_full({}, 0), x.new_full({}, 1)); }, 1, 1},
    {"clamp by NaN", [](const Tensor& x) { return clamp(x, NAN); }, 1, 0},
    {"lower bound", [](const Tensor& x) { return clamp(x.new_full({}, 1), x); }, 1, 0},
    {"lower bound", [](const Tensor& x) { return clamp(x.new_full({}, 1), x); }, 2, 1},
    {"upper bound", [](const Tensor& x) { return clamp(x.new_full({}, 1), {}, x); }, 1, 0},
    {"upper bound", [](const Tensor& x) { return clamp(x.new_full({}, 1), {}, x); }, 0, 1},
    {"lower bound above the upper one",
     [](const Tensor& x) { return clamp(x.new_full({}, 1), x, x.new_full({}, 2)); }, 3, 0},
    {"upper bound below the lower one",
     [](const Tensor& x) { return clamp(x.new_full({}, 1), x.new_full({}, 3), x); }, 2, 1},
    {"maximum with NaN", [](const Tensor& x) { return maximum(x, NAN); }, 1, 1},
    {"minimum with NaN", [](const Tensor& x) { return minimum(x, x.new_full({}, NAN)); }, 1, 1},
    {"margin_ranking_loss",
     [](const Tensor& x) { return margin_ranking_loss(x, x.detach(), ones_like(x)); }, 2, -1},
    {"cosine_embedding_loss",
     [](const Tensor& x) {
       const Tensor first = stack({ones_like(x), x}, 1), second = stack({x * 0, x * 0 + 1}, 1);
       return cosine_embedding_loss(first, second.detach(), full_like(x, -1));
     },
     0, 1},
    {"triplet_margin_loss",
     [](const Tensor& x) {
       return triplet_margin_loss(x, ones_like(x), -ones_like(x), {.eps = 0, .margin = 0});
     },
     0, -2},
    {"sqrt", [](const Tensor& x) { return sqrt(x); }, 0, INFINITY},
    {"asin", [](const Tensor& x) { return asin(x); }, 1, INFINITY},
    {"acos", [](const Tensor& x) { return acos(x); }, 1, -INFINITY},
    {"log1p", [](const Tensor& x) { return log1p(x); }, -1, INFINITY},
    {"pow of 0", [](const Tensor& x) { return pow(x, 0); }, 0, 0},
    {"pow of 0", [](const Tensor& x) { return pow(x, 2); }, 0, 0},
    {"pow of 0", [](const Tensor& x) { return pow(x, 0.5); }, 0, INFINITY},
    {"power of 0", [](const Tensor& x) { return pow(zeros_like(x.detach()), x); }, 0, 0},
    {"power of 0", [](const Tensor& x) { return pow(zeros_like(x.detach()), x); }, 2, 0},
    {"kl_div", [](const Tensor& x) { return kl_div(x, zeros_like(x.detach())); }, -2, 0},
    {"binary_cross_entropy",
     [](const Tensor& x) { return binary_cross_entropy(x, ones_like(x.detach())) * 1e-12; }, 0, -1},
    {"binary_cross_entropy",
     [](const Tensor& x) { return binary_cross_entropy(x, zeros_like(x.detach())) * 1e-12; }, 1, 1},
    {"binary_cross_entropy",
     [](const Tensor& x) { return binary_cross_entropy(x, ones_like(x.detach())); }, 1, 0},
    {"binary_cross_entropy_with_logits",
     [](const Tensor& x) { return binary_cross_entropy_with_logits(x, zeros_like(x.detach())); }, 0,
     0.5},
    {"binary_cross_entropy_with_logits",
     [](const Tensor& x) {
       const Tensor target = full_like(x.detach(), 0.25), weight = full_like(target, 3);
       return binary_cross_entropy_with_logits(x, target, {}, weight);
     },
     0, 0},
    {"target of binary_cross_entropy",
     [](const Tensor& x) { return binary_cross_entropy(zeros_like(x.detach()), x); }, 0.5, 100},
};

TEST(Kinks, HavePyTorchsDerivatives) {
  for (const DType dtype : {DType::float32, DType::float64}) {
    for (const Kink& kink : kKinks) {
      Tensor x = full({1}, kink.point, {.dtype = dtype});
      x.requires_grad_();
      sum(kink.function(x)).backward();
      const double derivative = x.grad().item();
      EXPECT_TRUE(derivative == kink.derivative || std::abs(derivative - kink.derivative) < 1e-6)
          << derivative << " is not " << kink.derivative << ": " << kink.name << " of "
          << name_of(dtype) << " at " << kink.point;
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
