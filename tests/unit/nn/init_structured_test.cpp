// First values that are not all alike.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

namespace init = nn::init;
using testing::HasSubstr;

std::string init_refusal(const std::function<void()>& call) { return error_of(call).what(); }

// The mean and the deviation of a normal distribution that is cut: by the formulas of its density
// at the bounds.
TEST(InitStructured, NormalNumbersStayInTheirBounds) {
  manual_seed(1);
  struct Case {
    double mean, deviation, a, b, expected_mean, expected_deviation;
  };
  for (const DType dtype : {DType::float32, DType::float64}) {
    for (const Case& c : {Case{0, 1, -2, 2, 0, 0.879626}, Case{1, 2, 0, 4, 1.712546, 1.058769},
                          Case{0, 0.5, 1, 3, 1.186608, 0.169026}}) {
      const Tensor x = zeros({200, 100}, {.dtype = dtype, .requires_grad = true});
      EXPECT_EQ(init::trunc_normal_(x, c.mean, c.deviation, c.a, c.b).impl(), x.impl());
      EXPECT_TRUE(x.is_leaf() && x.requires_grad());
      EXPECT_GE(x.detach().min().item(), c.a);
      EXPECT_LE(x.detach().max().item(), c.b);
      EXPECT_NEAR(x.detach().mean().item(), c.expected_mean, 0.02) << c.a;
      EXPECT_NEAR(switchyard::std(x.detach()).item(), c.expected_deviation, 0.02) << c.a;
    }
  }
}

// Shares of a normal distribution: the inverse of the error function is right all over.
TEST(InitStructured, NormalNumbersAreDistributedAsTheyShould) {
  manual_seed(2);
  const Tensor x = init::trunc_normal_(zeros({40000}, {.dtype = DType::float64}), 0, 1, -4, 4);
  for (const double bound : {-2.5, -1.0, -0.1, 0.0, 0.5, 1.5, 3.0}) {
    const double below = (x < bound).to(DType::float64).mean().item();
    EXPECT_NEAR(below, (1 + std::erf(bound / std::sqrt(2.0))) / 2, 0.012) << bound;
  }
  EXPECT_TRUE(all(isfinite(init::trunc_normal_(zeros({100000}), 0, 1, -100, 100))));
  const Tensor half = init::trunc_normal_(zeros({1000}, {.dtype = DType::float16}));
  EXPECT_LE(abs(half).max().item(), 2);
}

TEST(InitStructured, SparseColumnsHaveSoManyZeros) {
  manual_seed(3);
  const Tensor x = init::sparse_(empty({10, 500}), 0.35, 2);
  EXPECT_TRUE(equal((x == 0).sum({0}), full({500}, std::int64_t{4})));
  EXPECT_NEAR(switchyard::std(masked_select(x, x != 0)).item(), 2, 0.15);
  const Tensor rows = (x == 0).to(DType::float32).mean({1});
  EXPECT_TRUE(allclose(rows, full({10}, 0.4), 0, 0.1)) << "any row of a column";
  EXPECT_EQ(count_nonzero(init::sparse_(empty({4, 4}), 1)).item(), 0);
  EXPECT_EQ(count_nonzero(init::sparse_(empty({4, 4}), 0)).item(), 16);
  EXPECT_EQ(init::sparse_(empty({0, 4}), 0.5).size(), 0);
}

// As PyTorch writes them.
TEST(InitStructured, DiracKeepsChannels) {
  const Tensor line = init::dirac_(ones({3, 2, 3}));
  EXPECT_TRUE(
      equal(line, tensor({0., 1., 0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0.})
                      .reshape({3, 2, 3})));
  manual_seed(4);
  const Tensor image = randn({1, 4, 5, 6});
  const Tensor weight = init::dirac_(empty({4, 2, 3, 3}, {.requires_grad = true}), 2);
  EXPECT_TRUE(equal(conv2d(image, weight.detach(), {}, {.groups = 2, .padding = 1}), image));
  const Tensor volume = init::dirac_(ones({2, 5, 2, 2, 4}));
  EXPECT_EQ(count_nonzero(volume).item(), 2);
  EXPECT_EQ(volume.select(0, 1).select(0, 1).select(0, 1).select(0, 1).select(0, 2).item(), 1);
}

void expect_orthogonal(const Dims& shape, double gain, DType dtype, double tolerance) {
  const Tensor weight = empty(shape, {.dtype = dtype, .requires_grad = true});
  init::orthogonal_(weight, gain);
  const Tensor matrix = weight.detach().flatten(1) / gain;
  const bool has_rows = matrix.size(0) <= matrix.size(1);
  const Tensor products = has_rows ? matmul(matrix, matrix.t()) : matmul(matrix.t(), matrix);
  EXPECT_LT(abs(products - eye(products.size(0), products.size(0), {.dtype = dtype})).max().item(),
            tolerance)
      << shape.size();
}

TEST(InitStructured, OrthogonalRowsOrColumns) {
  manual_seed(5);
  for (const Dims& shape : {Dims{1, 1}, Dims{2, 2}, Dims{64, 64}, Dims{5, 40}, Dims{40, 5},
                            Dims{6, 3, 2, 2}, Dims{30, 3, 3, 2}}) {
    expect_orthogonal(shape, 1, DType::float32, 1e-5);
    expect_orthogonal(shape, 2.5, DType::float64, 1e-13);
  }
  EXPECT_EQ(init::orthogonal_(empty({0, 3})).size(), 0);
}

// Each orthogonal matrix is as likely as the others: elements have the mean 0 and the variance
// 1 / n, and half of the determinants are negative.
TEST(InitStructured, OrthogonalMatricesAreAllAsLikely) {
  manual_seed(6);
  double sum = 0, squares = 0;
  int negative = 0;
  constexpr int kCount = 400;
  for (int i = 0; i < kCount; ++i) {
    const std::vector<float> m = init::orthogonal_(empty({2, 2})).to_vector<float>();
    sum += m[0];
    squares += m[0] * m[0];
    negative += m[0] * m[3] - m[1] * m[2] < 0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.18);  // five deviations
  EXPECT_NEAR(squares / kCount, 0.5, 0.09);
  EXPECT_NEAR(negative, kCount / 2, 50);
}

TEST(InitStructured, SaysWhatMakesNoSense) {
  EXPECT_THAT(init_refusal([] { init::trunc_normal_(zeros({2}), 0, 1, 2, 2); }),
              HasSubstr("[trunc_normal_] needs a < b"));
  EXPECT_THAT(init_refusal([] { init::trunc_normal_(zeros({2}), 0, 0); }),
              HasSubstr("a deviation above 0"));
  EXPECT_THAT(init_refusal([] { init::sparse_(zeros({2}), 0.5); }), HasSubstr("needs a matrix"));
  EXPECT_THAT(init_refusal([] { init::sparse_(zeros({2, 2}), 1.5); }), HasSubstr("1.5"));
  EXPECT_THAT(init_refusal([] { init::dirac_(zeros({2, 2})); }), HasSubstr("rank 3 to 5"));
  EXPECT_THAT(init_refusal([] { init::dirac_(zeros({3, 2, 2}), 2); }), HasSubstr("and 2 groups"));
  EXPECT_THAT(init_refusal([] { init::dirac_(zeros({3, 2, 2}), 0); }), HasSubstr("and 0 groups"));
  EXPECT_THAT(init_refusal([] { init::orthogonal_(zeros({3})); }),
              HasSubstr("two dimensions or more"));
}

}  // namespace
}  // namespace switchyard
