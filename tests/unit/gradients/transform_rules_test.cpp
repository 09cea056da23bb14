// Gradients of determinants, Fourier transforms, grids and unpooling.
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>

#include "functions/calls/call.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Ints = std::vector<std::int64_t>;

constinit const EagerOp kDet("Det"), kDft("DFT"), kStft("STFT"), kAffineGrid("AffineGrid"),
    kMaxUnpool("MaxUnpool"), kMaxPool("MaxPool");

TEST(TransformRules, OfDeterminants) {
  for (const std::int64_t n : {1, 2, 3, 4}) {
    CHECK_GRADIENTS([](In in) { return kDet({in[0]}); }, {strided(scattered({2, n, n}))});
  }
  // Of a singular matrix: that of its only cofactors that are not 0.
  const Tensor singular = tensor({{1., 2.}, {2., 4.}}).to(DType::float64).requires_grad_();
  EXPECT_TRUE(allclose(grad(kDet({singular}), singular),
                       tensor({{4., -2.}, {-2., 1.}}).to(DType::float64)));
}

/// Some sines, and coordinates in the middle, are 0.
const GradcheckOptions kHasZeros = {.spread = false};

TEST(TransformRules, OfFourierTransforms) {
  const auto dft = [](std::int64_t length, bool inverse, bool onesided, std::int64_t axis) {
    const Attributes given =
        attributes({{"inverse", std::int64_t{inverse}}, {"onesided", std::int64_t{onesided}}});
    return [=](In in) {
      const Tensor size = length == 0 ? Tensor() : int64_scalar(length);
      return square(kDft({in[0], size, int64_scalar(axis)}, given));
    };
  };
  const Tensor real = strided(scattered({2, 5, 1})), complex = scattered({2, 5, 2});
  for (const std::int64_t length : {0, 4, 7}) {
    CHECK_GRADIENTS(dft(length, false, false, 1), {real}, kHasZeros);
    CHECK_GRADIENTS(dft(length, false, false, -2), {complex}, kHasZeros);
    CHECK_GRADIENTS(dft(length, true, false, 1), {complex}, kHasZeros);
    CHECK_GRADIENTS(dft(length, false, true, 1), {real}, kHasZeros);
    CHECK_GRADIENTS(dft(length, true, true, 1), {complex}, kHasZeros);
  }
  CHECK_GRADIENTS(dft(0, false, false, 0), {complex}, kHasZeros);
}

TEST(TransformRules, OfShortTimeTransforms) {
  for (const std::int64_t onesided : {0, 1}) {
    const Attributes given = attributes({{"onesided", onesided}});
    const Tensor signal = strided(scattered({2, 9, 1}));
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kStft({in[0], int64_scalar(2), in[1]}, given));
        },
        {signal, scattered({4}, 0.2, 1)}, kHasZeros);
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kStft({in[0], int64_scalar(3), {}, int64_scalar(3)}, given));
        },
        {scattered({1, 8})}, kHasZeros);
  }
  CHECK_GRADIENTS(
      [](In in) {
        return square(
            kStft({in[0], int64_scalar(2), in[1]}, attributes({{"onesided", std::int64_t{0}}})));
      },
      {scattered({1, 6, 2}), scattered({3}, 0.2, 1)}, kHasZeros);
}

TEST(TransformRules, OfAffineGrids) {
  for (const std::int64_t corners : {0, 1}) {
    const Attributes given = attributes({{"align_corners", corners}});
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kAffineGrid({in[0], int64s({2, 1, 3, 4})}, given));
        },
        {strided(scattered({2, 2, 3}))}, kHasZeros);
    CHECK_GRADIENTS(
        [&](In in) {
          return square(kAffineGrid({in[0], int64s({1, 1, 2, 3, 2})}, given));
        },
        {scattered({1, 3, 4})}, kHasZeros);
  }
}

TEST(TransformRules, OfUnpooling) {
  const Attributes window = attributes({{"kernel_shape", Ints{2}}, {"strides", Ints{2}}});
  const auto pooled = kMaxPool.outputs(2, {scattered({1, 2, 6})}, window);
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kMaxUnpool({in[0], pooled[1]}, window));
      },
      {strided(pooled[0])});
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kMaxUnpool({in[0], pooled[1], int64s({1, 2, 8})}, window));
      },
      {pooled[0]});
}

}  // namespace
}  // namespace switchyard
