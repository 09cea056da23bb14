// Images read at positions, and shares drawn at random: PyTorch's values, and errors. The gradients
// of second order are those of the ops, which tests of their rules hold.
#include <gmock/gmock.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/family_inputs.hpp"
#include "functions/golden/torch_golden.hpp"
#include "functions/thrown.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

/// Numbers that follow no pattern: multiples of 1 / `below`.
Tensor mixed_numbers(std::int64_t factor, std::int64_t modulus, double below, const Dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  const Tensor whole = remainder(mul(arange(static_cast<double>(count)), factor), modulus);
  return reshape(div(whole, below), shape);
}
Tensor sampled_image() { return mixed_numbers(7, 11, 4, {2, 1, 3, 4}); }
Tensor sampled_volume() { return mixed_numbers(7, 11, 4, {1, 2, 2, 3, 2}); }
Tensor sample_positions() { return sub(mixed_numbers(5, 17, 6, {2, 3, 3, 2}), 1.4); }
Tensor volume_positions() { return sub(mixed_numbers(5, 17, 6, {1, 2, 2, 2, 3}), 1.4); }

void add_samples(GoldenCases& cases, const std::string& word, const GridSampleOptions& options) {
  const Tensor image = sampled_image(), grid = sample_positions();
  cases["grid_sample_" + word] = [=] { return grid_sample(image, grid, options); };
  cases["grid_sample_turned_" + word] = [=] {
    return grid_sample(transpose(image, 2, 3), transpose(grid, 1, 2), options);
  };
  if (options.mode != GridSampleMode::bicubic) {
    cases["grid_sample_volume_" + word] = [=] {
      return grid_sample(sampled_volume(), volume_positions(), options);
    };
  }
  cases["gradient_grid_sample_" + word] = [=] {
    return weighted_gradient([&](const Tensor& t) { return grid_sample(t, grid, options); }, image);
  };
  cases["gradient_grid_sample_grid_" + word] = [=] {
    return weighted_gradient(
        [&](const Tensor& t) { return grid_sample(image.to(t.dtype()), t, options); },
        grid.to(DType::float64));
  };
}

void add_affine_grids(GoldenCases& cases, const std::string& word, bool corners) {
  const Tensor theta = tensor({1., 0., 0.5, 0.25, -1., 0.}).reshape({1, 2, 3});
  const Tensor space =
      tensor({1., 0., 0.5, 0., 0.25, -1., 0., 1., 0., 0.5, 2., 0.}).reshape({1, 3, 4});
  cases["affine_grid_" + word] = [=] { return affine_grid(theta, {1, 3, 2, 3}, corners); };
  cases["affine_grid_two_" + word] = [=] {
    return affine_grid(cat({theta, mul(theta, 2)}), {2, 1, 1, 4}, corners);
  };
  cases["affine_grid_volume_" + word] = [=] {
    return affine_grid(space, {1, 1, 2, 2, 3}, corners);
  };
  cases["gradient_affine_grid_" + word] = [=] {
    return weighted_gradient(
        [&](const Tensor& t) {
          return affine_grid(t, {1, 3, 2, 3}, corners);
        },
        theta);
  };
}

TEST(Sampling, IsWhatPyTorchGives) {
  const std::pair<const char*, GridSampleMode> modes[] = {{"bilinear", GridSampleMode::bilinear},
                                                          {"nearest", GridSampleMode::nearest},
                                                          {"bicubic", GridSampleMode::bicubic}};
  const std::pair<const char*, GridSamplePaddingMode> paddings[] = {
      {"zeros", GridSamplePaddingMode::zeros},
      {"border", GridSamplePaddingMode::border},
      {"reflection", GridSamplePaddingMode::reflection}};
  GoldenCases cases;
  for (const auto& [mode_word, mode] : modes) {
    for (const auto& [padding_word, padding] : paddings) {
      for (const bool corners : {false, true}) {
        add_samples(cases,
                    std::string(mode_word) + "_" + padding_word + (corners ? "_corners" : "_edges"),
                    {.align_corners = corners, .mode = mode, .padding_mode = padding});
      }
    }
  }
  add_affine_grids(cases, "edges", false);
  add_affine_grids(cases, "corners", true);
  cases["grid_sample_none"] = [] { return grid_sample(sampled_image(), zeros({2, 0, 3, 2})); };
  check_golden("sampling_golden.txt", cases, 1e-5);
}

TEST(Sampling, RefusesWhatDoesNotGoTogether) {
  EXPECT_THAT(thrown([] {
                grid_sample(sampled_image(), zeros({1, 2, 2, 2}));
              }),
              HasSubstr("[grid_sample] images float32[2, 1, 3, 4]"));
  EXPECT_THAT(thrown([] {
                grid_sample(sampled_image(), zeros({2, 2, 2, 3}));
              }),
              HasSubstr("[grid_sample]"));
  EXPECT_THAT(thrown([] {
                grid_sample(sampled_volume(), volume_positions(),
                            {.mode = GridSampleMode::bicubic});
              }),
              HasSubstr("[grid_sample]"));
  EXPECT_THAT(thrown([] {
                affine_grid(zeros({1, 2, 3}), {2, 1, 3, 3});
              }),
              HasSubstr("[affine_grid] theta [1, 2, 3] and size [2, 1, 3, 3]"));
}

TEST(Sampling, SharesAddUpToOneAndFollowTheWeights) {
  manual_seed(5);
  const Tensor logits = log(tensor({1., 2., 5.})).expand({4000, 3});
  const Tensor soft = gumbel_softmax(logits, {.tau = 0.7});
  EXPECT_TRUE(allclose(sum(soft, {1}), ones({4000})));
  const Tensor hard = gumbel_softmax(logits, {.hard = true});
  EXPECT_EQ(sum(hard).item(), 4000);
  EXPECT_TRUE(all(logical_or(eq(hard, 0), eq(hard, 1))).item<bool>());
  const std::vector<double> shares = values(mean(hard, {0}));
  const double expected[] = {0.125, 0.25, 0.625};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(shares[i], expected[i], 0.03);
}

TEST(Sampling, SharesHaveTheGradientOfSoftmax) {
  const Tensor logits = scattered({2, 4}).requires_grad_();
  const Tensor weights = scattered({2, 4}, -1, 1, 1);
  std::vector<std::vector<double>> gradients;
  for (const bool hard : {false, true}) {
    manual_seed(9);
    logits.set_grad({});
    const Tensor drawn = gumbel_softmax(logits, {.dim = 0, .hard = hard, .tau = 0.5});
    sum(mul(drawn, weights)).backward();
    gradients.push_back(values(logits.grad()));
  }
  EXPECT_EQ(gradients[0], gradients[1]);
  const Differentiable seeded = [](auto in) {
    manual_seed(9);
    return gumbel_softmax(in[0], {.dim = -1, .tau = 2});
  };
  CHECK_GRADIENTS(seeded, {scattered({2, 4})});
}

TEST(Sampling, SharesNeedATemperature) {
  EXPECT_THAT(thrown([] { gumbel_softmax(ones({3}), {.tau = 0}); }),
              HasSubstr("[gumbel_softmax] tau is 0"));
  EXPECT_THAT(thrown([] { gumbel_softmax(tensor({1, 2})); }), HasSubstr("[gumbel_softmax] needs"));
}

}  // namespace
}  // namespace switchyard
