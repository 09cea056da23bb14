// Gradients that the program gives - by set_grad(), a hook, a CustomFunction - fit their tensor,
// and nothing is written to that is not the tensor's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "functions/thrown.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// x, whose gradient is what `make` gives.
Tensor with_gradient(const Tensor& x, std::function<Tensor()> make) {
  const CustomFunction function{
      "Given", [](FunctionContext&, std::span<const Tensor> in) { return std::vector{in[0] * 1}; },
      [make](FunctionContext&, std::span<const Tensor>) { return std::vector{make()}; }};
  return function(std::array{x})[0];
}

TEST(GivenGradients, LeaveLentMemoryAsItIs) {
  std::array<float, 2> lent{5, 7};
  const Tensor x = zeros({2}).requires_grad_(), hooked = zeros({2}).requires_grad_();
  hooked.register_hook([&](const Tensor&) { return Tensor::borrow(std::span(lent), {2}); });
  for (int pass = 0; pass < 3; ++pass) {
    with_gradient(x, [&] { return Tensor::borrow(std::span(lent), {2}); }).sum().backward();
    hooked.sum().backward();
  }
  EXPECT_THAT(lent, ElementsAre(5, 7));
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(15, 21));
  EXPECT_THAT(hooked.grad().to_vector<float>(), ElementsAre(15, 21));
}

TEST(GivenGradients, MayLieInMemoryThatIsOnlyRead) {
  static constexpr std::array<float, 2> lent{5, 7};
  const Tensor x = zeros({2}).requires_grad_();
  for (int pass = 0; pass < 2; ++pass) {
    with_gradient(x, [&] { return Tensor::borrow(std::span(lent), {2}); }).sum().backward();
  }
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(10, 14));
}

TEST(GivenGradients, ComeFromTheHostAndFromNoOtherDevice) {
  const Runtime runtime = start({{"cpu", "template"}});
  const Device own = runtime.device("cpu"), other = runtime.device("template");
  const Tensor x = zeros({2}, {.device = own, .requires_grad = true});
  const Tensor one = ones({2}, {.device = own});
  for (int pass = 0; pass < 2; ++pass) {
    with_gradient(x, [&] { return one.to(Device::host()); }).sum().backward();
  }
  EXPECT_EQ(x.grad().device(), own);
  EXPECT_THAT(x.grad().to_vector<float>(), ElementsAre(2, 2));
  const Tensor y = with_gradient(x, [&] { return one.to(other); });
  EXPECT_THAT(thrown([&] { y.sum().backward(); }),
              HasSubstr("[Given] the gradient of input 0 lies on template:0, but must on cpu:0"));
  x.set_grad(one.to(Device::host()));
  EXPECT_EQ(x.grad().device(), own);
}

TEST(GivenGradients, ThatCannotBeAddedToAreRefused) {
  static constexpr std::array<float, 2> lent{1, 2};
  const RuntimeScope host_memory(start({{"cpu"}}));  // where what is lent is not copied
  const Tensor x = zeros({2}).requires_grad_(), flat = zeros({4});
  const auto says = [&](const Tensor& given) { return thrown([&] { x.set_grad(given); }); };
  EXPECT_THAT(says(x), HasSubstr("[set_grad] the gradient shares memory with the tensor"));
  EXPECT_THAT(says(x.detach()), HasSubstr("shares memory"));
  EXPECT_THAT(says(zeros({1}).expand({2})), HasSubstr("shows elements more than once"));
  EXPECT_THAT(says(Tensor::borrow(std::span(lent), {2})), HasSubstr("is read-only"));
  const Tensor part = flat.narrow(0, 0, 2).requires_grad_();
  part.set_grad(flat.narrow(0, 2, 2));
  part.sum().backward();
  EXPECT_THAT(flat.to_vector<float>(), ElementsAre(0, 0, 1, 1)) << "two parts of one buffer";
}

TEST(GivenGradients, OfAnotherRuntimeAreSaidToBe) {
  const Runtime first = start({{"cpu"}}), second = start({{"cpu"}});
  const Tensor x = zeros({1}, {.device = first.device("cpu"), .requires_grad = true});
  EXPECT_THAT(thrown([&] { x.set_grad(ones({1}, {.device = second.device("cpu")})); }),
              HasSubstr("lies on cpu:0 of another runtime"));
}

TEST(CustomFunctions, GiveNoHistoryToWhatTheyCapture) {
  const Tensor learned = ones({1}).requires_grad_(), buffer = ones({1});
  const CustomFunction capturing{"Capturing",
                                 [&](FunctionContext&, std::span<const Tensor>) {
                                   return std::vector{learned, buffer};
                                 },
                                 [](FunctionContext&, std::span<const Tensor> gradients) {
                                   return std::vector{gradients[0] + gradients[1]};
                                 }};
  const std::vector<Tensor> made = capturing(std::array{ones({1}).requires_grad_()});
  EXPECT_TRUE(made[0].requires_grad() && made[1].requires_grad());
  EXPECT_TRUE(learned.is_leaf());
  EXPECT_FALSE(buffer.requires_grad());
}

TEST(CustomFunctions, FreeWhatTheySavedOfTheirOutputs) {
  const CustomFunction saving{"Saving",
                              [](FunctionContext& context, std::span<const Tensor> in) {
                                const Tensor y = in[0] * 2;
                                context.saved = {y, y.view({-1})};
                                return std::vector{y};
                              },
                              [](FunctionContext&, std::span<const Tensor> gradients) {
                                return std::vector{gradients[0] * 2};
                              }};
  const Tensor x = ones({256, 256}).requires_grad_();
  const std::size_t before = x.device().memory().used_bytes;
  for (int i = 0; i < 10; ++i) static_cast<void>(saving(std::array{x}));
  EXPECT_LT(x.device().memory().used_bytes, before + x.size_bytes());
}

TEST(CustomFunctions, SeeTheHistoryOfASavedOutputThatIsHeldElsewhere) {
  Tensor last;
  const CustomFunction squaring{"Exp",
                                [&](FunctionContext& context, std::span<const Tensor> in) {
                                  last = in[0].exp();
                                  context.saved = {last};
                                  return std::vector{last};
                                },
                                [](FunctionContext& context, std::span<const Tensor> gradients) {
                                  return std::vector{gradients[0] * context.saved[0]};
                                }};
  const Tensor x = zeros({1}).requires_grad_();
  const Tensor first = grad(squaring(std::array{x})[0], x, {.create_graph = true});
  EXPECT_FLOAT_EQ(grad(first, x).item<float>(), 1) << "the second derivative of exp";
  EXPECT_FALSE(last.requires_grad());
}

}  // namespace
}  // namespace switchyard
