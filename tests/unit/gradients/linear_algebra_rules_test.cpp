// Gradients of linear algebra, to second order: of inverses, solutions and factors.
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>

#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

/// Factors have zeros of their own, and vectors do not depend on all that others do.
const GradcheckOptions kHasZeros = {.spread = false};

/// Matrices that are far from singular.
Tensor dominant(const Dims& shape, int salt = 0) {
  const Tensor unit = eye(shape[shape.size() - 2], shape.back(), {.dtype = DType::float64});
  return add(scattered(shape, -1, 1, salt), mul(unit, 3));
}

Tensor symmetric_part(const Tensor& x) { return mul(add(x, transpose(x, -2, -1)), 0.5); }

TEST(LinearAlgebraRules, OfInverses) {
  CHECK_GRADIENTS([](In in) { return linalg::inv(in[0]); }, {strided(dominant({2, 3, 3}))});
  CHECK_GRADIENTS([](In in) { return linalg::slogdet(in[0]).logarithm; },
                  {strided(dominant({2, 3, 3}))});
  CHECK_GRADIENTS([](In in) { return linalg::matrix_power(in[0], -2); }, {dominant({3, 3})});
}

/// Of more rows than cofactors are for.
TEST(LinearAlgebraRules, OfLargeDeterminants) {
  const Tensor x = mul(dominant({9, 9}), 0.4);
  CHECK_GRADIENTS([](In in) { return linalg::det(in[0]); }, {x});
  const Tensor singular = x.clone();
  select(singular, 0, 3).zero_();
  const Tensor leaf = singular.detach().requires_grad_();
  const Tensor found = grad(linalg::det(leaf), leaf);
  // The cofactors of the row of zeros are those of any other row in its place.
  const Tensor inverse = linalg::inv(x), determinant = linalg::det(x);
  EXPECT_TRUE(allclose(select(found, 0, 3), mul(select(inverse, 1, 3), determinant)));
  EXPECT_LT(abs(narrow(found, 0, 0, 3)).max().item(), 1e-12);
}

TEST(LinearAlgebraRules, OfPseudoInverses) {
  for (const Dims& shape : {Dims{2, 4, 2}, Dims{2, 5}, Dims{3, 3}}) {
    CHECK_GRADIENTS([](In in) { return linalg::pinv(in[0]); }, {strided(dominant(shape))});
  }
  // Of a rank that stays as it is.
  CHECK_GRADIENTS([](In in) { return linalg::pinv(matmul(in[0], in[1])); },
                  {dominant({4, 2}), dominant({2, 3}, 1)}, {.spread = false});
}

TEST(LinearAlgebraRules, OfSolutions) {
  const auto solved = [](In in) { return linalg::solve(in[0], in[1]); };
  CHECK_GRADIENTS(solved, {strided(dominant({2, 3, 3})), scattered({3, 2}, -1, 1, 1)});
  CHECK_GRADIENTS(solved, {dominant({3, 3}), strided(scattered({2, 3, 2}, -1, 1, 1))});
  CHECK_GRADIENTS(solved, {dominant({2, 3, 3}), scattered({2, 3}, -1, 1, 1)});
  CHECK_GRADIENTS([](In in) { return linalg::solve(in[0], in[1], false); },
                  {dominant({3, 3}), scattered({2, 3}, -1, 1, 1)});
  for (const bool upper : {false, true}) {
    for (const bool unit : {false, true}) {
      const linalg::SolveTriangularOptions options{.unitriangular = unit, .upper = upper};
      CHECK_GRADIENTS([=](In in) { return linalg::solve_triangular(in[0], in[1], options); },
                      {strided(dominant({2, 3, 3})), scattered({3, 2}, -1, 1, 1)}, kHasZeros);
    }
  }
}

TEST(LinearAlgebraRules, OfCholesky) {
  for (const bool upper : {false, true}) {
    CHECK_GRADIENTS([=](In in) { return linalg::cholesky(symmetric_part(in[0]), upper); },
                    {strided(dominant({2, 3, 3}))}, kHasZeros);
  }
  const Tensor leaf = symmetric_part(dominant({3, 3})).requires_grad_();
  const Tensor found = grad(sum(linalg::cholesky(leaf)), leaf);
  EXPECT_TRUE(equal(found, found.t()));
}

TEST(LinearAlgebraRules, OfQr) {
  for (const Dims& shape : {Dims{2, 4, 2}, Dims{2, 4}, Dims{3, 3}}) {
    CHECK_GRADIENTS([](In in) { return linalg::qr(in[0]).q; }, {strided(dominant(shape))},
                    kHasZeros);
    CHECK_GRADIENTS([](In in) { return linalg::qr(in[0]).r; }, {strided(dominant(shape))},
                    kHasZeros);
  }
  for (const Dims& shape : {Dims{4, 2}, Dims{2, 3}}) {
    CHECK_GRADIENTS([](In in) { return linalg::lstsq(in[0], in[1]).solution; },
                    {dominant(shape), scattered({shape[0], 2}, -1, 1, 1)});
  }
}

TEST(LinearAlgebraRules, OfSingularValues) {
  for (const Dims& shape : {Dims{2, 4, 2}, Dims{2, 4}, Dims{3, 3}}) {
    const Tensor x = strided(dominant(shape));
    CHECK_GRADIENTS([](In in) { return linalg::svdvals(in[0]); }, {x}, kHasZeros);
    // Signs of the vectors do not count.
    CHECK_GRADIENTS([](In in) { return square(linalg::svd(in[0]).u); }, {x}, kHasZeros);
    CHECK_GRADIENTS([](In in) { return square(linalg::svd(in[0]).vh); }, {x}, kHasZeros);
    CHECK_GRADIENTS(
        [](In in) {
          const auto [u, s, vh] = linalg::svd(in[0]);
          return matmul(mul(u, unsqueeze(square(s), -2)), vh);
        },
        {x}, kHasZeros);
  }
}

TEST(LinearAlgebraRules, OfEigenvalues) {
  const Tensor x = strided(dominant({2, 3, 3}));
  CHECK_GRADIENTS([](In in) { return linalg::eigvalsh(symmetric_part(in[0])); }, {x}, kHasZeros);
  CHECK_GRADIENTS([](In in) { return square(linalg::eigh(symmetric_part(in[0])).vectors); }, {x},
                  kHasZeros);
  CHECK_GRADIENTS(
      [](In in) {
        const auto [values, vectors] = linalg::eigh(symmetric_part(in[0]), true);
        return matmul(mul(vectors, unsqueeze(exp(values), -2)), transpose(vectors, -2, -1));
      },
      {x}, kHasZeros);
}

/// What the gradient needs and the matrix does not have.
TEST(LinearAlgebraRules, OfSingularMatricesAreErrors) {
  const Tensor x = ones({2, 2}).requires_grad_();
  EXPECT_THROW(grad(linalg::slogdet(x).logarithm, x), Error);
  EXPECT_THROW(grad(sum(linalg::qr(mul(x, 0)).q), x), Error);
}

TEST(LinearAlgebraRules, OfNothingAreNothing) {
  const Tensor none = zeros({2, 0, 0}).requires_grad_();
  EXPECT_EQ(grad(sum(linalg::inv(none)), none).shape(), none.shape());
  EXPECT_EQ(grad(sum(linalg::cholesky(none)), none).shape(), none.shape());
  EXPECT_EQ(grad(sum(linalg::eigvalsh(none)), none).shape(), none.shape());
  for (const Dims& shape : {Dims{0, 3}, Dims{3, 0}, Dims{0, 2, 3}}) {
    const Tensor x = zeros(shape).requires_grad_();
    EXPECT_EQ(grad(sum(linalg::qr(x).r), x).shape(), shape);
    EXPECT_EQ(grad(sum(linalg::svdvals(x)), x).shape(), shape);
    EXPECT_EQ(grad(sum(linalg::pinv(x)), x).shape(), shape);
  }
}

TEST(LinearAlgebraRules, OfFourierTransforms) {
  const Tensor complex = strided(scattered({2, 3, 2})), real = strided(scattered({2, 5}));
  using fft::Norm;
  CHECK_GRADIENTS([](In in) { return square(fft::fft(in[0], 4, 0, Norm::ortho)); }, {complex},
                  kHasZeros);
  CHECK_GRADIENTS([](In in) { return square(fft::rfft(in[0], 4, -1, Norm::forward)); }, {real},
                  kHasZeros);
  CHECK_GRADIENTS([](In in) { return square(fft::irfft2(in[0])); }, {complex}, kHasZeros);
}

}  // namespace
}  // namespace switchyard
