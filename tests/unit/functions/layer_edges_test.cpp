// Functions of layers at their edges: strides, no elements, what is not finite, gradients of
// gradients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "functions/values.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using In = std::span<const Tensor>;

struct Shaped {
  const char* name;
  Dims shape;
  std::function<Tensor(const Tensor&)> function;
};

Tensor ctc_of(const Tensor& x) {
  return ctc_loss(log_softmax(x, -1), tensor({{1, 1}, {2, 0}}), tensor({4, 3}), tensor({2, 1}),
                  {.reduction = Reduction::none});
}

std::vector<Shaped> of_one_tensor() {
  return {
      {"adaptive_avg_pool1d", {2, 2, 5}, [](const Tensor& x) { return adaptive_avg_pool1d(x, 3); }},
      {"adaptive_avg_pool3d",
       {1, 1, 3, 2, 3},
       [](const Tensor& x) { return adaptive_avg_pool3d(x, 2); }},
      {"adaptive_max_pool2d",
       {1, 2, 5, 3},
       [](const Tensor& x) { return adaptive_max_pool2d(x, 2); }},
      {"max_pool3d", {1, 2, 3, 4, 3}, [](const Tensor& x) { return max_pool3d(x, 2); }},
      {"avg_pool3d", {1, 2, 3, 4, 3}, [](const Tensor& x) { return avg_pool3d(x, 2); }},
      {"conv3d",
       {1, 2, 2, 3, 3},
       [](const Tensor& x) {
         const Tensor weight = scattered({2, 2, 2, 2, 2}, -1, 1, 1).to(x.dtype());
         return conv3d(x, weight, {}, {.padding = 1, .stride = 2});
       }},
      {"instance_norm", {2, 2, 3}, [](const Tensor& x) { return instance_norm(x); }},
      {"glu", {2, 4}, [](const Tensor& x) { return glu(x); }},
      {"unfold", {2, 2, 3, 3}, [](const Tensor& x) { return unfold(x, 2, {.padding = 1}); }},
      {"fold",
       {2, 4, 4},
       [](const Tensor& x) {
         return fold(x, {3, 3}, 2);
       }},
      {"pixel_shuffle", {2, 4, 2, 2}, [](const Tensor& x) { return pixel_shuffle(x, 2); }},
      {"pixel_unshuffle", {2, 1, 2, 4}, [](const Tensor& x) { return pixel_unshuffle(x, 2); }},
      {"embedding_bag",
       {4, 3},
       [](const Tensor& x) {
         return embedding_bag(tensor({0, 3, 3, 1}), x, tensor({0, 3}));
       }},
      {"ctc_loss", {4, 2, 3}, ctc_of},
  };
}

TEST(LayerEdges, AnyStridesAreRead) {
  for (const Shaped& shaped : of_one_tensor()) {
    SCOPED_TRACE(shaped.name);
    const Tensor x = scattered(shaped.shape).to(DType::float32);
    const Tensor expected = shaped.function(x);
    EXPECT_TRUE(equal(shaped.function(strided(x)), expected));
    const Tensor longer = cat({zeros_like(x), x});
    EXPECT_TRUE(equal(shaped.function(longer.narrow(0, x.size(0), x.size(0))), expected))
        << "behind an offset";
  }
}

TEST(LayerEdges, GradientsHaveGradients) {
  for (const Shaped& shaped : of_one_tensor()) {
    SCOPED_TRACE(shaped.name);
    const std::vector<Tensor> in = {strided(scattered(shaped.shape))};
    CHECK_GRADIENTS([&](In x) { return shaped.function(x[0]); }, in,
                    {.tolerance = 1e-5, .spread = false});
  }
}

TEST(LayerEdges, BatchesOfNoneStayNone) {
  EXPECT_EQ(adaptive_max_pool2d(zeros({0, 2, 5, 3}), 2).shape(), (Dims{0, 2, 2, 2}));
  EXPECT_EQ(adaptive_avg_pool1d(zeros({0, 2, 5}), 2).shape(), (Dims{0, 2, 2}));
  EXPECT_EQ(instance_norm(zeros({0, 2, 5})).shape(), (Dims{0, 2, 5}));
  EXPECT_EQ(glu(zeros({0, 4})).shape(), (Dims{0, 2}));
  EXPECT_EQ(unfold(zeros({0, 2, 3, 3}), 2).shape(), (Dims{0, 8, 4}));
  EXPECT_EQ(pixel_shuffle(zeros({0, 4, 2, 2}), 2).shape(), (Dims{0, 1, 4, 4}));
  EXPECT_EQ(dropout2d(zeros({0, 2, 5, 5})).shape(), (Dims{0, 2, 5, 5}));
  const Tensor none = zeros({0}, {.dtype = DType::int64});
  EXPECT_TRUE(equal(embedding_bag(none, ones({3, 2}), tensor({0, 0})), zeros({2, 2})));
  EXPECT_EQ(embedding_bag(zeros({0, 3}, {.dtype = DType::int64}), ones({3, 2})).shape(),
            (Dims{0, 2}));
}

TEST(LayerEdges, WhatIsNotFiniteStaysInItsWindow) {
  const Tensor x = tensor({{NAN, 1., 2., INFINITY, -INFINITY}});
  EXPECT_THAT(values(isnan(adaptive_max_pool1d(x, 3))), ElementsAre(1, 0, 0));
  EXPECT_THAT(values(adaptive_max_pool1d(x.narrow(1, 1, 4), 3)),
              ElementsAre(2, INFINITY, INFINITY));
  EXPECT_THAT(values(isfinite(adaptive_avg_pool1d(x, 5))), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(values(adaptive_max_pool1d(tensor({{-INFINITY, -INFINITY, -INFINITY}}), 2)),
              ElementsAre(-INFINITY, -INFINITY));
}

TEST(LayerEdges, WindowsOfIntegersAreCopied) {
  const Tensor x = arange(9).reshape({1, 3, 3});
  EXPECT_THAT(values(unfold(x, 2).select(1, 0)), ElementsAre(0, 1, 3, 4));
  EXPECT_EQ(unfold(x, 2).dtype(), DType::int64);
  EXPECT_TRUE(equal(pixel_unshuffle(pixel_shuffle(arange(16).reshape({4, 2, 2}), 2), 2),
                    arange(16).reshape({4, 2, 2})));
}

TEST(LayerEdges, RunningStatisticsMoveToTheAveragesOfTheBatch) {
  const Tensor x = tensor({{{1., 3.}}, {{2., 8.}}});
  const Tensor mean = zeros({1}), variance = ones({1});
  static_cast<void>(instance_norm(x, mean, variance, {}, {}, true, 0.5));
  EXPECT_THAT(values(mean), ElementsAre(1.75));
  EXPECT_THAT(values(variance), ElementsAre(5.5));
  EXPECT_NEAR(instance_norm(x, mean, variance, {}, {}, false, 0.5, 0)[0][0][1].item(),
              1.25 / std::sqrt(5.5), 1e-6);
}

TEST(LayerEdges, WeightsOfSamplesHaveGradients) {
  const Tensor rows = scattered({3, 2}), weights = scattered({4}, -1, 1, 1);
  const std::vector<Tensor> in = {rows, weights};
  CHECK_GRADIENTS(
      [](In x) {
        return embedding_bag(tensor({0, 2, 2, 1}), x[0], tensor({0, 3}), x[1],
                             {.mode = EmbeddingBagMode::sum});
      },
      in, {.spread = false});
}

}  // namespace
}  // namespace switchyard
