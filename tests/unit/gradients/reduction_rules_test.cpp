// Gradients of reductions, to second order.
#include <gtest/gtest.h>

#include <limits>

#include "functions/calls/call.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

constinit const EagerOp kCumSum("CumSum"), kReduceLogSum("ReduceLogSum"),
    kReduceSumSquare("ReduceSumSquare"), kReduceL1("ReduceL1"), kReduceProd("ReduceProd"),
    kReduceLogSumExp("ReduceLogSumExp");

Tensor dense() { return scattered({2, 3, 4}, -1, 1, 3); }
Tensor strided_rows() { return strided(scattered({3, 4}, -1, 1, 5)); }
Tensor positive() { return strided(scattered({3, 4}, 0.5, 2, 7)); }

using Unary = Tensor (*)(const Tensor&);

void check_reduction(Unary f, const Tensor& x) {
  CHECK_GRADIENTS([f](In in) { return f(in[0]); }, {x});
}
/// Of an input of which one extent is broadcast within the function.
void check_broadcast(Unary f) {
  CHECK_GRADIENTS(
      [f](In in) {
        return f(in[0].expand({3, 4}) * in[1]);
      },
      {scattered({3, 1}, 0.5, 2, 1), positive()});
}

TEST(GradientRules, OfExtrema) {
  for (const Unary f :
       {Unary([](const Tensor& t) { return square(amax(t, {0})); }), Unary([](const Tensor& t) {
          return square(amin(t, {-1, 0}, true));
        }),
        Unary([](const Tensor& t) { return square(max(t)); }),
        Unary([](const Tensor& t) { return square(min(t, 1).values); }),
        Unary([](const Tensor& t) { return square(max(t, 0, true).values); })}) {
    check_reduction(f, dense());
    check_reduction(f, strided_rows());
    check_broadcast(f);
  }
}

TEST(GradientRules, OfProducts) {
  for (const Unary f : {Unary([](const Tensor& t) { return prod(t); }),
                        Unary([](const Tensor& t) { return prod(t, 0); }),
                        Unary([](const Tensor& t) { return prod(t, -1, true); })}) {
    check_reduction(f, dense());
    check_reduction(f, strided_rows());
    check_broadcast(f);
  }
}

TEST(GradientRules, OfProductsWithZeros) {
  const auto rows =
      tensor(std::vector<double>{0, 2, 3, -1, 5, 0, 0, 4, 1, 2, 0, 0, 0, 2, 3}, {3, 5});
  const GradcheckOptions options = {.spread = false};
  CHECK_GRADIENTS([](In in) { return prod(in[0], 1); }, {rows}, options);
  CHECK_GRADIENTS([](In in) { return prod(in[0], 1); }, {strided(rows)}, options);
  CHECK_GRADIENTS([](In in) { return prod(in[0], 0); }, {rows}, options);
  CHECK_GRADIENTS(
      [](In in) {
        return kReduceProd({in[0], int64s(Dims{0, 2})});
      },
      {scattered({3, 2, 5}) * gt(scattered({3, 2, 5}, -1, 1, 8), -0.5)}, options);
}

TEST(GradientRules, OfMomentsAndNorms) {
  for (const Unary f :
       {Unary([](const Tensor& t) { return var(t); }),
        Unary([](const Tensor& t) { return var(t, {0}, 0, true); }),
        Unary([](const Tensor& t) { return switchyard::std(t, {-1}); }),
        Unary([](const Tensor& t) { return norm(t); }),
        Unary([](const Tensor& t) { return norm(t, 1, {0}); }),
        Unary([](const Tensor& t) { return norm(t, 2, {-1}, true); }),
        Unary([](const Tensor& t) { return norm(t, 3, {0}); }),
        Unary([](const Tensor& t) { return norm(t, 0.5); }),
        Unary([](const Tensor& t) { return norm(t, -1, {0}); }),
        Unary([](const Tensor& t) { return norm(t, 0) * sum(t); }), Unary([](const Tensor& t) {
          return square(norm(t, std::numeric_limits<double>::infinity(), {0}));
        })}) {
    check_reduction(f, positive());
    check_reduction(f, scattered({2, 3}, -2, -0.5, 4));
    check_broadcast(f);
  }
}

TEST(GradientRules, OfLogarithmsOfSums) {
  for (const Unary f :
       {Unary([](const Tensor& t) { return logsumexp(t, {0}); }),
        Unary([](const Tensor& t) { return logsumexp(t, {}, true); }), Unary([](const Tensor& t) {
          return kReduceLogSum({t, int64s(Dims{-1})});
        }),
        Unary([](const Tensor& t) {
          return kReduceSumSquare({t, int64s(Dims{0})});
        }),
        Unary([](const Tensor& t) { return kReduceSumSquare(t); })}) {
    check_reduction(f, positive());
    check_broadcast(f);
  }
}

TEST(GradientRules, OfReductionsThatReduceNothing) {
  const auto nothing = attributes({{"noop_with_empty_axes", std::int64_t{1}}});
  for (const EagerOp* op :
       {&kReduceLogSum, &kReduceSumSquare, &kReduceL1, &kReduceProd, &kReduceLogSumExp}) {
    CHECK_GRADIENTS([&](In in) { return square((*op)({in[0]}, nothing)); }, {positive()});
  }
}

TEST(GradientRules, OfCumulativeSums) {
  CHECK_GRADIENTS([](In in) { return square(cumsum(in[0], 1)); }, {dense()});
  CHECK_GRADIENTS([](In in) { return square(cumsum(in[0], -2)); }, {strided_rows()});
  for (const std::int64_t exclusive : {0, 1}) {
    for (const std::int64_t reverse : {0, 1}) {
      const auto given = attributes({{"exclusive", exclusive}, {"reverse", reverse}});
      CHECK_GRADIENTS(
          [&](In in) {
            return square(kCumSum({in[0], int64_scalar(0)}, given));
          },
          {strided_rows()});
    }
  }
}

TEST(GradientRules, OfReductionsOfOneElementAndOfNone) {
  const Tensor one = scattered({}), none = scattered({0, 3});
  for (const Unary f : {Unary([](const Tensor& t) { return square(max(t)); }),
                        Unary([](const Tensor& t) { return square(prod(t)); }),
                        Unary([](const Tensor& t) { return square(norm(t)); }),
                        Unary([](const Tensor& t) { return square(logsumexp(t, {})); }),
                        Unary([](const Tensor& t) { return square(cumsum(t, 0)); })}) {
    check_reduction(f, one);
  }
  for (const Unary f : {Unary([](const Tensor& t) { return prod(t, 0); }),
                        Unary([](const Tensor& t) { return amax(t, {1}); }),
                        Unary([](const Tensor& t) { return norm(t, 2, {0}); }),
                        Unary([](const Tensor& t) { return cumsum(t, 0); })}) {
    const Tensor leaf = none.clone().requires_grad_();
    sum(f(leaf)).backward();
    EXPECT_EQ(leaf.grad().shape(), (Dims{0, 3}));
  }
}

/// float16 holds no number of elements above 65504.
TEST(ReductionRules, OfNarrowTypes) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor x = full({70000}, 1, {.dtype = dtype, .requires_grad = true});
    mean(x).backward();
    EXPECT_NEAR(x.grad()[0].item(), 1.0 / 70000, 1e-7) << name_of(dtype);
    for (const auto extreme : {amax, amin}) {
      const Tensor few = tensor({1, 3, 3}, {.dtype = dtype}).requires_grad_();
      sum(extreme(few, Dims{0}, false)).backward();
      EXPECT_EQ(few.grad().dtype(), dtype);
    }
  }
}

}  // namespace
}  // namespace switchyard
