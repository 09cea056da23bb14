// Gradients that are ops of their own: those of Softmax, LogSoftmax and LayerNormalization, to
// second order, beside the same in single ops, of no elements and of no numbers too.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <switchyard/autograd.hpp>

#include "functions/calls/call.hpp"
#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Numbers = std::vector<double>;

constinit const EagerOp kSoftmaxGradient("SoftmaxGradient", "switchyard"),
    kLogSoftmaxGradient("LogSoftmaxGradient", "switchyard"),
    kLayerGradient("LayerNormalizationGradient", "switchyard"), kLayer("LayerNormalization");

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Attributes along(std::int64_t axis) { return attributes({{"axis", axis}}); }

/// What backward() gives of the sum of f(x) * weights.
Tensor gradient_of(Tensor (*f)(const Tensor&, std::int64_t), const Tensor& x, std::int64_t axis,
                   const Tensor& weights) {
  const Tensor own = x.detach().clone().requires_grad_();
  const Tensor y = f(own, axis);
  return grad(y, own, {.grad_outputs = {weights}});
}

Tensor softmax_along(const Tensor& x, std::int64_t axis) { return softmax(x, axis); }

Tensor log_softmax_along(const Tensor& x, std::int64_t axis) { return log_softmax(x, axis); }

/// The gradients in single ops.
Tensor softmax_in_steps(const Tensor& x, std::int64_t axis, const Tensor& weights) {
  const Tensor y = softmax(x, axis);
  const Tensor weighted = mul(weights, y);
  return sub(weighted, mul(y, sum(weighted, {axis}, true)));
}

Tensor log_softmax_in_steps(const Tensor& x, std::int64_t axis, const Tensor& weights) {
  const Tensor y = log_softmax(x, axis);
  return sub(weights, mul(exp(y), sum(weights, {axis}, true)));
}

struct Form {
  Tensor (*forward)(const Tensor&, std::int64_t);
  Tensor (*in_steps)(const Tensor&, std::int64_t, const Tensor&);
};
constexpr Form kForms[] = {{softmax_along, softmax_in_steps},
                           {log_softmax_along, log_softmax_in_steps}};

/// NaN where `other` has it, and else within `tolerance`.
void expect_close(const Tensor& found, const Tensor& other, double tolerance) {
  EXPECT_EQ(found.shape(), other.shape());
  EXPECT_EQ(found.dtype(), other.dtype());
  const Numbers left = found.to(DType::float64).to_vector<double>(),
                right = other.to(DType::float64).to_vector<double>();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (std::isnan(right[i]) && std::isnan(left[i])) continue;
    if (left[i] == right[i]) continue;
    EXPECT_NEAR(left[i], right[i], tolerance) << i;
  }
}

TEST(LineGradientRules, OfSoftmaxToSecondOrder) {
  const Tensor x = scattered({2, 3, 4});
  for (const Form& form : kForms) {
    for (const std::int64_t axis : {-1, 0, 1}) {
      const auto forward = [&](In in) { return form.forward(in[0], axis); };
      CHECK_GRADIENTS(forward, {x});
      CHECK_GRADIENTS(forward, {strided(x)});
    }
    CHECK_GRADIENTS([&](In in) { return form.forward(in[0], 0); }, {scattered({5})});
    CHECK_GRADIENTS([&](In in) { return form.forward(in[0], 1); }, {scattered({2, 1})},
                    {.spread = false});
  }
}

TEST(LineGradientRules, OfSoftmaxGradientsThemselves) {
  const Tensor grad_output = strided(scattered({2, 3, 4})),
               y = strided(scattered({2, 3, 4}, 0, 1, 1));
  for (const std::int64_t axis : {-1, 0, 1}) {
    CHECK_GRADIENTS([&](In in) { return kSoftmaxGradient(in, along(axis)); }, {grad_output, y});
    CHECK_GRADIENTS([&](In in) { return kLogSoftmaxGradient(in, along(axis)); }, {grad_output, y});
  }
}

/// As each part's chain of steps has it, in every type.
TEST(LineGradientRules, SoftmaxesAgreeWithTheirSteps) {
  for (const Form& form : kForms) {
    for (const Dims& shape : {Dims{6, 9}, Dims{3, 4, 5}, Dims{7}, Dims{3, 0}, Dims{0, 3}}) {
      const Tensor x = scattered(shape, -3, 3), weights = scattered(shape, -1, 1, 1);
      for (const std::int64_t axis : {std::int64_t{0}, std::int64_t{-1}}) {
        const auto check = [&](DType dtype, double tolerance) {
          const Tensor own = x.to(dtype), grad_output = weights.to(dtype);
          expect_close(gradient_of(form.forward, own, axis, grad_output),
                       form.in_steps(own, axis, grad_output), tolerance);
        };
        check(DType::float64, 1e-14);
        check(DType::float32, 1e-6);
        check(DType::float16, 4e-3);
        check(DType::bfloat16, 3e-2);
      }
    }
  }
}

TEST(LineGradientRules, SoftmaxesOfNoNumbersAreAsTheirSteps) {
  const Tensor x =
      host_tensor({6, 2}, Numbers{1, 2, kNan, 1, kInfinity, 0, -kInfinity, 1, 1, 2, 3, 4});
  const Tensor weights =
      host_tensor({6, 2}, Numbers{1, 2, 3, 4, 5, 6, 7, 8, kInfinity, 1, kNan, 2});
  for (const Form& form : kForms) {
    expect_close(gradient_of(form.forward, x, 1, weights), form.in_steps(x, 1, weights), 1e-14);
    const Tensor narrow = x.to(DType::float32), grad_output = weights.to(DType::float32);
    expect_close(gradient_of(form.forward, narrow, 1, grad_output),
                 form.in_steps(narrow, 1, grad_output), 1e-6);
  }
}

// ---- LayerNormalization

Attributes layer(std::int64_t axis, float epsilon = 0.125F) {
  return attributes({{"axis", axis}, {"epsilon", epsilon}});
}

TEST(LineGradientRules, OfLayersToSecondOrder) {
  const Tensor x = scattered({2, 3, 4});
  for (const std::int64_t axis : {-1, 0, 1}) {
    const Dims line(x.shape().span().subspan(static_cast<std::size_t>(axis < 0 ? 2 : axis)));
    const Tensor scale = scattered(line, 0.5, 2, 1), bias = scattered(line, -1, 1, 2);
    const auto forward = [&](In in) { return kLayer(in, layer(axis)); };
    CHECK_GRADIENTS(forward, {x, scale, bias});
    CHECK_GRADIENTS(forward, {strided(x), strided(scale), strided(bias)});
    CHECK_GRADIENTS(forward, {x, scale});
    CHECK_GRADIENTS([&](In in) { return kLayer({in[0], scale, bias}, layer(axis)); }, {x});
    CHECK_GRADIENTS([&](In in) { return kLayer({x, in[0], in[1]}, layer(axis)); }, {scale, bias});
    CHECK_GRADIENTS([&](In in) { return kLayer({in[0], scale, in[1]}, layer(axis)); }, {x, bias});
  }
  CHECK_GRADIENTS([](In in) { return kLayer(in, layer(0)); },
                  {scattered({5}), scattered({5}, -1, 1, 3), scattered({5}, -1, 1, 4)});
}

/// Scales and biases that are broadcast go another way.
TEST(LineGradientRules, OfLayersThatBroadcast) {
  const Tensor x = scattered({2, 3, 4});
  for (const Dims& shape : {Dims{4}, Dims{3, 1}, Dims{1}}) {
    const Tensor scale = scattered(shape, 0.5, 2, 1), bias = scattered({4}, -1, 1, 2);
    CHECK_GRADIENTS([](In in) { return kLayer(in, layer(1)); }, {x, scale, bias});
  }
}

TEST(LineGradientRules, OfTheLayersGradientItself) {
  const Tensor grad_output = strided(scattered({2, 3, 4})),
               x = strided(scattered({2, 3, 4}, -1, 1, 1));
  for (const std::int64_t axis : {-1, 1}) {
    const Dims line(x.shape().span().subspan(static_cast<std::size_t>(axis < 0 ? 2 : axis)));
    for (std::size_t count = 1; count <= 3; ++count) {
      CHECK_GRADIENTS(
          [&](In in) {
            const Attributes given =
                attributes({{"axis", axis}, {"epsilon", 0.125F}, {"stash_type", std::int64_t{11}}});
            std::vector<Tensor> rows;
            for (const Tensor& one : kLayerGradient.outputs(count, in, given)) {
              rows.push_back(reshape(one, {-1}));
            }
            return cat(rows);
          },
          {grad_output, x, scattered(line, 0.5, 2, 2)});
    }
  }
}

/// The gradients of a layer by x, scale and bias: by its rule, and in single ops.
std::vector<Tensor> layer_gradients(const Tensor& x, const Tensor& scale, const Tensor& weights) {
  std::vector<Tensor> own = {x.detach().clone(), scale.detach().clone(), zeros_like(scale)};
  for (Tensor& one : own) one.requires_grad_();
  const std::vector<Tensor> made = {kLayer(own, layer(1))};
  return grad(made, own, {.grad_outputs = {weights}});
}

std::vector<Tensor> layer_gradients_in_steps(const Tensor& x, const Tensor& scale,
                                             const Tensor& weights) {
  std::vector<Tensor> own = {x.detach().clone(), scale.detach().clone(), zeros_like(scale)};
  for (Tensor& one : own) one.requires_grad_();
  const DType type = x.dtype() == DType::float64 ? DType::float64 : DType::float32;
  const Tensor wide = own[0].to(type), centred = sub(wide, mean(wide, {-1}, true));
  const Tensor factor = rsqrt(add(mean(square(centred), {-1}, true), 0.125));
  const std::vector<Tensor> made = {
      add(mul(mul(centred, factor), own[1].to(type)), own[2].to(type))};
  return grad(made, own, {.grad_outputs = {weights.to(type)}});
}

TEST(LineGradientRules, LayersAgreeWithTheirSteps) {
  for (const Dims& shape : {Dims{6, 9}, Dims{200, 5}, Dims{3, 0}, Dims{0, 3}}) {
    const Tensor x = scattered(shape, -3, 3), scale = scattered({shape[1]}, 0.5, 2, 1),
                 weights = scattered(shape, -1, 1, 2);
    const auto check = [&](DType dtype, double tolerance) {
      const auto found = layer_gradients(x.to(dtype), scale.to(dtype), weights.to(dtype));
      const auto other = layer_gradients_in_steps(x.to(dtype), scale.to(dtype), weights.to(dtype));
      for (std::size_t i = 0; i < 3; ++i) expect_close(found[i], other[i], tolerance);
    };
    check(DType::float64, 1e-13);
    check(DType::float32, 2e-5);
    check(DType::float16, 2e-2);
    check(DType::bfloat16, 2e-1);
  }
}

TEST(LineGradientRules, LayersOfNoNumbersAreAsTheirSteps) {
  const Tensor x =
      host_tensor({5, 3}, Numbers{1, 2, 4, kNan, 1, 2, kInfinity, 1, 2, 1, 5, 2, 3, 1, 2});
  const Tensor weights =
      host_tensor({5, 3}, Numbers{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, kNan, 2, 1, kInfinity, 2});
  const Tensor scale = host_tensor({3}, Numbers{1, 2, 0.5});
  const auto found = layer_gradients(x, scale, weights);
  const auto other = layer_gradients_in_steps(x, scale, weights);
  for (std::size_t i = 0; i < 3; ++i) expect_close(found[i], other[i], 1e-13);
}

}  // namespace
}  // namespace switchyard
