// The same elements elsewhere: to, clone, contiguous, detach, item, copies to and from the host.
#include <gmock/gmock.h>

#include <functional>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/thrown.hpp"
#include "functions/values.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

bool is_same(const Tensor& a, const Tensor& b) { return a.impl() == b.impl(); }

/// The devices of the configuration that can be used.
std::vector<Device> devices() {
  std::vector<Device> result;
  for (const PluginInfo& plugin : current_runtime().plugins()) {
    if (plugin.available) result.push_back(Device(plugin.name));
  }
  return result;
}

TEST(Copies, ToIsTheTensorItselfWhereNothingChanges) {
  const Tensor x = ones({2});
  EXPECT_TRUE(is_same(x.to(DType::float32), x));
  EXPECT_TRUE(is_same(x.to(Device(x.device())), x));
  EXPECT_TRUE(is_same(x.contiguous(), x));
  const Tensor other = x.to(DType::float64);
  other.zero_();
  EXPECT_THAT(values(x), ElementsAre(1, 1));
}

TEST(Copies, ConvertAmongAllTypes) {
  constexpr DType kDTypes[] = {DType::float32, DType::float64, DType::float16, DType::bfloat16,
                               DType::int8,    DType::uint8,   DType::int16,   DType::int32,
                               DType::int64,   DType::bool_};
  for (const DType from : kDTypes) {
    for (const DType to : kDTypes) {
      const Tensor x = tensor({0, 1, 100}).to(from).to(to);
      EXPECT_EQ(x.dtype(), to);
      const double last = from == DType::bool_ || to == DType::bool_ ? 1 : 100;
      EXPECT_THAT(values(x), ElementsAre(0, 1, last)) << name_of(from) << " " << name_of(to);
    }
  }
}

TEST(Copies, GoBetweenAllDevices) {
  const std::vector<Device> all = devices();
  for (const Device& from : all) {
    for (const Device& to : all) {
      const Tensor x = arange(0, 6, 1.0, {.device = from}).reshape({2, 3}).t();
      const Tensor moved = x.to(to), later = x.to(to, true);
      EXPECT_EQ(moved.device(), to);
      EXPECT_THAT(values(moved), ElementsAre(0, 3, 1, 4, 2, 5));
      EXPECT_THAT(values(later), ElementsAre(0, 3, 1, 4, 2, 5));
      EXPECT_EQ(is_same(moved, x), from == to);
      EXPECT_EQ(zeros({0, 2}, {.device = from}).to(to).shape(), (Dims{0, 2}));
    }
  }
}

TEST(Copies, GradientsGoBackToTheOriginalsDevice) {
  const std::vector<Device> all = devices();
  const Tensor x = ones({2}, {.device = all.front(), .requires_grad = true});
  const Tensor there = x.to(all.back()) * 3;
  sum(there).backward();
  EXPECT_EQ(x.grad().device(), x.device());
  EXPECT_THAT(values(x.grad()), ElementsAre(3, 3));
  const Tensor y = ones({2}, {.requires_grad = true});
  sum(y.to(DType::float64).clone().contiguous() * 2).backward();
  EXPECT_EQ(y.grad().dtype(), DType::float32);
  EXPECT_THAT(values(y.grad()), ElementsAre(2, 2));
}

TEST(Copies, CloneAndContiguous) {
  const Tensor x = tensor({{1., 2.}, {3., 4.}}), turned = x.t();
  EXPECT_FALSE(turned.is_contiguous());
  const Tensor straight = turned.contiguous(), copy = turned.clone();
  EXPECT_TRUE(straight.is_contiguous() && copy.is_contiguous());
  EXPECT_THAT(values(copy), ElementsAre(1, 3, 2, 4));
  x.zero_();
  EXPECT_THAT(values(straight), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(values(copy), ElementsAre(1, 3, 2, 4));
  const Tensor row = zeros({2, 3}).select(0, 1);
  EXPECT_TRUE(is_same(row.contiguous(), row)) << "a row has no gaps";
  EXPECT_THAT(values(full({}, 3.0).expand({3}).clone()), ElementsAre(3, 3, 3));
}

TEST(Copies, DetachSharesTheElements) {
  const Tensor x = ones({2}, {.requires_grad = true});
  const Tensor y = x * 2, cut = y.detach();
  EXPECT_FALSE(cut.requires_grad());
  EXPECT_TRUE(cut.is_leaf());
  cut.fill_(7);
  EXPECT_THAT(values(y), ElementsAre(7, 7));
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_TRUE(x.requires_grad());
}

TEST(Copies, RequiresGradRules) {
  Tensor x = ones({2});
  EXPECT_FALSE(x.requires_grad());
  EXPECT_TRUE(x.requires_grad_().requires_grad());
  Tensor y = x * 2;
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  EXPECT_THAT(thrown([&] { y.requires_grad_(false); }), HasSubstr("detach()"));
  EXPECT_FALSE(x.requires_grad_(false).requires_grad());
  EXPECT_THAT(thrown([] { tensor({1}).requires_grad_(); }), HasSubstr("int64"));
  EXPECT_THAT(thrown([] { tensor({true}).requires_grad_(); }), HasSubstr("bool"));
  x.requires_grad_();
  EXPECT_FALSE((x > 0).requires_grad());
  EXPECT_FALSE(argmax(x).requires_grad());
  EXPECT_FALSE(x.to(DType::int64).requires_grad());
  const NoGrad off;
  EXPECT_FALSE((x * 2).requires_grad());
  EXPECT_TRUE(x.requires_grad());
}

TEST(Copies, AHostValueHasClonesOfItsOwn) {
  const Tensor x = host_tensor<float>({2}, std::vector<float>{1, 2});
  Tensor y = x.clone();
  y.requires_grad_();
  EXPECT_FALSE(x.requires_grad());
  sum(y.clone() * 3).backward();
  EXPECT_THAT(values(y.grad()), ElementsAre(3, 3));
  EXPECT_THAT(values(x.clone()), ElementsAre(1, 2));
}

TEST(Copies, ItemTakesOneElement) {
  EXPECT_EQ(tensor({2.5}).item(), 2.5);
  EXPECT_EQ(full({1, 1}, 3).item(), 3);
  EXPECT_EQ(full({}, true).item(), 1);
  EXPECT_EQ(full({}, 1.5, {.dtype = DType::float16}).item(), 1.5);
  EXPECT_EQ(full({}, 1.5, {.dtype = DType::bfloat16}).item(), 1.5);
  EXPECT_EQ(tensor({{1., 2.}, {3., 4.}}).t()[0][1].item(), 3);
  EXPECT_EQ(tensor({7}).item<std::int64_t>(), 7);
  EXPECT_TRUE(full({}, true).item<bool>());
  EXPECT_THAT(thrown([] { ones({2}).item(); }), AllOf(HasSubstr("item()"), HasSubstr("[2]")));
  EXPECT_THAT(thrown([] { ones({0}).item(); }), HasSubstr("item()"));
  EXPECT_THAT(thrown([] { Tensor().item(); }), HasSubstr("item()"));
  EXPECT_THAT(thrown([] { tensor({7}).item<float>(); }),
              AllOf(HasSubstr("int64"), HasSubstr("float32")));
  EXPECT_THAT(thrown([] { ones({2}).item<float>(); }),
              AllOf(HasSubstr("item()"), HasSubstr("[2]")));
}

TEST(Copies, NoTensorIsAnError) {
  const Tensor none;
  EXPECT_FALSE(none.defined());
  EXPECT_THAT(thrown([&] { none.to(DType::int8); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { none.clone(); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { none.contiguous(); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { none.detach(); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { none.fill_(1); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { ones({1}).copy_(none); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { ones({1}).add_(none); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { none.reshape({1}); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { full({1}, none); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { where(none, 1, 2); }), HasSubstr("holds nothing"));
  EXPECT_THAT(thrown([&] { as_strided(none, {1}, {1}); }), HasSubstr("none"));
  EXPECT_THAT(thrown([&] { cat({ones({1}), none}); }), HasSubstr("none"));
}

TEST(Views, AsStridedShowsWhatWasAskedForAlone) {
  const Tensor six = arange(6.f), two = six.narrow(0, 4, 2);
  EXPECT_EQ(as_strided(two, {2}, {1}).to_vector<float>(), (std::vector<float>{4, 5}));
  EXPECT_EQ(as_strided(six, {2, 2}, {3, 2}).to_vector<float>(), (std::vector<float>{0, 2, 3, 5}));
  for (const auto& beyond : std::vector<std::function<Tensor()>>{
           [&] { return as_strided(six, {7}, {1}); }, [&] { return as_strided(six, {3}, {3}); },
           [&] { return as_strided(six, {1}, {1}, 6); }, [&] { return as_strided(two, {3}, {1}); },
           [&] { return as_strided(zeros({0}), {1}, {1}); }}) {
    EXPECT_THAT(thrown(beyond), HasSubstr("do not lie in the storage"));
  }
}

}  // namespace
}  // namespace switchyard
