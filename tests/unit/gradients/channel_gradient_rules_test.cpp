// Gradients of norms by channels, which are ops of their own: to second order, beside the same in
// single ops, and those of the ops themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <switchyard/autograd.hpp>
#include <switchyard/nn.hpp>

#include "functions/calls/call.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

constinit const EagerOp kBatch("BatchNormalization"), kGroup("GroupNormalization"),
    kInstance("InstanceNormalization"), kBatchGradient("BatchNormalizationGradient", "switchyard"),
    kGroupGradient("GroupNormalizationGradient", "switchyard");

constexpr double kEpsilon = 0.125;

Tensor in_batches(In in) { return batch_norm(in[0], {}, {}, in[1], in[2], true, 0.1, kEpsilon); }

/// A norm by groups: `groups` of 0 is a batch's.
Tensor normed(In in, std::int64_t groups) {
  return groups == 0 ? in_batches(in) : group_norm(in[0], groups, in[1], in[2], kEpsilon);
}

TEST(ChannelGradientRules, OfNormsToSecondOrder) {
  for (const Dims& shape : {Dims{2, 4, 3}, Dims{3, 2}, Dims{2, 2, 2, 2}}) {
    const std::int64_t channels = shape[1];
    const Tensor x = scattered(shape), scale = scattered({channels}, 0.5, 2, 1),
                 bias = scattered({channels}, -1, 1, 2);
    for (const std::int64_t groups : {std::int64_t{0}, std::int64_t{1}, channels / 2}) {
      const auto forward = [&](In in) { return normed(in, groups); };
      CHECK_GRADIENTS(forward, {x, scale, bias});
      CHECK_GRADIENTS(forward, {strided(x), strided(scale), strided(bias)});
      CHECK_GRADIENTS([&](In in) { return normed(std::vector{in[0], scale, bias}, groups); }, {x});
      CHECK_GRADIENTS(
          [&](In in) {
            return normed(std::vector{x, in[0], in[1]}, groups);
          },
          {scale, bias});
      CHECK_GRADIENTS(
          [&](In in) {
            return normed(std::vector{in[0], scale, in[1]}, groups);
          },
          {x, bias});
    }
  }
}

TEST(ChannelGradientRules, OfInstancesToSecondOrder) {
  const Attributes given = attributes({{"epsilon", 0.125F}});
  const Tensor x = scattered({2, 3, 4}), scale = scattered({3}, 0.5, 2, 1),
               bias = scattered({3}, -1, 1, 2);
  CHECK_GRADIENTS([&](In in) { return kInstance(in, given); }, {x, scale, bias});
  CHECK_GRADIENTS([&](In in) { return kInstance({x, in[0], in[1]}, given); }, {scale, bias});
}

/// The first `count` outputs in a row.
Tensor in_a_row(const EagerOp& op, std::size_t count, In in, const Attributes& given) {
  std::vector<Tensor> rows;
  for (const Tensor& one : op.outputs(count, in, given)) rows.push_back(reshape(one, {-1}));
  return cat(rows);
}

TEST(ChannelGradientRules, OfTheGradientsThemselves) {
  const Tensor grad_output = strided(scattered({2, 4, 3})),
               x = strided(scattered({2, 4, 3}, -1, 1, 1)), scale = scattered({4}, 0.5, 2, 2);
  const Attributes batch = attributes({{"epsilon", 0.125F}, {"stash_type", std::int64_t{11}}});
  Attributes group = batch;
  group.set("num_groups", std::int64_t{2});
  for (std::size_t count = 1; count <= 3; ++count) {
    CHECK_GRADIENTS([&](In in) { return in_a_row(kBatchGradient, count, in, batch); },
                    {grad_output, x, scale});
    CHECK_GRADIENTS([&](In in) { return in_a_row(kGroupGradient, count, in, group); },
                    {grad_output, x, scale});
  }
}

/// The gradients by x, scale and bias of what `f` makes of them, of weights `weights`.
std::vector<Tensor> gradients_by(const std::function<Tensor(In)>& f, const Tensor& x,
                                 const Tensor& scale, const Tensor& weights) {
  std::vector<Tensor> own = {x.detach().clone(), scale.detach().clone(), zeros_like(scale)};
  for (Tensor& one : own) one.requires_grad_();
  const std::vector<Tensor> made = {f(own)};
  return grad(made, own, {.grad_outputs = {weights.to(made[0].dtype())}});
}

Tensor normed_in_steps(In in, std::int64_t groups) {
  const Tensor &x = in[0], &scale = in[1];
  const DType type = x.dtype() == DType::float64 ? DType::float64 : DType::float32;
  const std::int64_t samples = x.size(0), channels = x.size(1);
  const std::int64_t rest = x.size() / std::max<std::int64_t>(1, samples * channels);
  const Dims lines =
      groups == 0 ? Dims{samples, channels, rest} : Dims{samples, groups, channels / groups * rest};
  const Dims within = groups == 0 ? Dims{0, 2} : Dims{2};
  const Tensor wide = reshape(x.to(type), lines), centred = sub(wide, mean(wide, within, true));
  const Tensor factor = rsqrt(add(mean(square(centred), within, true), kEpsilon));
  const Tensor planes = reshape(mul(centred, factor), {samples, channels, rest});
  const Tensor made = add(mul(planes, reshape(scale.to(type), {channels, 1})),
                          reshape(in[2].to(type), {channels, 1}));
  return reshape(made, x.shape());
}

void expect_all_close(const std::vector<Tensor>& found, const std::vector<Tensor>& other,
                      double tolerance) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].shape(), other[i].shape());
    const auto left = found[i].to(DType::float64).to_vector<double>(),
               right = other[i].to(DType::float64).to_vector<double>();
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (std::isnan(right[k])) {
        EXPECT_TRUE(std::isnan(left[k])) << i << " " << k;
      } else if (left[k] != right[k]) {
        EXPECT_NEAR(left[k], right[k], tolerance * (1 + std::abs(right[k]))) << i << " " << k;
      }
    }
  }
}

TEST(ChannelGradientRules, AgreeWithTheirSteps) {
  for (const Dims& shape : {Dims{6, 4, 9}, Dims{40, 4}, Dims{3, 4, 5, 5}, Dims{2, 4, 2, 3, 2}}) {
    const Tensor x = scattered(shape, -3, 3), scale = scattered({4}, 0.5, 2, 1),
                 weights = scattered(shape, -1, 1, 2);
    for (const std::int64_t groups : {0, 1, 2, 4}) {
      const auto check = [&](DType dtype, double tolerance) {
        const Tensor own = x.to(dtype), by = scale.to(dtype), grad_output = weights.to(dtype);
        expect_all_close(
            gradients_by([&](In in) { return normed(in, groups); }, own, by, grad_output),
            gradients_by([&](In in) { return normed_in_steps(in, groups); }, own, by, grad_output),
            tolerance);
      };
      check(DType::float64, 1e-13);
      check(DType::float32, 2e-5);
      check(DType::float16, 2e-2);
      check(DType::bfloat16, 2e-1);
    }
  }
}

TEST(ChannelGradientRules, OfNoElementsAreNothing) {
  const Tensor x = scattered({0, 4, 3}), scale = scattered({4}, 0.5, 2, 1);
  const auto made =
      gradients_by([](In in) { return group_norm(in[0], 2, in[1], in[2]); }, x, scale, x);
  EXPECT_EQ(made[0].shape(), (Dims{0, 4, 3}));
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(made[i].to_vector<double>(), (std::vector<double>{0, 0, 0, 0}));
  }
}

/// Where the op does not say all: a scale of another type.
TEST(ChannelGradientRules, OfBatchesThatTheOpDoesNotCover) {
  const Attributes given = attributes({{"epsilon", 0.125F}, {"training_mode", std::int64_t{1}}});
  const auto forward = [&](In in) {
    const Tensor zero = zeros_like(in[1]);
    return kBatch({in[0], in[1], in[2], zero, zero}, given);
  };
  const Tensor x = scattered({3, 2, 4}, -3, 3), scale = scattered({2}, 0.5, 2, 1),
               weights = scattered({3, 2, 4}, -1, 1, 2);
  const auto exact = gradients_by(forward, x, scale, weights);
  const auto mixed = gradients_by(forward, x.to(DType::float16), scale.to(DType::float32), weights);
  EXPECT_EQ(mixed[1].dtype(), DType::float32);
  expect_all_close(mixed, exact, 1e-2);
}

TEST(ChannelGradientRules, ModulesTrain) {
  nn::BatchNorm2d batch(4);
  nn::GroupNorm group(2, 4);
  const Tensor x = scattered({2, 4, 3, 3}).to(DType::float32).requires_grad_();
  sum(square(group(batch(x)))).backward();
  for (const Tensor& parameter : batch.parameters()) EXPECT_TRUE(parameter.grad().defined());
  for (const Tensor& parameter : group.parameters()) EXPECT_TRUE(parameter.grad().defined());
  EXPECT_EQ(x.grad().shape(), x.shape());
}

}  // namespace
}  // namespace switchyard
