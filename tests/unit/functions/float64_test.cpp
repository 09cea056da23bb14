// float64 is float64 throughout: no number that a function takes or computes with passes through a
// float32 on its way. Expected values are closed forms, with numbers that float32 does not hold.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>
#include <switchyard/print.hpp>

#include "functions/creation/new_tensor.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constexpr double kTenth = 0.1;  // as float32 it is 1.5e-9 off

std::vector<double> float64_values(const Tensor& x) { return x.detach().to_vector<double>(); }
Tensor doubles(const std::vector<double>& numbers, const Dims& shape) {
  return place(host_tensor(shape, numbers));
}
Tensor doubles(const std::vector<double>& numbers) {
  return doubles(numbers, {static_cast<std::int64_t>(numbers.size())});
}

const std::vector<double> kNumbers{-2.7, -1.3, -0.4, 0.0, 0.3, 0.9, 1.9, 3.3};

using Formula = std::function<double(double)>;

struct OfNumbers {
  const char* name;
  std::function<Tensor(const Tensor&)> function;
  Formula expected;
};

double softplus_of(double x) { return std::log1p(std::exp(x)); }

/// A function with a scalar parameter, or with constants of its own.
const OfNumbers kPointwise[] = {
    {"add with alpha", [](const Tensor& x) { return add(x, x, kTenth); },
     [](double x) { return x + kTenth * x; }},
    {"add a number", [](const Tensor& x) { return x + kTenth; },
     [](double x) { return x + kTenth; }},
    {"mul by a number", [](const Tensor& x) { return x * kTenth; },
     [](double x) { return x * kTenth; }},
    {"div by a number", [](const Tensor& x) { return x / kTenth; },
     [](double x) { return x / kTenth; }},
    {"pow", [](const Tensor& x) { return pow(abs(x), kTenth); },
     [](double x) { return std::pow(std::abs(x), kTenth); }},
    {"remainder", [](const Tensor& x) { return fmod(x, kTenth); },
     [](double x) { return std::fmod(x, kTenth); }},
    {"maximum", [](const Tensor& x) { return maximum(x, kTenth); },
     [](double x) { return std::max(x, kTenth); }},
    {"lerp", [](const Tensor& x) { return lerp(x, x * 3, kTenth); },
     [](double x) { return x + kTenth * 2 * x; }},
    {"addcmul", [](const Tensor& x) { return addcmul(x, x, x, kTenth); },
     [](double x) { return x + kTenth * x * x; }},
    {"addcdiv", [](const Tensor& x) { return addcdiv(x, x, x * x + 1, kTenth); },
     [](double x) { return x + kTenth * x / (x * x + 1); }},
    {"where", [](const Tensor& x) { return where(gt(x, 0), x, kTenth); },
     [](double x) { return x > 0 ? x : kTenth; }},
    {"masked_fill", [](const Tensor& x) { return masked_fill(x, gt(x, 0), kTenth); },
     [](double x) { return x > 0 ? kTenth : x; }},
    {"clamp", [](const Tensor& x) { return clamp(x, -kTenth, kTenth); },
     [](double x) { return std::clamp(x, -kTenth, kTenth); }},
    {"full_like", [](const Tensor& x) { return full_like(x, kTenth); },
     [](double) { return kTenth; }},
    {"nan_to_num", [](const Tensor& x) { return nan_to_num(x * NAN, kTenth); },
     [](double) { return kTenth; }},
    {"fill_", [](const Tensor& x) { return x.clone().fill_(kTenth); },
     [](double) { return kTenth; }},
    {"exp2", [](const Tensor& x) { return exp2(x); }, [](double x) { return std::exp2(x); }},
    {"expm1", [](const Tensor& x) { return expm1(x * kTenth); },
     [](double x) { return std::expm1(x * kTenth); }},
    {"log1p", [](const Tensor& x) { return log1p(x * kTenth); },
     [](double x) { return std::log1p(x * kTenth); }},
    {"log2", [](const Tensor& x) { return log2(abs(x) + kTenth); },
     [](double x) { return std::log2(std::abs(x) + kTenth); }},
    {"log10", [](const Tensor& x) { return log10(abs(x) + kTenth); },
     [](double x) { return std::log10(std::abs(x) + kTenth); }},
    {"erf", [](const Tensor& x) { return erf(x); }, [](double x) { return std::erf(x); }},
    {"atan2", [](const Tensor& x) { return atan2(x, kTenth); },
     [](double x) { return std::atan2(x, kTenth); }},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x, kTenth); },
     [](double x) { return x > 0 ? x : kTenth * x; }},
    {"elu", [](const Tensor& x) { return elu(x, kTenth); },
     [](double x) { return x > 0 ? x : kTenth * std::expm1(x); }},
    {"selu", [](const Tensor& x) { return selu(x); },
     [](double x) {
       return 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * std::expm1(x));
     }},
    {"gelu", [](const Tensor& x) { return gelu(x); },
     [](double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); }},
    {"gelu by tanh", [](const Tensor& x) { return gelu(x, GeluApproximation::tanh); },
     [](double x) {
       const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
       return x / 2 * (1 + std::tanh(inner));
     }},
    {"silu", [](const Tensor& x) { return silu(x); },
     [](double x) { return x / (1 + std::exp(-x)); }},
    {"mish", [](const Tensor& x) { return mish(x); },
     [](double x) { return x * std::tanh(softplus_of(x)); }},
    {"softplus", [](const Tensor& x) { return softplus(x); }, softplus_of},
    {"logsigmoid", [](const Tensor& x) { return logsigmoid(x); },
     [](double x) { return -softplus_of(-x); }},
    {"hardsigmoid", [](const Tensor& x) { return hardsigmoid(x); },
     [](double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }},
    {"hardswish", [](const Tensor& x) { return hardswish(x); },
     [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }},
    {"hardtanh", [](const Tensor& x) { return hardtanh(x, -kTenth, kTenth); },
     [](double x) { return std::clamp(x, -kTenth, kTenth); }},
    {"prelu", [](const Tensor& x) { return prelu(x, doubles({kTenth})); },
     [](double x) { return x > 0 ? x : kTenth * x; }},
    {"huber_loss",
     [](const Tensor& x) { return huber_loss(x, zeros_like(x), kTenth, Reduction::none); },
     [](double x) {
       const double size = std::abs(x);
       return size <= kTenth ? x * x / 2 : kTenth * (size - kTenth / 2);
     }},
    {"smooth_l1_loss",
     [](const Tensor& x) { return smooth_l1_loss(x, zeros_like(x), kTenth, Reduction::none); },
     [](double x) {
       const double size = std::abs(x);
       return size < kTenth ? x * x / 2 / kTenth : size - kTenth / 2;
     }},
    {"margin_ranking_loss",
     [](const Tensor& x) {
       return margin_ranking_loss(x, x * 2, ones_like(x), kTenth, Reduction::none);
     },
     [](double x) { return std::max(0.0, x + kTenth); }},
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-14 * std::max(1.0, std::abs(expected[i]))) << i;
  }
}

TEST(Float64, PointwiseFunctionsWithScalars) {
  for (const OfNumbers& one : kPointwise) {
    SCOPED_TRACE(one.name);
    std::vector<double> expected;
    for (const double x : kNumbers) expected.push_back(one.expected(x));
    const Tensor result = one.function(doubles(kNumbers));
    EXPECT_EQ(result.dtype(), DType::float64);
    expect_near(float64_values(result), expected);
  }
}

/// The derivative, too: beside the quotient of differences of the closed form, which is exact to
/// 1e-10, where a float32 on the way would be 1e-8 off at least.
TEST(Float64, DerivativesOfPointwiseFunctions) {
  const std::vector<double> points{-1.23, -0.37, 0.61, 1.73};  // at no kink
  constexpr double h = 1e-3;
  for (const OfNumbers& one : kPointwise) {
    SCOPED_TRACE(one.name);
    const Tensor x = doubles(points).requires_grad_();
    const Tensor result = one.function(x);
    const std::string name = one.name;
    if (!result.requires_grad() || name == "nan_to_num") continue;
    const std::vector<double> derivatives = float64_values(grad(result.sum(), x));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto f = [&](double offset) { return one.expected(points[i] + offset); };
      const double expected =
          (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);  // five-point formula
      EXPECT_NEAR(derivatives[i], expected, 3e-10 * std::max(1.0, std::abs(expected))) << points[i];
    }
  }
}

TEST(Float64, LogarithmsOfPowersAreExact) {
  std::vector<double> twos, tens, exponents_of_two, exponents_of_ten;
  for (int e = -1074; e <= 1023; ++e) {
    twos.push_back(std::ldexp(1.0, e));
    exponents_of_two.push_back(e);
  }
  for (int e = -307; e <= 308; ++e) {
    tens.push_back(std::stod("1e" + std::to_string(e)));
    exponents_of_ten.push_back(e);
  }
  EXPECT_EQ(float64_values(log2(doubles(twos))), exponents_of_two);
  EXPECT_EQ(float64_values(log10(doubles(tens))), exponents_of_ten);
  EXPECT_EQ(log2(full({1}, 8.0)).item(), 3);
  EXPECT_EQ(log10(full({1}, 1000.0)).item(), 3);
  EXPECT_EQ(log2(tensor({1, 2, 1024})).to_vector<float>(), (std::vector<float>{0, 1, 10}));
  const std::vector<double> edges = float64_values(log2(doubles({0, INFINITY, -1, NAN})));
  EXPECT_EQ(edges[0], -INFINITY);
  EXPECT_EQ(edges[1], INFINITY);
  EXPECT_TRUE(std::isnan(edges[2]));
  EXPECT_TRUE(std::isnan(edges[3]));
  const Tensor x = doubles({8, 0.001, 5e300}).requires_grad_();
  expect_near(float64_values(grad(log2(x).sum(), x) * x),
              std::vector<double>(3, std::numbers::log2e));
  expect_near(float64_values(grad(log10(x).sum(), x) * x),
              std::vector<double>(3, std::numbers::log10e));
}

/// (x - mean) / sqrt(variance + eps) of a line.
std::vector<double> standardized(const std::vector<double>& line, double eps) {
  double mean = 0, variance = 0;
  for (const double x : line) mean += x / static_cast<double>(line.size());
  for (const double x : line) {
    variance += (x - mean) * (x - mean) / static_cast<double>(line.size());
  }
  std::vector<double> result;
  for (const double x : line) result.push_back((x - mean) / std::sqrt(variance + eps));
  return result;
}

TEST(Float64, NormsTakeEpsilonAsItIs) {
  constexpr double eps = 1e-3;
  const std::vector<double> line{1, 2, 4, 0.5};
  const std::vector<double> expected = standardized(line, eps);
  expect_near(float64_values(layer_norm(doubles(line, {1, 4}), {4}, {}, {}, eps)), expected);
  expect_near(float64_values(layer_norm(doubles(line, {1, 4}), {4}, ones({4}).to(DType::float64),
                                        zeros({4}).to(DType::float64), eps)),
              expected);
  expect_near(float64_values(group_norm(doubles(line, {1, 2, 2}), 1, {}, {}, eps)), expected);
  expect_near(float64_values(batch_norm(doubles(line, {4, 1}), {}, {}, {}, {}, true, 0.1, eps)),
              expected);
  expect_near(float64_values(batch_norm(doubles({3}, {1, 1}), doubles({1}), doubles({4}), {}, {},
                                        false, 0.1, eps)),
              {2 / std::sqrt(4 + eps)});
  expect_near(float64_values(rms_norm(doubles({3, 4}), {2}, {}, eps)),
              {3 / std::sqrt(12.5 + eps), 4 / std::sqrt(12.5 + eps)});
  expect_near(float64_values(normalize(doubles({3e-4, 4e-4}), 2, 0, eps)), {0.3, 0.4});
  expect_near(float64_values(cosine_similarity(doubles({1e-3, 0}), doubles({1e-2, 0}), 0, kTenth)),
              {1e-5 / (kTenth * kTenth)});
  expect_near(float64_values(pairwise_distance(doubles({1, 1}), doubles({1, 1}), 1, kTenth)),
              {2 * kTenth});
}

TEST(Float64, RunningStatisticsMoveByMomentum) {
  const Tensor mean = doubles({1}), variance = doubles({1});
  batch_norm(doubles({1, 2, 3}, {3, 1}), mean, variance, {}, {}, true, kTenth, 1e-5);
  expect_near(float64_values(mean), {1 - kTenth + kTenth * 2});
  expect_near(float64_values(variance), {1 - kTenth + kTenth * 1});
}

TEST(Float64, GradientsOfNorms) {
  constexpr double eps = 1e-3, h = 1e-3;
  const std::vector<double> line{1, 2, 4, 0.5}, weights{0.3, -1, 2, 0.7};
  const auto loss_of = [&](const std::vector<double>& at) {
    const std::vector<double> made = standardized(at, eps);
    double loss = 0;
    for (std::size_t i = 0; i < made.size(); ++i) loss += made[i] * weights[i];
    return loss;
  };
  std::vector<double> expected;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto f = [&](double offset) {
      std::vector<double> moved = line;
      moved[i] += offset;
      return loss_of(moved);
    };
    expected.push_back((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
  }
  const auto expect_gradient = [&](const Dims& shape, const auto& norm) {
    const Tensor x = doubles(line, shape).requires_grad_();
    const Tensor loss = sum(norm(x).reshape({4}) * doubles(weights));
    const std::vector<double> found = float64_values(grad(loss, x));
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10);
  };
  expect_gradient({1, 4}, [](const Tensor& x) { return layer_norm(x, {4}, {}, {}, eps); });
  expect_gradient({1, 2, 2}, [](const Tensor& x) { return group_norm(x, 1, {}, {}, eps); });
  expect_gradient({4, 1},
                  [](const Tensor& x) { return batch_norm(x, {}, {}, {}, {}, true, 0.1, eps); });
}

TEST(Float64, SumsAndProducts) {
  const Tensor x = doubles({1, 2, 3, 4}, {2, 2});
  expect_near(float64_values(addmm(x, x, x, kTenth, kTenth)), {0.8, 1.2, 1.8, 2.6});
  expect_near(float64_values(mean(doubles({kTenth, kTenth, kTenth}))), {kTenth});
  expect_near(float64_values(norm(doubles({1, 2, 3}), 2.1)),
              {std::pow(1 + std::pow(2, 2.1) + std::pow(3, 2.1), 1 / 2.1)});
  expect_near(float64_values(var(doubles({1, 2, 4}), {}, kTenth)),
              {(16 + 1 + 25) / 9.0 / (3 - kTenth)});
  expect_near(float64_values(linspace(0, 0.3, 4, {.dtype = DType::float64})),
              {0, kTenth, 0.2, 0.3});
  expect_near(float64_values(arange(0, 0.35, kTenth, {.dtype = DType::float64})),
              {0, kTenth, 0.2, 0.3});
  expect_near(float64_values(pad(doubles({1}), {1, 0}, PaddingMode::constant, kTenth)),
              {kTenth, 1});
  const Tensor p = doubles({0.2, 0.8}, {1, 2});
  const Tensor smoothed = cross_entropy(log(p), tensor({1}), {.label_smoothing = kTenth});
  expect_near(float64_values(smoothed), {-0.95 * std::log(0.8) - 0.05 * std::log(0.2)});
  const Tensor triplet = triplet_margin_loss(doubles({0}, {1, 1}), doubles({1}, {1, 1}),
                                             doubles({1}, {1, 1}), {.margin = kTenth, .p = 1});
  expect_near(float64_values(triplet), {kTenth});
  const Tensor apart = cosine_embedding_loss(doubles({1, 0}, {1, 2}), doubles({3, 4}, {1, 2}),
                                             doubles({-1}), kTenth);
  expect_near(float64_values(apart), {0.6 - kTenth});
}

TEST(Float64, DropoutScales) {
  const Tensor kept = dropout(full({100}, 1.0, {.dtype = DType::float64}), kTenth);
  EXPECT_EQ(max(kept).item(), 1 / (1 - kTenth));
}

TEST(Float64, Interpolation) {
  const Tensor x = doubles({0, 1, 0, 0, 0}, {1, 1, 5});
  const auto sized = float64_values(
      interpolate(x, {.align_corners = true, .mode = InterpolationMode::linear, .size = {7}}));
  expect_near(sized, {0, 2.0 / 3, 2.0 / 3, 0, 0, 0, 0});
  const Tensor line = doubles({0.1, 0.2, 0.4}, {1, 1, 3});
  expect_near(float64_values(interpolate(
                  line, {.align_corners = true, .mode = InterpolationMode::linear, .size = {5}})),
              {0.1, 0.15, 0.2, 0.3, 0.4});
  // Output i shows (i + 0.5) / scale - 0.5.
  const Tensor ramp = doubles({0, 1, 2, 3, 4, 5, 6, 7}, {1, 1, 8}).requires_grad_();
  const Tensor scaled = interpolate(ramp, {.mode = InterpolationMode::linear, .scale_factor = 1.3});
  std::vector<double> expected;
  for (int i = 0; i < 10; ++i) expected.push_back(std::clamp((i + 0.5) / 1.3 - 0.5, 0.0, 7.0));
  expect_near(float64_values(scaled), expected);
  EXPECT_NEAR(sum(grad(scaled.sum(), ramp)).item(), 10, 1e-12);
  const Tensor plane = expand(ramp.detach().reshape({1, 1, 1, 8}), {1, 1, 8, 8});
  const InterpolateOptions by_cubics{.mode = InterpolationMode::bicubic, .scale_factor = 1.3};
  const Tensor cubic = interpolate(plane, by_cubics);
  const Tensor narrow = interpolate(plane.to(DType::float32), by_cubics);
  EXPECT_TRUE(allclose(cubic.to(DType::float32), narrow, 1e-5, 1e-5)) << cubic << narrow;
  EXPECT_NEAR(amax(abs(interpolate(plane * 0 + kTenth, by_cubics) - kTenth)).item(), 0, 1e-15);
  const Tensor near = interpolate(ramp, {.scale_factor = 1.3});
  expect_near(float64_values(near), {0, 0, 1, 2, 3, 3, 4, 5, 6, 6});
}

/// One step from 1 with the gradient 2 (twice, for what keeps a state).
TEST(Float64, OptimizersStepByTheirNumbers) {
  const auto after = [](const auto& make) {
    const Tensor w = doubles({1}).requires_grad_();
    auto optimizer = make(std::vector<Tensor>{w});
    for (int i = 0; i < 2; ++i) {
      w.set_grad(doubles({2}));
      optimizer.step();
    }
    return w.item();
  };
  const auto plain = after([](const auto& w) { return optim::SGD(w, {.lr = kTenth}); });
  EXPECT_NEAR(plain, 1 - 0.4, 1e-15);
  const auto momentum =
      after([](const auto& w) { return optim::SGD(w, {.lr = kTenth, .momentum = 0.9}); });
  EXPECT_NEAR(momentum, 1 - kTenth * 2 - kTenth * (0.9 * 2 + 2), 1e-15);
  const auto adam =
      after([](const auto& w) { return optim::Adam(w, {.eps = 1e-3, .lr = kTenth}); });
  EXPECT_NEAR(adam, 1 - 2 * kTenth * 2 / (2 + 1e-3), 1e-14);
}

}  // namespace
}  // namespace switchyard
