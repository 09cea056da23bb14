// Functions that write in place: values, promotion, refusals.
#include <gmock/gmock.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/thrown.hpp"
#include "functions/values.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

TEST(InPlace, WritesWhatTheFunctionGives) {
  const Tensor start = tensor({0.25, 0.5, 2.}), other = tensor({1., -2., 4.});
  using Write = std::function<void(const Tensor&)>;
  const std::vector<std::tuple<const char*, Write, Tensor>> cases = {
      {"add_", [&](auto& x) { x.add_(other); }, start + other},
      {"add_ alpha", [&](auto& x) { x.add_(other, 3); }, add(start, other, 3)},
      {"sub_", [&](auto& x) { x.sub_(other, 0.5); }, sub(start, other, 0.5)},
      {"mul_", [&](auto& x) { x.mul_(other); }, start * other},
      {"div_", [&](auto& x) { x.div_(other); }, start / other},
      {"pow_", [&](auto& x) { x.pow_(3); }, pow(start, 3)},
      {"+=", [&](auto& x) { x += 2; }, start + 2},
      {"-=", [&](auto& x) { x -= other; }, start - other},
      {"*=", [&](auto& x) { x *= 2; }, start * 2},
      {"/=", [&](auto& x) { x /= 2; }, start / 2},
      {"addcmul_", [&](auto& x) { x.addcmul_(other, start, 2); }, addcmul(start, other, start, 2)},
      {"addcdiv_", [&](auto& x) { x.addcdiv_(start, other); }, addcdiv(start, start, other)},
      {"lerp_", [&](auto& x) { x.lerp_(other, 0.25); }, lerp(start, other, 0.25)},
      {"clamp_", [&](auto& x) { x.clamp_(0.3, 1); }, clamp(start, 0.3, 1)},
      {"clamp_ one", [&](auto& x) { x.clamp_({}, 1); }, clamp(start, {}, 1)},
      {"abs_", [&](auto& x) { x.abs_(); }, abs(start)},
      {"neg_", [&](auto& x) { x.neg_(); }, -start},
      {"exp_", [&](auto& x) { x.exp_(); }, exp(start)},
      {"log_", [&](auto& x) { x.log_(); }, log(start)},
      {"sqrt_", [&](auto& x) { x.sqrt_(); }, sqrt(start)},
      {"relu_", [&](auto& x) { x.relu_(); }, relu(start)},
      {"sigmoid_", [&](auto& x) { x.sigmoid_(); }, sigmoid(start)},
      {"tanh_", [&](auto& x) { x.tanh_(); }, tanh(start)},
      {"copy_", [&](auto& x) { x.copy_(other); }, other},
      {"copy_ broadcast", [&](auto& x) { x.copy_(tensor({7})); }, full({3}, 7.0)},
      {"fill_", [&](auto& x) { x.fill_(1.5); }, full({3}, 1.5)},
      {"zero_", [&](auto& x) { x.zero_(); }, zeros({3})},
      {"masked_fill_", [&](auto& x) { x.masked_fill_(other < 0, 9); },
       masked_fill(start, other < 0, 9)}};
  for (const auto& [name, write, expected] : cases) {
    const Tensor x = start.clone(), seen = x.detach();
    write(x);
    EXPECT_TRUE(allclose(x, expected)) << name;
    EXPECT_TRUE(equal(x, seen)) << name << ": who shares the elements sees the write";
    const Tensor wide = zeros({3, 2}), column = wide.select(1, 1);
    column.copy_(start);
    write(column);
    EXPECT_TRUE(allclose(wide.select(1, 1), expected)) << name << " in a view";
    EXPECT_EQ(sum(abs(wide.select(1, 0))).item(), 0) << name << " writes beside the view";
  }
}

TEST(InPlace, BroadcastsTheOtherOnly) {
  const Tensor x = zeros({2, 3});
  x.add_(tensor({1., 2., 3.})).mul_(2);
  EXPECT_THAT(values(x), ElementsAre(2, 4, 6, 2, 4, 6));
  EXPECT_THAT(thrown([&] {
                zeros({3}).add_(zeros({2, 3}));
              }),
              AllOf(HasSubstr("[2, 3]"), HasSubstr("[3]")));
  EXPECT_THAT(thrown([&] { zeros({3}).copy_(zeros({2, 3})); }), HasSubstr("[2, 3]"));
}

TEST(InPlace, KeepsTheTypeAndComputesInThePromotedOne) {
  const Tensor half = full({2}, 0.5, {.dtype = DType::float16});
  half.mul_(tensor({100000., 1.}));
  EXPECT_EQ(half.dtype(), DType::float16);
  EXPECT_THAT(values(half), ElementsAre(49984, 0.5)) << "100000 is not a float16";
  const Tensor small = full({1}, 2, {.dtype = DType::int8});
  small.add_(tensor({300}));
  EXPECT_THAT(values(small), ElementsAre(46)) << "wraps";
  small.fill_(2).pow_(tensor({256}));
  EXPECT_THAT(values(small), ElementsAre(0)) << "2^256, not 2^0";
  const Tensor x = ones({2});
  x.add_(tensor({1, 2}));
  EXPECT_THAT(values(x), ElementsAre(2, 3));
  x.copy_(tensor({true, false}));
  EXPECT_THAT(values(x), ElementsAre(1, 0));
  const Tensor whole = tensor({3, 4});
  whole.copy_(tensor({2.9, -2.9}));
  EXPECT_THAT(values(whole), ElementsAre(2, -2));
}

TEST(InPlace, RefusesResultsThatTheTypeCannotTake) {
  const Tensor whole = tensor({1, 2}), truths = tensor({true, false});
  EXPECT_THAT(thrown([&] { whole.add_(0.5); }),
              AllOf(HasSubstr("[add_]"), HasSubstr("float32"), HasSubstr("int64")));
  EXPECT_THAT(thrown([&] { whole.mul_(ones({2})); }), HasSubstr("[mul_]"));
  EXPECT_THAT(thrown([&] { whole.div_(2); }), HasSubstr("[div_]"));
  EXPECT_THAT(thrown([&] { whole.sqrt_(); }), HasSubstr("[sqrt_]"));
  EXPECT_THAT(thrown([&] { whole.clamp_(0.5, 2); }), HasSubstr("[clamp_]"));
  EXPECT_THAT(thrown([&] { truths.add_(1); }), AllOf(HasSubstr("[add_]"), HasSubstr("bool")));
  EXPECT_THAT(thrown([&] { truths.sub_(truths); }), HasSubstr("[sub_]"));
  EXPECT_THAT(values(whole), ElementsAre(1, 2)) << "nothing was written";
  truths.add_(tensor({false, true}));
  EXPECT_THAT(values(truths), ElementsAre(1, 1)) << "or";
  truths.mul_(false);
  EXPECT_THAT(values(truths), ElementsAre(0, 0)) << "and";
}

TEST(InPlace, RefusesWhatCannotBeWritten) {
  const Tensor host = host_scalar(1.f);
  EXPECT_THAT(thrown([&] { host.add_(1); }), HasSubstr("value of the host"));
  EXPECT_THAT(thrown([&] { Tensor(1).fill_(2); }), HasSubstr("value of the host"));
  EXPECT_THAT(thrown([&] { zeros({1, 2}).expand({3, 2}).zero_(); }), HasSubstr("more than once"));
  const Tensor leaf = ones({2}, {.requires_grad = true});
  EXPECT_THAT(thrown([&] { leaf.add_(1); }), AllOf(HasSubstr("leaf"), HasSubstr("NoGrad")));
  EXPECT_THAT(thrown([&] { leaf.select(0, 0).zero_(); }), HasSubstr("view of a leaf"));
  const NoGrad off;
  leaf.add_(1);
  EXPECT_THAT(values(leaf), ElementsAre(2, 2));
}

TEST(InPlace, MayReadWhatItWrites) {
  const Tensor x = arange(0, 6, 1.0);
  x.add_(x);
  EXPECT_THAT(values(x), ElementsAre(0, 2, 4, 6, 8, 10));
  x.narrow(0, 1, 5).copy_(x.narrow(0, 0, 5));
  EXPECT_THAT(values(x), ElementsAre(0, 0, 2, 4, 6, 8)) << "overlapping parts";
  x.narrow(0, 1, 5).add_(x.narrow(0, 0, 5));
  EXPECT_THAT(values(x), ElementsAre(0, 0, 2, 6, 10, 14)) << "overlapping operands";
  const Tensor square = tensor({{1., 2.}, {3., 4.}});
  square.add_(square.t());
  EXPECT_THAT(values(square), ElementsAre(2, 5, 5, 8));
}

TEST(InPlace, GradientsOfWhatIsWrittenIn) {
  const Tensor value = full({}, 3.0).requires_grad_();
  const Tensor x = zeros({4}) * 1;
  x.fill_(value);
  sum(x * tensor({1., 2., 3., 4.})).backward();
  EXPECT_EQ(value.grad().item(), 10);
  const Tensor half = ones({2}, {.dtype = DType::float16}), wide = ones({2}).requires_grad_();
  const Tensor product = half.clone();
  product.mul_(wide);
  sum(product.to(DType::float32)).backward();
  EXPECT_EQ(wide.grad().dtype(), DType::float32);
  EXPECT_THAT(values(wide.grad()), ElementsAre(1, 1));
}

/// The sum of the squares of 1, 2 and 3, as training loops add up their losses.
struct Losses {
  Tensor weight = tensor({1., 2., 3.}).to(DType::float32).requires_grad_();
  Tensor of(std::int64_t i) const { return square(weight[i]); }
};

TEST(InPlace, NumbersBecomeTheSumOfLosses) {
  const Losses losses;
  Tensor total = 0.;
  for (std::int64_t i = 0; i < 3; ++i) total += losses.of(i);
  EXPECT_EQ(total.dtype(), DType::float32);
  EXPECT_EQ(total.item(), 14);
  total.backward();
  EXPECT_THAT(values(losses.weight.grad()), ElementsAre(2, 4, 6));
}

TEST(InPlace, TensorsTakeTheSumOfLosses) {
  const Losses losses;
  const Tensor total = zeros({});
  for (std::int64_t i = 0; i < 3; ++i) total += losses.of(i);
  total.backward();
  EXPECT_EQ(total.item(), 14);
  EXPECT_THAT(values(losses.weight.grad()), ElementsAre(2, 4, 6));
}

TEST(InPlace, SumsOfLossesThatAreTold) {
  const Losses losses;
  Tensor of_items = 0., of_detached = 0, sum_of_items = 0., count = 0;
  for (std::int64_t i = 0; i < 3; ++i) {
    of_items += losses.of(i).item();
    sum_of_items = sum_of_items + losses.of(i).item();
    of_detached += losses.of(i).detach();
    count += 1;
  }
  EXPECT_EQ(of_items.dtype(), DType::float64) << "a number, as in Python";
  EXPECT_EQ(of_items.item(), 14);
  EXPECT_EQ(sum_of_items.item(), 14);
  EXPECT_EQ(of_detached.item(), 14);
  EXPECT_FALSE(of_detached.requires_grad());
  EXPECT_EQ(count.item(), 3);
}

TEST(InPlace, NumbersBecomeWhatOperatorsGive) {
  const Tensor x = tensor({1., 2.});
  Tensor less = 1, product = 2., quotient = 3;
  less -= x;
  product *= x;
  quotient /= x;
  EXPECT_THAT(values(less), ElementsAre(0, -1));
  EXPECT_THAT(values(product), ElementsAre(2, 4));
  EXPECT_THAT(values(quotient), ElementsAre(3, 1.5));
  const Tensor number = 1.;
  EXPECT_THAT(thrown([&] { number.add_(x); }), HasSubstr("value of the host")) << "it is constant";
}

TEST(InPlace, UniformNumbersStayBelowTheEnd) {
  manual_seed(3);
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
    const Tensor x = zeros({1000000}, {.dtype = dtype});
    for (const auto& [low, high] : {std::pair(1.0, 2.0),
                                    {10.0, 11.0},
                                    {-3.0, -2.0},
                                    {-1.0, 0.0},
                                    {-0x1p-14, 0.0},
                                    {0.0, 1e-7}}) {
      x.uniform_(low, high);
      EXPECT_LT(max(x).item(), high) << name_of(dtype) << ' ' << low << ' ' << high;
      EXPECT_GE(min(x).item(), low);
    }
    EXPECT_EQ(max(x.uniform_(2, 2)).item(), 2);
  }
}

TEST(InPlace, RandomNumbers) {
  manual_seed(3);
  const Tensor x = zeros({10000});
  x.uniform_(-2, 3);
  EXPECT_GE(min(x).item(), -2);
  EXPECT_LT(max(x).item(), 3);
  EXPECT_NEAR(mean(x).item(), 0.5, 0.05);
  x.normal_(5, 2);
  EXPECT_NEAR(mean(x).item(), 5, 0.1);
  EXPECT_NEAR(switchyard::std(x).item(), 2, 0.1);
  EXPECT_THAT(thrown([] { tensor({1, 2}).uniform_(); }), HasSubstr("int64"));
  EXPECT_THAT(thrown([&] { x.uniform_(3, 1); }), HasSubstr("[uniform_]"));
  EXPECT_THAT(thrown([&] { x.normal_(0, -1); }), HasSubstr("[normal_]"));
}

}  // namespace
}  // namespace switchyard
