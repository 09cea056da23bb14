#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "normalization/moments.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

TEST(MeanVarianceNorm, DefaultAndGivenAxes) {
  for (const sy_dtype dtype : float_dtypes) {
    const Value input = random_value(dtype, image);
    const Normalized expected(input, 6, channel_of);
    std::vector<double> y;
    const std::vector<double> x = as_doubles(input);
    for (size_t i = 0; i < x.size(); ++i) {
      const int64_t c = channel_of(static_cast<int64_t>(i));
      y.push_back((x[i] - expected.mean[c]) / (std::sqrt(expected.variance[c]) + 1e-9));
    }
    for (const Value& layout : layouts_of(input)) {
      expect_near(OneNode("MeanVarianceNormalization")
                      .attribute("axes", std::vector<int64_t>{0, 2, 3})
                      .input(layout)
                      .output(dtype, image)
                      .run(),
                  y, 2, slack(dtype));
    }
  }
}

TEST(LpNorm, BothNormsAnyAxisAndZeros) {
  for (const sy_dtype dtype : float_dtypes) {
    const Value plain = from_doubles(dtype, {2, 2}, {3, 4, -6, 8});
    for (const Value& input : layouts_of(plain)) {
      const auto run = [&](int axis, int p) {
        return OneNode("LpNormalization")
            .attribute("axis", axis)
            .attribute("p", p)
            .input(input)
            .output(dtype, {2, 2})
            .run();
      };
      expect_near(run(-1, 2), {0.6, 0.8, -0.6, 0.8}, 1);
      expect_near(run(1, 1), {3.0 / 7, 4.0 / 7, -6.0 / 14, 8.0 / 14}, 1);
      expect_near(run(0, 1), {3.0 / 9, 4.0 / 12, -6.0 / 9, 8.0 / 12}, 1);
    }
  }
  expect_near(OneNode("LpNormalization")
                  .attribute("axis", 0)
                  .attribute("p", 2)
                  .input(value<float>({2}, {0, 0}))
                  .output(SY_FLOAT32, {2})
                  .run(),
              {0, 0}, 0);
}

TEST(Lrn, WindowsOfEverySize) {
  for (const sy_dtype dtype : float_dtypes) {
    for (const int size : {1, 3, 4, 9}) {
      for (const double beta : {0.75, 0.5}) {
        const Value plain = random_value(dtype, image);
        const std::vector<double> x = as_doubles(plain);
        std::vector<double> y;
        for (size_t i = 0; i < x.size(); ++i) {
          const int64_t c = channel_of(static_cast<int64_t>(i));
          double sum = 0;
          for (int64_t k = std::max<int64_t>(0, c - (size - 1) / 2);
               k <= std::min<int64_t>(5, c + size / 2); ++k) {
            sum += std::pow(x[static_cast<int64_t>(i) + (k - c) * area], 2);
          }
          y.push_back(x[i] / std::pow(1.5 + static_cast<double>(0.3f) / size * sum, beta));
        }
        for (const Value& input : layouts_of(plain)) {
          expect_near(OneNode("LRN")
                          .attribute("size", size)
                          .attribute("alpha", 0.3)
                          .attribute("beta", beta)
                          .attribute("bias", 1.5)
                          .input(input)
                          .output(dtype, image)
                          .run(),
                      y, 6);
        }
      }
    }
  }
}

TEST(NormalizationRefusals, NameTheReason) {
  OneNode lp("LpNormalization");
  lp.attribute("p", 3).input(value<float>({1}, {1})).output(SY_FLOAT32, {1});
  EXPECT_EQ(lp.verdict().reason, SY_REASON_ATTRIBUTE);
  OneNode group("GroupNormalization");
  group.attribute("num_groups", 4)
      .attribute("epsilon", 1e-5)
      .input(random_value(SY_FLOAT32, image))
      .input(random_value(SY_FLOAT32, {6}))
      .input(random_value(SY_FLOAT32, {6}))
      .output(SY_FLOAT32, image);
  EXPECT_THROW(group.run(), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
