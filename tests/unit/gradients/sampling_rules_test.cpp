// Gradients of what samples images at positions between their pixels, and pools regions of them.
#include <gtest/gtest.h>

#include "functions/calls/call.hpp"
#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Ints = std::vector<std::int64_t>;

constinit const EagerOp kGridSample("GridSample"), kRoiAlign("RoiAlign"), kMaxRoiPool("MaxRoiPool"),
    kDeformConv("DeformConv");

Tensor doubles(const std::vector<double>& values, const Dims& shape) {
  return host_tensor(shape, values);
}

Attributes sampling(const char* mode, const char* padding, std::int64_t aligned) {
  return attributes({{"align_corners", aligned},
                     {"mode", std::string(mode)},
                     {"padding_mode", std::string(padding)}});
}

/// A position that is moved to the edge is between two pixels, of which one has a weight of 0.
void check_grid_sample(const Tensor& images, const Tensor& grid, const Attributes& given) {
  const GradcheckOptions options = {.spread = given.get_text("padding_mode", "") == "zeros"};
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kGridSample({in[0], in[1]}, given));
      },
      {images, grid}, options);
}

TEST(SamplingRules, OfGrids) {
  const Tensor images = strided(scattered({2, 2, 3, 4}));
  const Tensor grid = strided(scattered({2, 2, 3, 2}, -1.7, 1.7, 1));
  for (const char* padding : {"zeros", "border", "reflection"}) {
    for (const std::int64_t aligned : {0, 1}) {
      check_grid_sample(images, grid, sampling("linear", padding, aligned));
      check_grid_sample(images, grid, sampling("cubic", padding, aligned));
      check_grid_sample(images, grid, sampling("nearest", padding, aligned));
    }
  }
}

TEST(SamplingRules, OfGridsOfOneAndThreeAxes) {
  for (const char* padding : {"zeros", "reflection"}) {
    check_grid_sample(scattered({1, 2, 5}), scattered({1, 4, 1}, -1.2, 1.2, 1),
                      sampling("linear", padding, 0));
    check_grid_sample(scattered({1, 1, 2, 3, 2}), scattered({1, 1, 2, 2, 3}, -1.2, 1.2, 1),
                      sampling("linear", padding, 1));
  }
}

TEST(SamplingRules, OfPositionsFarAwayAreNothing) {
  const Tensor images = scattered({1, 1, 2, 2}).requires_grad_();
  Tensor grid = doubles({INFINITY, 0, 1e30, -1e30}, {1, 1, 2, 2}).requires_grad_();
  sum(kGridSample({images, grid}, sampling("linear", "zeros", 0))).backward();
  EXPECT_EQ(images.grad().to_vector<double>(), std::vector<double>(4, 0.0));
  EXPECT_EQ(grid.grad().to_vector<double>(), std::vector<double>(4, 0.0));
}

Attributes alignment(const char* coordinates, const char* mode, std::int64_t samples) {
  return attributes({{"coordinate_transformation_mode", std::string(coordinates)},
                     {"mode", std::string(mode)},
                     {"output_height", std::int64_t{2}},
                     {"output_width", std::int64_t{3}},
                     {"sampling_ratio", samples},
                     {"spatial_scale", 0.5F}});
}

TEST(SamplingRules, OfAlignedRegions) {
  const Tensor images = strided(scattered({2, 2, 5, 6}));
  const Tensor regions =
      strided(doubles({1.3, 0.9, 7.1, 8.3, -2.7, 2.2, 15.4, 5.6, 4.4, 3.1, 4.9, 3.8}, {3, 4}));
  const Tensor owners = tensor({1, 0, 1}, {.dtype = DType::int64});
  for (const char* coordinates : {"half_pixel", "output_half_pixel"}) {
    for (const char* mode : {"avg", "max"}) {
      for (const std::int64_t samples : {0, 2}) {
        CHECK_GRADIENTS(
            [&](In in) {
              return square(
                  kRoiAlign({in[0], in[1], owners}, alignment(coordinates, mode, samples)));
            },
            {images, regions}, {.spread = false});  // samples beyond the edge are moved to it
      }
    }
  }
}

/// They have no samples.
TEST(SamplingRules, OfRegionsThatAreTurnedRound) {
  const Tensor regions = doubles({7, 0.5, 1, 8}, {1, 4});
  const Tensor owners = tensor({0}, {.dtype = DType::int64});
  for (const char* mode : {"avg", "max"}) {
    CHECK_GRADIENTS(
        [&](In in) {
          return kRoiAlign({in[0], in[1], owners}, alignment("half_pixel", mode, 0));
        },
        {scattered({1, 1, 4, 4}), regions});
  }
}

/// Nor has one that is nowhere, and it leaves what other regions give alone.
TEST(SamplingRules, OfRegionsThatAreNotNumbers) {
  const double nan = std::nan("");
  const auto gradient = [](const std::vector<double>& corners, std::int64_t regions) {
    const Tensor images = scattered({1, 1, 4, 4}).requires_grad_();
    const Tensor owners = zeros({regions}, {.dtype = DType::int64});
    sum(kRoiAlign({images, doubles(corners, {regions, 4}), owners},
                  alignment("half_pixel", "avg", 0)))
        .backward();
    return images.grad();
  };
  EXPECT_TRUE(equal(gradient({0, 0, 3, 3, nan, nan, nan, nan}, 2), gradient({0, 0, 3, 3}, 1)));
}

TEST(SamplingRules, OfPooledRegions) {
  const Tensor regions = doubles({0, 1, 1, 9, 7, 1, 3, 0, 5, 11, 1, 14, 14, 20, 20}, {3, 5});
  const Attributes given = attributes({{"pooled_shape", Ints{2, 3}}, {"spatial_scale", 0.5F}});
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kMaxRoiPool({in[0], regions}, given));
      },
      {strided(scattered({2, 2, 5, 6}))});
}

/// The offsets' numbers for a kernel of 2 x 2 whose windows have 3 x 2 positions.
Tensor offsets(std::int64_t images, std::int64_t groups, double reach) {
  return scattered({images, groups * 8, 3, 2}, -reach, reach, 2);
}

/// Weights are multiplied by 0 where a window sees nothing.
const GradcheckOptions kPaddedImages = {.spread = false};

TEST(SamplingRules, OfDeformableConvolutions) {
  const Attributes given = attributes({{"pads", Ints{1, 0, 0, 1}}, {"strides", Ints{1, 2}}});
  const Tensor weights = scattered({3, 2, 2, 2}, -1, 1, 1);
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kDeformConv({in[0], weights, in[1]}, given));
      },
      {scattered({2, 2, 3, 4}), offsets(2, 1, 0.9)});
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kDeformConv({in[0], in[1], in[2]}, given));
      },
      {strided(scattered({2, 2, 3, 4})), strided(scattered({3, 2, 2, 2}, -1, 1, 1)),
       strided(offsets(2, 1, 0.9))},
      kPaddedImages);
}

TEST(SamplingRules, OfDeformableConvolutionsInGroups) {
  const Attributes given = attributes({{"dilations", Ints{2, 1}},
                                       {"group", std::int64_t{2}},
                                       {"offset_group", std::int64_t{2}},
                                       {"pads", Ints{1, 0, 1, 0}}});
  CHECK_GRADIENTS(
      [&](In in) {
        return square(kDeformConv({in[0], in[1], in[2], in[3], in[4]}, given));
      },
      {scattered({1, 4, 3, 3}), scattered({2, 2, 2, 2}, -1, 1, 1), offsets(1, 2, 2.4),
       scattered({2}, -1, 1, 3), strided(scattered({1, 8, 3, 2}, 0, 1, 4))},
      kPaddedImages);
}

}  // namespace
}  // namespace switchyard
