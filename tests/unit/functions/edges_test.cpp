// Edges, where functions easily differ from PyTorch: extreme integers, numbers beside tensors, rank
// 0, no elements at all, gradients at the very bounds.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "functions/reductions/sum_to.hpp"
#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

template <typename T>
Tensor vector_of(const std::vector<T>& elements) {
  return tensor(elements, {static_cast<std::int64_t>(elements.size())});
}

TEST(Edges, IntegersTooLargeForATypeWrapRound) {
  const Tensor bytes = vector_of<std::int8_t>({1, 2});
  EXPECT_THAT(values(bytes + kMost), ElementsAre(0, 1));
  EXPECT_THAT(values(vector_of<std::uint8_t>({5}) + 257), ElementsAre(6));
  EXPECT_THAT(values(vector_of<std::int32_t>({7}) * (kMost - 1)), ElementsAre(-14));
  EXPECT_THAT(values(bitwise_or(bytes, 256)), ElementsAre(1, 2));
}

TEST(Edges, NumbersThatIntegersHaveNoPositionForAreRefused) {
  const Tensor bytes = vector_of<std::uint8_t>({1, 2});
  const Tensor mask = bytes > 1;
  EXPECT_THAT(thrown([&] { full_like(bytes, 300); }), HasSubstr("cannot hold 300"));
  EXPECT_THAT(thrown([&] { bytes.fill_(-0.5); }), HasSubstr("uint8"));
  EXPECT_THAT(thrown([&] { masked_fill(bytes, mask, NAN); }), HasSubstr("[masked_fill]"));
  EXPECT_THAT(thrown([&] { bytes[0] = 256; }), HasSubstr("[index_put_]"));
  EXPECT_THAT(thrown([&] { full({1}, 0x1p63, {.dtype = DType::int64}); }), HasSubstr("int64"));
  EXPECT_THAT(values(full({1}, kMost)), ElementsAre(0x1p63));
  EXPECT_THAT(values(full_like(bytes, -1)), ElementsAre(255, 255));
  EXPECT_THAT(values(full({1}, 1e300)), ElementsAre(INFINITY));
}

TEST(Edges, MoreChunksThanElementsAreOneEach) {
  EXPECT_EQ(chunk(vector_of<float>({1, 2, 3}), kMost).size(), 3u);
}

TEST(Edges, ANegativeZeroIsFalseWhateverNumbersCameBefore) {
  const Tensor truth = tensor({true});
  EXPECT_TRUE(all(logical_and(std::numeric_limits<std::int64_t>::min(), truth)).item<bool>());
  EXPECT_FALSE(all(logical_and(-0.0, truth)).item<bool>());
}

TEST(Edges, AlphaCountsInTheTypeOfTheSum) {
  const Tensor halves = tensor({1., 2.}, {.dtype = DType::float16});
  const Tensor sum = add(halves, vector_of<std::int8_t>({2, 100}), 0.5);
  EXPECT_EQ(sum.dtype(), DType::float16);
  EXPECT_THAT(values(sum), ElementsAre(2, 52));
  const Tensor wide = full({1}, 1.0, {.dtype = DType::float64});
  EXPECT_EQ(add(wide, 0.1, 0.1).item(), 1 + 0.1 * 0.1);
  EXPECT_EQ(sub(wide, full({1}, 3), 0.1).item(), 1 - 3 * 0.1);
  EXPECT_EQ(wide.clone().add_(full({1}, 3), 0.1).item(), 1 + 3 * 0.1);
  EXPECT_EQ(addcmul(wide, full({1}, 3), full({}, 1.0F / 3)).item(), 1 + 3 * double{1.0F / 3});
  const Tensor off = tensor({false}), on = tensor({true});
  EXPECT_FALSE(add(off, on, 0).item<bool>());
  EXPECT_THAT(thrown([&] { add(off, on, 0.5); }), HasSubstr("alpha"));
}

TEST(Edges, IntegersAreWrittenInPlace) {
  const Tensor x = vector_of<std::int32_t>({1, 2});
  EXPECT_THAT(values(x.clone().addcmul_(x, x, 3)), ElementsAre(4, 14));
  EXPECT_THAT(values(x.clone().masked_fill_(x > 1, 3.0)), ElementsAre(1, 3));
  EXPECT_THAT(values(vector_of<std::uint8_t>({1, 0}).neg_()), ElementsAre(255, 0));
}

TEST(Edges, LerpIsExactAtBothEnds) {
  const Tensor start = tensor({1e30, -INFINITY}), end = tensor({1., 2.});
  EXPECT_THAT(values(lerp(start, end, 1)), ElementsAre(1, testing::NanSensitiveDoubleEq(NAN)));
  EXPECT_THAT(values(lerp(start, end, tensor({1., 0.75}))), ElementsAre(1, -INFINITY));
  EXPECT_EQ(values(full({1}, 1e30).lerp_(full({1}, 1.0), 1))[0], 1);
}

TEST(Edges, DistancesOfIntegersDoNotWrap) {
  const Tensor a = vector_of<std::int8_t>({127}), b = vector_of<std::int8_t>({-128});
  EXPECT_FALSE(allclose(a, b, 0, 1));
  EXPECT_TRUE(allclose(a, b, 0, 255));
  EXPECT_FALSE(allclose(full({1}, kMost), full({1}, -2), 0, 1));
  EXPECT_THAT(thrown([&] { isclose(a, b, -1); }), HasSubstr("rtol -1"));
}

TEST(Edges, NarrowIntegersHaveProducts) {
  const Tensor a = tensor(std::vector<std::int8_t>{1, 2, 3, 100}, {2, 2});
  EXPECT_EQ(matmul(a, a).dtype(), DType::int8);
  EXPECT_THAT(values(matmul(a, a)), ElementsAre(7, -54, 47, 22));
  EXPECT_THAT(values(addmm(a, a, a)), ElementsAre(8, -52, 50, 122));
  EXPECT_THAT(values(linear(a, a, a[0])), ElementsAre(6, -51, -52, 27));
}

TEST(Edges, ABetaOfZeroTakesNothingOfTheInput) {
  const Tensor a = tensor({{1., 2.}});
  EXPECT_EQ(addmm(full({1, 1}, NAN), a, a.t(), 0, 2).item(), 10);
  EXPECT_THAT(thrown([&] { addmm(zeros({3}), a, a.t(), 0); }), HasSubstr("[3]"));
}

TEST(Edges, OfRankZero) {
  const Tensor x = full({}, 3.0);
  EXPECT_EQ(movedim(x, 0, -1).shape(), Dims{});
  EXPECT_THAT(thrown([&] { transpose(x, 0, 4); }), HasSubstr("dimension 4"));
  EXPECT_THAT(thrown([&] { flip(x, 6); }), HasSubstr("dimension 6"));
  EXPECT_THAT(thrown([&] {
                index_select(x, 0, tensor({0, 0}));
              }),
              AllOf(HasSubstr("[index_select]"), HasSubstr("rank 0")));
}

TEST(Edges, OfNothing) {
  const Tensor x = zeros({2, 3});
  EXPECT_EQ(cat({zeros(0), x, zeros(0)}, 1).shape(), (Dims{2, 3}));
  EXPECT_EQ(cat({zeros(0), zeros(0)}).shape(), (Dims{0}));
  EXPECT_EQ(batch_norm(zeros({0, 3}), {}, {}, {}, {}, true).shape(), (Dims{0, 3}));
  EXPECT_EQ(zeros({0, 1}).expand({0, 4}).div_(2).size(), 0);
  const Tensor none = zeros({0, 4, 2}, {.requires_grad = true});
  const Tensor scale = ones(4, {.requires_grad = true});
  group_norm(none, 2, scale).sum().backward();
  EXPECT_EQ(none.grad().shape(), (Dims{0, 4, 2}));
  EXPECT_THAT(values(scale.grad()), ElementsAre(0, 0, 0, 0));
}

TEST(Edges, AWindowMayEndOutsideWhereTheNumberOfPositionsIsRoundedUp) {
  const Tensor x = reshape(tensor({1., 3.}), {1, 1, 2});
  const MaxPoolOptions up = {.ceil_mode = true, .stride = {3}};
  EXPECT_THAT(values(avg_pool1d(x, 4, {.ceil_mode = true, .stride = {3}})), ElementsAre(2));
  EXPECT_THAT(values(max_pool1d(x, 4, up)), ElementsAre(3));
  EXPECT_THAT(thrown([&] { max_pool1d(x, 4, {.stride = {3}}); }), HasSubstr("spans 4"));
  EXPECT_THAT(thrown([&] { max_pool1d(x, 5, up); }), HasSubstr("spans 5"));
}

double slope_at(double position, DType dtype,
                const std::function<Tensor(const Tensor&)>& function) {
  const Tensor x = full({1}, position, {.dtype = dtype, .requires_grad = true});
  function(x).sum().backward();
  return x.grad().item();
}

TEST(Edges, SlopesAtZeroAreThoseOfWhatIsBelow) {
  for (const DType dtype : {DType::float32, DType::float64}) {
    EXPECT_NEAR(slope_at(0, dtype, [](auto& x) { return leaky_relu(x, 0.1); }), 0.1, 1e-6);
    EXPECT_NEAR(slope_at(0, dtype, [](auto& x) { return elu(x, 2); }), 2, 1e-6);
    EXPECT_NEAR(slope_at(0, dtype, [](auto& x) { return elu(x, 0.3); }), 0.3, 1e-6);
    EXPECT_NEAR(slope_at(0, dtype, [](auto& x) { return selu(x); }), 1.7580993408, 1e-6);
  }
}

TEST(Edges, SeluKeepsTheDigitsOfDoubles) {
  const Tensor x = tensor({1., -1.}, {.dtype = DType::float64});
  EXPECT_DOUBLE_EQ(values(selu(x))[0], 1.0507009873554804934);
  EXPECT_NEAR(values(selu(x))[1], 1.7580993408473766 * std::expm1(-1.0), 1e-15);
}

TEST(Edges, PowersHaveGradientsInEveryType) {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float64}) {
    EXPECT_NEAR(slope_at(1, dtype, [](auto& x) { return exp2(x); }), 2 * std::log(2.0), 1e-2);
    EXPECT_NEAR(slope_at(1, dtype, [](auto& x) { return norm(x, 0.5); }), 1, 1e-2);
  }
  EXPECT_DOUBLE_EQ(slope_at(2, DType::float64, [](auto& x) { return pow(x, -0.19); }),
                   -0.19 * std::pow(2.0, -1.19));
}

TEST(Edges, ClampingInPlaceHasItsGradient) {
  const Tensor x = tensor({-2., 0.5, 2.}, {.requires_grad = true});
  const Tensor by_numbers = x * 3, by_tensors = x * 3;
  by_numbers.clamp_(-1, 2).sum().backward();
  EXPECT_THAT(values(x.grad()), ElementsAre(0, 3, 0));
  by_tensors.clamp_(full({}, -1.0), full({}, 2.0)).sum().backward();
  EXPECT_THAT(values(x.grad()), ElementsAre(0, 6, 0));
}

TEST(Edges, ABoundThatIsNaNMakesAllNaN) {
  EXPECT_TRUE(all(isnan(clamp(ones(2), NAN, 1))).item<bool>());
}

TEST(Edges, NothingFlowsWhereAllLabelsAreIgnored) {
  const Tensor x = rand({2, 3}, {.requires_grad = true});
  const Tensor labels = tensor({1, 1});
  const Tensor loss = cross_entropy(x, labels, {.ignore_index = 1});
  EXPECT_TRUE(std::isnan(loss.item()));
  loss.backward();
  nll_loss(x, labels, {}, 1).backward();
  EXPECT_THAT(values(x.grad()), testing::Each(0));
}

TEST(Edges, NoProbabilityIsIgnored) {
  const Tensor x = rand({2, 3});
  EXPECT_THAT(thrown([&] { cross_entropy(x, softmax(x, 1), {.ignore_index = 1}); }),
              HasSubstr("[cross_entropy] ignore_index is 1"));
  EXPECT_EQ(thrown([&] { cross_entropy(x, softmax(x, 1)); }), "nothing");
}

TEST(Edges, GradientsOfConvolutionsFollowTheInputsExtents) {
  const Tensor kernel = ones({4, 2, 2});
  for (const std::vector<double>& expected :  // all three have results of one shape
       std::vector<std::vector<double>>{{2, 0, 2}, {2, 0, 2, 2, 0}, {2, 0, 2, 2}}) {
    const Tensor x =
        ones({1, 4, static_cast<std::int64_t>(expected.size())}, {.requires_grad = true});
    const ConvOptions window = {.dilation = {2}, .groups = 2, .padding = {3}, .stride = {3}};
    conv1d(x, kernel, {}, window).sum().backward();
    EXPECT_THAT(values(x.grad()[{0, 3}]), testing::ElementsAreArray(expected));
  }
}

TEST(Edges, WeightsGetNothingFromPaddingBesideInputsNarrowerThanAStep) {
  for (const DType dtype : {DType::float32, DType::bfloat16}) {
    const Tensor x = ones({2, 6, 1}, {.dtype = dtype});
    const Tensor weight = ones({4, 6, 2}, {.dtype = dtype, .requires_grad = true});
    conv1d(x, weight, {}, {.padding = {1}, .stride = {3}}).sum().backward();
    EXPECT_THAT(values(select(weight.grad(), 2, 0)), testing::Each(0));
    EXPECT_THAT(values(select(weight.grad(), 2, 1)), testing::Each(2));
  }
}

TEST(Edges, ScalesCountWhereExtentsStayTheSame) {
  const Tensor x = reshape(tensor({1., 2., 4.}, {.requires_grad = true}), {1, 1, 3});
  const InterpolateOptions slightly = {.mode = InterpolationMode::linear, .scale_factor = 1.3};
  const Tensor gradient = grad(interpolate(x, slightly).sum(), x);
  EXPECT_THAT(values(gradient),
              ElementsAre(testing::DoubleNear(1.34615, 1e-4), testing::DoubleNear(1.23077, 1e-4),
                          testing::DoubleNear(0.42308, 1e-4)));
  const InterpolateOptions corners = {
      .align_corners = true, .mode = InterpolationMode::linear, .scale_factor = 1.5};
  EXPECT_THAT(values(interpolate(x, corners)), ElementsAre(1, testing::DoubleNear(5.0 / 3, 1e-6),
                                                           testing::DoubleNear(8.0 / 3, 1e-6), 4));
}

TEST(Edges, BoundsInPlaceAreThoseOfTheirOwnType) {
  const Tensor bytes = vector_of<std::uint8_t>({1, 200});
  EXPECT_THAT(values(bytes.clone().clamp_(vector_of<std::int32_t>({-5, 300}), {})),
              ElementsAre(1, 44));  // 300, as a uint8
}

TEST(Edges, SlopesOfHardSigmoidEndAtThree) {
  for (const DType dtype : {DType::float32, DType::bfloat16}) {
    EXPECT_NEAR(slope_at(2.984375, dtype, hardsigmoid), 1.0 / 6, 1e-3);
    EXPECT_EQ(slope_at(3, dtype, hardsigmoid), 0);
    EXPECT_EQ(slope_at(-3, dtype, hardsigmoid), 0);
  }
}

TEST(Edges, SumsToShapesThatDoNotBroadcastAreRefused) {
  EXPECT_THAT(thrown([] { sum_to(zeros({0, 3}), {2, 3}); }), HasSubstr("[sum_to]"));
  EXPECT_THAT(thrown([] { sum_to(zeros(3), {1, 3}); }), HasSubstr("[sum_to]"));
}

TEST(Edges, LargeScoresKeepTheDigitsOfTheirDifferences) {
  EXPECT_NEAR(cross_entropy(full({1, 2}, 1e30), tensor({1})).item(), std::log(2.0), 1e-6);
}

TEST(Edges, PaddingOutsideTheRowsIsRefusedWithoutGradients) {
  EXPECT_THAT(thrown([] { embedding(tensor({0}), zeros({2, 2}), 2); }), HasSubstr("padding_idx 2"));
}

TEST(Edges, IntegersHaveLogarithmsOfSums) {
  EXPECT_NEAR(logsumexp(tensor({0, 0}), {}).item(), std::log(2.0), 1e-6);
  EXPECT_THAT(values(softsign(tensor({1, -1}))), ElementsAre(0.5, -0.5));
}

TEST(Edges, CrossEntropyOfCertaintyIsNotInfinite) {
  const Tensor sure = tensor({0., 1., 0., 1.}).requires_grad_();
  const Tensor losses = binary_cross_entropy(sure, tensor({0., 1., 1., 0.}), {}, Reduction::none);
  EXPECT_EQ(losses.to_vector<float>(), (std::vector<float>{0, 0, 100, 100}));
  losses.sum().backward();
  EXPECT_TRUE(isfinite(sure.grad()).all().item<bool>());
  EXPECT_TRUE(isnan(binary_cross_entropy(tensor({-0.5, 1.5}), zeros({2}))).item<bool>());
  EXPECT_THAT(thrown([] { binary_cross_entropy(zeros({2}), zeros({3})); }),
              HasSubstr("[binary_cross_entropy] the target [3] must have the shape [2]"));
}

TEST(Edges, CrossEntropyOfWhatIsSurelyRightKeepsItsDigits) {
  for (const double score : {-30., -10., 10., 30.}) {
    const double target = score > 0 ? 1 : 0, expected = std::log1p(std::exp(-std::abs(score)));
    const double derivative = -std::copysign(1 / (1 + std::exp(std::abs(score))), score);
    for (const Tensor& weight : {Tensor(), ones({1})}) {
      const Tensor x = tensor({score}).requires_grad_();
      const Tensor loss = binary_cross_entropy_with_logits(x, tensor({target}), {}, weight);
      EXPECT_NEAR(loss.item() / expected, 1, 1e-6) << score;
      EXPECT_NEAR(grad(loss, x).item() / derivative, 1, 1e-6) << score;
    }
  }
}

/// Attention to masks of which rows 1 leave nothing, and the gradients of its inputs.
std::vector<Tensor> attended(const Tensor& mask) {
  const Tensor query = tensor({{1., 2.}, {3., 4.}}).to(DType::float32).requires_grad_();
  const Tensor key = (query.detach() * 0.5).requires_grad_();
  const Tensor value = tensor({{1., -1.}, {5., 2.}}).to(DType::float32).requires_grad_();
  const Tensor y = scaled_dot_product_attention(query, key, value, {.mask = mask});
  sum(y * tensor({{1., 2.}, {3., 4.}})).backward();
  return {y.detach(), query.grad(), key.grad(), value.grad()};
}

TEST(Edges, AttentionToNothingIsZero) {
  const double none = -std::numeric_limits<double>::infinity();
  const Tensor of_bools = tensor({{true, false}, {false, false}});
  const Tensor of_numbers = tensor({{0., none}, {none, none}}).to(DType::float32);
  for (const Tensor& mask : {of_bools, of_numbers}) {
    const std::vector<Tensor> made = attended(mask);
    EXPECT_THAT(values(made[0]), ElementsAre(1, -1, 0, 0));
    EXPECT_THAT(values(made[1]), Each(0)) << "one key alone has no share to give away";
    EXPECT_THAT(values(made[2]), Each(0));
    EXPECT_THAT(values(made[3]), ElementsAre(1, 2, 0, 0));
  }
}

TEST(Edges, AttentionToNothingIsZeroWhereTheMaskBroadcasts) {
  const Tensor x = ones({2, 3, 4, 8}, {.dtype = DType::float16});
  const Tensor lengths = tensor({{true, true, false, false}, {false, false, false, false}});
  const Tensor y = scaled_dot_product_attention(x, x, x, {.mask = lengths.reshape({2, 1, 1, 4})});
  EXPECT_EQ(y.dtype(), DType::float16);
  EXPECT_TRUE(equal(y[0], x[0]));
  EXPECT_TRUE(equal(y[1], zeros_like(x[1])));
}

TEST(Edges, NothingHasNoDirection) {
  const Tensor x = zeros({2, 3}).requires_grad_();
  normalize(x).sum().backward();
  EXPECT_TRUE(isfinite(x.grad()).all().item<bool>());
  EXPECT_EQ(cosine_similarity(x, ones({2, 3})).to_vector<float>(), (std::vector<float>{0, 0}));
  EXPECT_THAT(thrown([&] { cosine_similarity(x, ones({2, 1})); }), HasSubstr("not of one length"));
}

TEST(Edges, TransposedConvolutionsRefuseWhatDoesNotFit) {
  const Tensor x = zeros({1, 4, 3, 3}), weight = zeros({4, 2, 3, 3});
  EXPECT_THAT(thrown([&] { conv_transpose2d(x, weight, zeros({4})); }),
              HasSubstr("[conv_transpose2d] the bias [4] must hold one number for each of 2"));
  EXPECT_THAT(thrown([&] {
                conv_transpose2d(x, zeros({3, 2, 3, 3}));
              }),
              HasSubstr("[conv_transpose2d] weights [3, 2, 3, 3] in 1 groups"));
  EXPECT_THAT(thrown([&] { conv_transpose2d(x, weight, {}, {.groups = 3}); }),
              HasSubstr("in 3 groups"));
  EXPECT_THAT(thrown([&] { conv_transpose2d(x, weight, {}, {.output_padding = 1}); }),
              HasSubstr("output_padding 1 must be less than the stride 1 or the dilation 1"));
  EXPECT_THAT(thrown([&] { conv_transpose1d(x, weight); }), HasSubstr("[conv_transpose1d]"));
}

}  // namespace
}  // namespace switchyard
