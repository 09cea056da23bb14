// Gradients of arithmetic, functions of one tensor, views, sums and products.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

TEST(GradientRules, OfArithmeticThatBroadcasts) {
  const Tensor a = scattered({2, 3}), b = scattered({3}, 0.5, 2, 1);
  CHECK_GRADIENTS([](In in) { return in[0] + in[1]; }, {a, b});
  CHECK_GRADIENTS([](In in) { return in[0] - in[1]; }, {a, b});
  CHECK_GRADIENTS(of_two(mul), {a, b});
  CHECK_GRADIENTS(of_two(div), {a, b});
  CHECK_GRADIENTS(of_two(mul), {strided(a), scattered({2, 1}, -1, 1, 3)});
  CHECK_GRADIENTS(of_two(div), {strided(a), scattered({}, 1, 2, 3)});
  CHECK_GRADIENTS(of_two(pow), {scattered({2, 3}, 0.5, 2), b});
  CHECK_GRADIENTS([](In in) { return pow(in[0], 3); }, {a});
  CHECK_GRADIENTS([](In in) { return pow(2.0, in[0]); }, {a});
  CHECK_GRADIENTS(of_two(maximum), {a, b});
  CHECK_GRADIENTS(of_two(minimum), {a, b});
  CHECK_GRADIENTS(of_two(fmod), {scattered({4}, 2.1, 2.9), scattered({4}, 0.91, 0.99, 5)});
  CHECK_GRADIENTS(of_two(remainder), {scattered({4}, -2.9, -2.1), scattered({4}, 0.91, 0.99, 5)});
  CHECK_GRADIENTS([](In in) { return lerp(in[0], in[1], in[2]); }, {a, b, scattered({2, 1})});
  CHECK_GRADIENTS([](In in) { return clamp(in[0], -0.5, 0.5); }, {a});
  CHECK_GRADIENTS([](In in) { return where(gt(in[0], 0), in[0] * in[1], in[1]); }, {a, b});
  CHECK_GRADIENTS(of_two(atan2), {a, scattered({3}, -1, 1, 9)});
  CHECK_GRADIENTS(of_two(hypot), {a, scattered({3}, -1, 1, 9)});
  CHECK_GRADIENTS(of_two(logaddexp), {a, scattered({3}, -1, 1, 9)});
  CHECK_GRADIENTS(of_two(floor_divide), {scattered({4}, 2.1, 2.9), scattered({4}, 0.91, 0.99, 5)});
}

TEST(GradientRules, OfFunctionsOfOneTensor) {
  const Tensor x = strided(scattered({2, 3}, 0.1, 0.9));
  for (auto* f :
       {abs,   neg,   square, sqrt,    rsqrt, reciprocal, exp,  exp2,  expm1, log,  log2,
        log10, log1p, sin,    cos,     tan,   asin,       acos, atan,  sinh,  cosh, tanh,
        asinh, atanh, erf,    sigmoid, relu,  floor,      ceil, round, trunc, frac, sign}) {
    CHECK_GRADIENTS(of_one(f), {x});
  }
  CHECK_GRADIENTS(of_one(acosh), {scattered({4}, 1.5, 3)});
  for (auto* f : {erfc, lgamma, digamma}) {
    CHECK_GRADIENTS(of_one(f), {scattered({4}, 0.1, 9)});
    CHECK_GRADIENTS(of_one(f), {scattered({4}, -1.9, -1.1)});
  }
  CHECK_GRADIENTS(of_one(erfinv), {scattered({4}, -0.9, 0.9)});
  CHECK_GRADIENTS(of_one(expm1), {scattered({4}, -2, 2)});
  CHECK_GRADIENTS(of_one(log1p), {scattered({4}, -0.9, 3)});
}

TEST(GradientRules, OfTwoTensorsWhereThereIsNoDirection) {
  const auto gradients = [](auto function, double at) {
    const Tensor a = tensor({at}).requires_grad_(), b = tensor({at}).requires_grad_();
    sum(function(a, b)).backward();
    return std::pair(a.grad().item<float>(), b.grad().item<float>());
  };
  EXPECT_EQ(gradients(atan2, 0), std::pair(0.0F, 0.0F));
  EXPECT_EQ(gradients(hypot, 0), std::pair(0.0F, 0.0F));
  for (const double far : {HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(gradients(logaddexp, far), std::pair(0.5F, 0.5F));
  }
}

TEST(GradientRules, OfViews) {
  const Tensor x = scattered({2, 3, 4});
  CHECK_GRADIENTS([](In in) { return in[0].reshape({4, 6}).exp(); }, {x});
  CHECK_GRADIENTS([](In in) { return in[0].reshape({4, -1}).exp(); }, {strided(x)});
  CHECK_GRADIENTS([](In in) { return in[0].permute({2, 0, 1}).exp(); }, {x});
  CHECK_GRADIENTS([](In in) { return in[0].transpose(-1, 0) * in[1]; },
                  {x, scattered({4, 3, 2}, -1, 1, 4)});
  CHECK_GRADIENTS([](In in) { return slice(in[0], 2, 1, 4, 2).exp(); }, {x});
  CHECK_GRADIENTS([](In in) { return slice(in[0], 2, 1, 4, INT64_MAX).exp(); }, {x});
  CHECK_GRADIENTS([](In in) { return in[0].select(1, -1).exp(); }, {x});
  CHECK_GRADIENTS([](In in) { return unsqueeze(in[0], 1).expand({2, 5, 3, 4}).exp(); }, {x});
  CHECK_GRADIENTS(
      [](In in) {
        return cat({in[0], in[0] * in[0], in[1]}, 1);
      },
      {x, scattered({2, 1, 4})});
  CHECK_GRADIENTS([](In in) { return stack({in[0], in[0] * 2}, 1).exp(); }, {x});
}

TEST(GradientRules, OfSumsAndProducts) {
  const Tensor x = scattered({2, 3, 4});
  CHECK_GRADIENTS([](In in) { return exp(sum(in[0])); }, {x});
  CHECK_GRADIENTS([](In in) { return exp(sum(in[0], {1, -1})); }, {strided(x)});
  CHECK_GRADIENTS([](In in) { return exp(mean(in[0], {0}, true)); }, {x});
  CHECK_GRADIENTS([](In in) { return exp(mean(in[0])); }, {x});
  CHECK_GRADIENTS(of_two(matmul), {x, scattered({4, 2})});
  CHECK_GRADIENTS(of_two(matmul), {strided(scattered({3, 4})), scattered({4})});
  CHECK_GRADIENTS(of_two(matmul), {scattered({4}), x.transpose(1, 2)});
  CHECK_GRADIENTS(of_two(matmul), {scattered({4}), scattered({4}, 0, 1, 2)});
  CHECK_GRADIENTS([](In in) { return linear(in[0], in[1], in[2]); },
                  {scattered({5, 4}), scattered({3, 4}), scattered({3})});
  CHECK_GRADIENTS([](In in) { return linear(in[0], in[1], in[2]); },
                  {x, scattered({3, 4}), scattered({3})});
  CHECK_GRADIENTS([](In in) { return addmm(in[0], in[1], in[2], 0.5, 2); },
                  {scattered({3}), scattered({2, 4}), scattered({4, 3})});
  CHECK_GRADIENTS([](In in) { return softmax(in[0], 1); }, {x});
  CHECK_GRADIENTS([](In in) { return log_softmax(in[0], -1); }, {x});
}

}  // namespace
}  // namespace switchyard
