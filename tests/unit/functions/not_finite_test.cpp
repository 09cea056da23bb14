// What is infinite, not a number, or near the ends of a type's range stays where it belongs.
#include <gmock/gmock.h>

#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "functions/creation/new_tensor.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constexpr float kFloatInf = INFINITY, kFloatNan = NAN;

using testing::Each;
using testing::ElementsAre;
using testing::IsNan;
using testing::NanSensitiveFloatEq;

std::vector<float> float_values(const Tensor& x) { return x.detach().to_vector<float>(); }
Tensor floats(const std::vector<float>& numbers, const Dims& shape) {
  return place(host_tensor(shape, numbers));
}

TEST(NotFinite, StaysInItsWindow) {
  const Tensor x = floats({1, 2, 3, 4, kFloatInf}, {1, 1, 1, 5});
  EXPECT_THAT(float_values(adaptive_avg_pool2d(x, {1, 2})), ElementsAre(2, kFloatInf));
  const Tensor nan = floats({1, 2, 3, 4, kFloatNan}, {1, 1, 5, 1});
  EXPECT_THAT(float_values(adaptive_avg_pool2d(nan, {2, 1})),
              ElementsAre(2, NanSensitiveFloatEq(kFloatNan)));
  EXPECT_THAT(float_values(adaptive_avg_pool2d(ones({1, 5, 7}), {3, 4})), Each(1));
}

TEST(NotFinite, GradientsStayInTheirWindow) {
  const Tensor x = ones({1, 1, 1, 5}).requires_grad_();
  const Tensor y = adaptive_avg_pool2d(x, {1, 2});
  const Tensor gradient = grad(y, x, {.grad_outputs = {floats({3, kFloatInf}, {1, 1, 1, 2})}});
  EXPECT_THAT(float_values(gradient), ElementsAre(1, 1, kFloatInf, kFloatInf, kFloatInf));
}

TEST(NotFinite, StaysWithTheElementsThatItIsWeighedInto) {
  const Tensor x = floats({1, 2, kFloatInf, 4, 5}, {1, 1, 5});
  const Tensor same =
      interpolate(x, {.align_corners = true, .mode = InterpolationMode::linear, .size = {9}});
  EXPECT_THAT(float_values(same),
              ElementsAre(1, 1.5F, 2, kFloatInf, kFloatInf, kFloatInf, 4, 4.5F, 5));
}

TEST(NotFinite, GradientsStayInTheWrittenPart) {
  const Tensor x = ones({4}).requires_grad_();
  const Tensor y = x * 1;
  y.narrow(0, 0, 2).fill_(0);
  const Tensor gradient = grad(y, x, {.grad_outputs = {floats({kFloatInf, kFloatNan, 3, 4}, {4})}});
  EXPECT_THAT(float_values(gradient), ElementsAre(0, 0, 3, 4));
}

TEST(NotFinite, DeviationsOfWhatHasNoSquare) {
  for (const double size : {1e20, 1e-30, 1.0}) {
    const Tensor x = tensor({size, -size}).requires_grad_();
    const Tensor deviation = x.std();
    EXPECT_NEAR(deviation.item() / size, std::sqrt(2), 1e-6) << size;
    const Tensor derivative = grad(deviation, x);
    EXPECT_NEAR(derivative[0].item(), std::sqrt(0.5), 1e-6) << size;
  }
  EXPECT_EQ(tensor({1e20, -1e20}).var().item(), kFloatInf) << "2e40 is not a float32";
  EXPECT_FLOAT_EQ(static_cast<float>(tensor({1e19, -1e19}).var().item() / 1e38), 2);
  EXPECT_EQ(ones({3}).std().item(), 0);
  EXPECT_TRUE(std::isnan(tensor({1., kFloatInf}).std().item()));
  EXPECT_TRUE(std::isnan(tensor({1.}).std().item())) << "of one element, as in PyTorch";
  EXPECT_THAT(float_values(tensor({{1., kFloatInf}, {1., 3.}}).var({1})), ElementsAre(IsNan(), 2));
  EXPECT_TRUE(std::isnan(zeros({0}).var().item()));
  EXPECT_EQ(tensor({{1., 3.}, {5., 9.}}).std({1}, 1, true).shape(), (Dims{2, 1}));
}

TEST(Deviations, KeepTheirDigitsFarFromZero) {
  EXPECT_THAT(float_values(var(floats({10000001, 10000002, 10000003}, {3}))), ElementsAre(1));
  EXPECT_THAT(float_values(var(floats({10000001, 10000002}, {2}))), ElementsAre(0.5F));
  const Tensor even = floats({16777216, 16777218, 16777220, 16777222}, {4});
  EXPECT_FLOAT_EQ(float_values(std(even))[0], 2.5819889F);
}

TEST(NotFinite, HidesInNoExtremum) {
  const auto gradient_of = [](const auto& f) {
    const Tensor x = floats({1, kFloatNan, 3, 4}, {2, 2}).requires_grad_();
    return float_values(grad(f(x).sum(), x));
  };
  EXPECT_THAT(gradient_of([](const Tensor& x) { return amax(x); }), Each(IsNan()));
  EXPECT_THAT(gradient_of([](const Tensor& x) { return amin(x); }), Each(IsNan()));
  EXPECT_THAT(gradient_of([](const Tensor& x) { return amax(x, {1}); }),
              ElementsAre(IsNan(), IsNan(), 0, 1));
  EXPECT_THAT(gradient_of([](const Tensor& x) { return max(x); }), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(gradient_of([](const Tensor& x) { return min(x); }), ElementsAre(0, 1, 0, 0));
}

TEST(NotFinite, CountsHaveTheGradientZero) {
  const Tensor x = floats({1, 0, kFloatInf}, {3}).requires_grad_();
  const Tensor count = norm(x, 0);
  EXPECT_EQ(count.item(), 2);
  count.backward();
  EXPECT_THAT(float_values(x.grad()), Each(0));
}

TEST(NotFinite, BecomesTheNearestInteger) {
  const Tensor x = floats({-1, 300, kFloatInf, -kFloatInf, kFloatNan, 2.9F, -2.9F}, {7});
  EXPECT_EQ(x.to(DType::uint8).to_vector<std::uint8_t>(),
            (std::vector<std::uint8_t>{0, 255, 255, 0, 0, 2, 0}));
  EXPECT_EQ(x.to(DType::int32).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{-1, 300, INT32_MAX, INT32_MIN, 0, 2, -2}));
  EXPECT_EQ(x.to(DType::int64).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{-1, 300, INT64_MAX, INT64_MIN, 0, 2, -2}));
}

/// 3e9 bytes as int64 would be 24 GB.
TEST(NotFinite, SumsOfExpandedIntegersTakeNoMemory) {
  const Tensor many = full({1}, 3, {.dtype = DType::uint8}).expand({3'000'000'000});
  EXPECT_EQ(many.sum().item<std::int64_t>(), 9'000'000'000);
  const Tensor rows = tensor({{1, 2, 3}}).expand({4, 3});
  EXPECT_EQ(rows.sum({0}).to_vector<std::int64_t>(), (std::vector<std::int64_t>{4, 8, 12}));
  EXPECT_EQ(rows.sum({0, 1}, true).shape(), (Dims{1, 1}));
  EXPECT_EQ(rows.sum({0, 1}).item<std::int64_t>(), 24);
  EXPECT_EQ(rows.sum().item<std::int64_t>(), 24);
  EXPECT_EQ(tensor({true, true}).sum().item<std::int64_t>(), 2);
  EXPECT_EQ(rows.sum(Dims{}).item<std::int64_t>(), 24);
}

}  // namespace
}  // namespace switchyard
