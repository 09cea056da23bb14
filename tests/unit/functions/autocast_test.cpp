// Mixed precision: what each op takes, the weights' conversions, gradients.
#include <gmock/gmock.h>

#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <thread>

#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Autocast, ChoosesATypeForEachOp) {
  const Tensor a = ones({2, 2}), image = ones({1, 1, 4, 4}), kernel = ones({1, 1, 3, 3});
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    SCOPED_TRACE(name_of(dtype));
    const Autocast scope(dtype);
    const Tensor half = a.to(dtype);
    for (const Tensor& product :
         {matmul(a, a), mm(a, half), linear(a, a), linear(a, a, ones({2})), addmm(a, a, a),
          einsum("ij,jk->ik", {a, a}), conv2d(image, kernel)}) {
      EXPECT_EQ(product.dtype(), dtype);
    }
    for (const Tensor& delicate :
         {softmax(half, 1), log_softmax(half, 1), exp(half), log(half), pow(half, 2), sum(half),
          mean(half), cumsum(half, 0), prod(half), layer_norm(half, {2}), softplus(half),
          norm(half), cross_entropy(half, tensor({0, 1})), exp2(half), expm1(half), log1p(half),
          log2(half), log10(half), rsqrt(half)}) {
      EXPECT_EQ(delicate.dtype(), DType::float32);
    }
    for (const Tensor& other :
         {half + half, half * half, relu(half), half.t(), -half, sqrt(half)}) {
      EXPECT_EQ(other.dtype(), dtype);
    }
    EXPECT_EQ((half + a).dtype(), DType::float32) << "promoted, as ever";
    EXPECT_EQ((a + a).dtype(), DType::float32);
  }
}

TEST(Autocast, LeavesDoublesAndIntegersAlone) {
  const Autocast scope(DType::float16);
  const Tensor wide = ones({2, 2}, {.dtype = DType::float64});
  EXPECT_EQ(matmul(wide, wide).dtype(), DType::float64);
  EXPECT_EQ(exp(wide).dtype(), DType::float64);
  EXPECT_EQ(sum(tensor({1, 2})).dtype(), DType::int64);
}

TEST(Autocast, NestsAndIsSuspended) {
  const Tensor a = ones({2, 2});
  EXPECT_FALSE(autocast_dtype().has_value());
  {
    const Autocast outer(DType::float16);
    EXPECT_EQ(autocast_dtype(), DType::float16);
    {
      const Autocast inner(DType::bfloat16);
      EXPECT_EQ(autocast_dtype(), DType::bfloat16);
      EXPECT_EQ(matmul(a, a).dtype(), DType::bfloat16);
      const Autocast off(DType::bfloat16, false);
      EXPECT_FALSE(autocast_dtype().has_value());
      EXPECT_EQ(matmul(a, a).dtype(), DType::float32);
    }
    EXPECT_EQ(matmul(a, a).dtype(), DType::float16);
    std::optional<DType> elsewhere = DType::float32;
    std::thread([&] { elsewhere = autocast_dtype(); }).join();
    EXPECT_FALSE(elsewhere.has_value()) << "a scope is its thread's";
  }
  EXPECT_EQ(matmul(a, a).dtype(), DType::float32);
  EXPECT_THAT(thrown([] { Autocast scope(DType::float32); }), HasSubstr("float16 or bfloat16"));
  const Autocast harmless(DType::float32, false);
}

TEST(Autocast, GradientsHaveTheTypesOfWhatTheyBelongTo) {
  const Tensor w = full({2, 2}, 0.5).requires_grad_(), b = zeros({2}).requires_grad_();
  const Tensor x = ones({3, 2});
  Tensor loss;
  {
    const Autocast scope(DType::bfloat16);
    loss = mean(square(linear(relu(linear(x, w, b)), w, b)));
  }
  EXPECT_EQ(loss.dtype(), DType::float32);
  loss.backward();
  EXPECT_EQ(w.grad().dtype(), DType::float32);
  EXPECT_EQ(b.grad().dtype(), DType::float32);
  // y = w1 h + b, h = w1 x + b = 1: dL/dw = y h (outer, shared by both uses) by hand.
  EXPECT_THAT(values(b.grad()), ElementsAre(2, 2));
  EXPECT_THAT(values(w.grad()), ElementsAre(2, 2, 2, 2));
}

TEST(Autocast, ConvertsAWeightOnceAndAgainWhenItChanged) {
  const Tensor w = ones({2, 2}).requires_grad_(), x = ones({2, 2});
  const Autocast scope(DType::float16);
  EXPECT_EQ(matmul(x, w)[0][0].item(), 2);
  EXPECT_EQ(matmul(x, w)[0][0].item(), 2);
  {
    const NoGrad off;
    w.mul_(3);
    EXPECT_EQ(matmul(x, w)[0][0].item(), 6);
    w.detach().zero_();
  }
  EXPECT_EQ(matmul(x, w)[0][0].item(), 0) << "written through another tensor";
}

TEST(Autocast, GradientsAddUpWithinAScope) {
  const Tensor weight = full({2, 2}, 0.5, {.requires_grad = true});
  const Autocast scope(DType::bfloat16);
  for (int i = 0; i < 2; ++i) sum(matmul(ones({1, 2}), weight)).backward();
  EXPECT_THAT(values(weight.grad()), ElementsAre(2, 2, 2, 2));
}

TEST(Autocast, WeightsUsedWithAndWithoutGradientsKeepThem) {
  const Tensor w = ones({2, 2}).requires_grad_(), x = ones({2, 2});
  Tensor loss;
  {
    const Autocast scope(DType::float16);
    {
      const NoGrad off;
      EXPECT_FALSE(matmul(x, w).requires_grad());
    }
    loss = sum(matmul(x, w)) + sum(matmul(x, w));
  }
  loss.backward();
  EXPECT_THAT(values(w.grad()), ElementsAre(4, 4, 4, 4));
}

}  // namespace
}  // namespace switchyard
