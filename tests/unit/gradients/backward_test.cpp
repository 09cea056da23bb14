// The backward pass: accumulation, what is freed, what stops it, writes in place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;
using Floats = std::vector<float>;

Tensor leaf(std::initializer_list<double> values) {
  return tensor(values, {.requires_grad = true});
}
Floats grad_of(const Tensor& x) { return x.grad().to_vector<float>(); }

template <typename F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Backward, AddsUpOverUsesAndCalls) {
  const Tensor x = leaf({1, 2, 3});
  sum(x * x + x).backward();
  EXPECT_EQ(grad_of(x), (Floats{3, 5, 7}));
  sum(x).backward();
  EXPECT_EQ(grad_of(x), (Floats{4, 6, 8}));
}

TEST(Backward, TakesTheGradientOfMoreThanOneElement) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 3;
  EXPECT_THAT(error_of([&] { y.backward(); }), HasSubstr("needs the gradient of its elements"));
  y.backward(tensor({1., 10.}));
  EXPECT_EQ(grad_of(x), (Floats{3, 30}));
  EXPECT_THAT(error_of([&] { (x * 3).backward(tensor({1., 2., 3.})); }), HasSubstr("[3]"));
}

TEST(Backward, FreesWhatWasSavedUnlessAskedNotTo) {
  const Tensor x = leaf({2});
  const Tensor y = x * x;
  y.backward({}, true);
  y.backward();
  EXPECT_EQ(grad_of(x), (Floats{8}));
  EXPECT_THAT(error_of([&] { y.backward(); }), AllOf(HasSubstr("[backward] was called twice"),
                                                     HasSubstr("Mul"), HasSubstr("retain_graph")));
}

TEST(Backward, GoesTwiceThroughWhatSavedNothing) {
  const Tensor x = leaf({2});
  const Tensor y = x + 1;
  y.backward();
  y.backward();
  EXPECT_EQ(grad_of(x), (Floats{2}));
}

TEST(Backward, RefusesGradientsOfNumbers) {
  Tensor number = 2.5;
  EXPECT_THAT(error_of([&] { number.requires_grad_(); }), HasSubstr("full({}, number)"));
  EXPECT_THAT(error_of([&] { number.set_grad(1.0); }), HasSubstr("full({}, number)"));
  EXPECT_FALSE(Tensor(2.5).requires_grad()) << "who writes the same number shares it";
}

/// Outlives the objects of the main thread, with all that made it.
Tensor& made_long_ago() {
  static Tensor total;
  return total;
}

TEST(Backward, OfStaticTensorsIsLetGoAtTheEnd) {
  Tensor chain = leaf({1});
  for (int i = 0; i < 100; ++i) chain = chain * 1.5;
  made_long_ago() = chain;
  EXPECT_TRUE(made_long_ago().requires_grad());
}

TEST(Backward, StopsAtDetachAndNoGrad) {
  const Tensor x = leaf({2});
  sum(x * x.detach()).backward();
  EXPECT_EQ(grad_of(x), (Floats{2}));
  {
    const NoGrad off;
    EXPECT_FALSE(is_grad_enabled());
    EXPECT_FALSE((x * 2).requires_grad());
  }
  EXPECT_TRUE(is_grad_enabled());
  EXPECT_THAT(error_of([&] { sum(x.detach()).backward(); }), HasSubstr("requires no gradient"));
}

TEST(Backward, OfLongChainsNeitherNestsNorForgets) {
  const Tensor x = leaf({1});
  Tensor y = x;
  for (int i = 0; i < 20000; ++i) y = y + x;
  y.backward();
  EXPECT_EQ(grad_of(x), (Floats{20001}));
}

TEST(Backward, KeepsTheGradientOfATensorInBetween) {
  const Tensor x = leaf({3});
  const Tensor y = x * 2;
  const Tensor z = y * y;
  y.retain_grad();
  z.backward();
  EXPECT_EQ(grad_of(y), (Floats{12}));
  EXPECT_EQ(grad_of(x), (Floats{24}));
  EXPECT_FALSE(y.is_leaf());
  EXPECT_TRUE(x.is_leaf());
}

// What is kept is the gradient of the elements as they are at the end.
TEST(Backward, KeepsTheGradientOfWhatWasWrittenInPlace) {
  const Tensor x = leaf({1, 1}) * 1;
  x.retain_grad();
  x.mul_(2);
  x.sum().backward();
  EXPECT_EQ(grad_of(x), (Floats{1, 1}));
}

TEST(Backward, KeepsTheGradientsOfViewsAndOfTheirBase) {
  const Tensor y = leaf({1, 1}) * 1;
  y.retain_grad();
  const Tensor a = y.select(0, 0), b = y.select(0, 0);
  a.retain_grad();
  b.retain_grad();
  a.mul_(3);
  (a + b + y.sum()).backward();
  EXPECT_EQ(grad_of(a), (Floats{1}));
  EXPECT_EQ(grad_of(b), (Floats{1}));
  EXPECT_EQ(grad_of(y), (Floats{3, 1}));
}

TEST(Grad, LeavesTheLeavesAloneAndHasGradientsItself) {
  const Tensor x = leaf({2});
  const Tensor first = grad(x * x * x, x, {.create_graph = true});
  EXPECT_EQ(first.to_vector<float>(), (Floats{12}));
  const Tensor second = grad(first, x, {.create_graph = true});
  EXPECT_EQ(second.to_vector<float>(), (Floats{12}));
  EXPECT_EQ(grad(second, x).to_vector<float>(), (Floats{6}));
  EXPECT_FALSE(x.grad().defined());
  const Tensor other = leaf({1});
  EXPECT_THAT(error_of([&] { grad(x * x, other); }), HasSubstr("allow_unused"));
  EXPECT_FALSE(grad(x * x, other, {.allow_unused = true}).defined());
}

TEST(Grad, RefusesMoreGradientsThanOutputs) {
  const Tensor x = leaf({1, 2});
  const std::vector<Tensor> outputs{sum(x)}, inputs{x};
  EXPECT_THAT(error_of([&] {
                grad(outputs, inputs, {.grad_outputs = {ones({}), ones({})}});
              }),
              HasSubstr("2 gradients of 1 outputs"));
}

TEST(InPlace, WritesToAllViews) {
  const Tensor x = zeros({2, 3});
  const Tensor row = x.select(0, 1);
  row.add_(1);
  x.mul_(5);
  EXPECT_EQ(row.to_vector<float>(), (Floats{5, 5, 5}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{0, 0, 0, 5, 5, 5}));
  x.transpose(0, 1).copy_(tensor({1., 2.}));
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 1, 1, 2, 2, 2}));
}

TEST(InPlace, RefusesWhatCannotBeWritten) {
  const Tensor x = leaf({1, 2});
  EXPECT_THAT(error_of([&] { x.add_(1); }), HasSubstr("leaf"));
  EXPECT_THAT(error_of([&] { x.select(0, 0).add_(1); }), HasSubstr("view of a leaf"));
  EXPECT_THAT(error_of([&] { ones({1}).expand({3}).add_(1); }), HasSubstr("more than once"));
  EXPECT_THAT(error_of([&] { tensor({1, 2}).add_(0.5); }), HasSubstr("float32"));
  EXPECT_THAT(error_of([&] { ones({2}).add_(ones({3, 2})); }), HasSubstr("[3, 2]"));
  EXPECT_THAT(error_of([&] { host_scalar(1.0F).add_(1); }), HasSubstr("value of the host"));
  const NoGrad off;
  x.add_(1);
  EXPECT_EQ(x.to_vector<float>(), (Floats{2, 3}));
}

TEST(InPlace, SpoilsWhatWasSavedAndSaysSo) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  const Tensor z = y * y;
  y.add_(1);
  EXPECT_THAT(error_of([&] { sum(z).backward(); }),
              AllOf(HasSubstr("[backward] the gradient of Mul"), HasSubstr("in place")));
}

TEST(InPlace, GradientsGoThroughWrites) {
  const Tensor a = scattered({2, 3}), b = scattered({3}, 0.5, 2, 1);
  CHECK_GRADIENTS(
      [](std::span<const Tensor> in) {
        const Tensor y = in[0] * 2;
        y.mul_(in[1]);
        y.add_(in[0]);
        y.exp_();
        return y;
      },
      {a, b});
  CHECK_GRADIENTS(
      [](std::span<const Tensor> in) {
        const Tensor y = in[0] * 2;
        y.select(0, 1).mul_(in[1]);
        return y * y;
      },
      {a, b});
  CHECK_GRADIENTS(
      [](std::span<const Tensor> in) {
        const Tensor y = zeros({2, 3}, {.dtype = DType::float64});
        const Tensor column = y.select(1, 2);
        y.select(0, 0).copy_(in[1]);
        y.add_(in[0]);
        return column * column + sum(y * y);
      },
      {a, b});
  CHECK_GRADIENTS(
      [](std::span<const Tensor> in) {
        // A base that lies turned in memory.
        const Tensor y = zeros({3, 2}, {.dtype = DType::float64}).transpose(0, 1).detach();
        y.add_(in[0]);
        y.select(0, 1).mul_(in[1]);
        return y * y;
      },
      {a, b});
  CHECK_GRADIENTS(
      [](std::span<const Tensor> in) {
        const Tensor y = in[0] * 1;
        y.fill_(2);
        return y * in[1];
      },
      {a, b});
}

TEST(CustomFunction, GoesBackItsOwnWay) {
  const CustomFunction cube{"cube",
                            [](FunctionContext& context, std::span<const Tensor> in) {
                              context.saved = {in[0]};
                              return std::vector<Tensor>{in[0] * in[0] * in[0]};
                            },
                            [](FunctionContext& context, std::span<const Tensor> gradients) {
                              const Tensor& x = context.saved[0];
                              return std::vector<Tensor>{gradients[0] * x * x * 3};
                            }};
  CHECK_GRADIENTS([&](std::span<const Tensor> in) { return cube(in)[0]; }, {scattered({4})});
}

using Tensors = std::vector<Tensor>;

TEST(CustomFunction, RefusesAGradientThatDoesNotFit) {
  const CustomFunction twice{
      "twice", [](FunctionContext&, std::span<const Tensor> in) { return Tensors{in[0] * 2}; },
      [](FunctionContext&, std::span<const Tensor> out) { return Tensors{sum(out[0]) * 2}; }};
  const Tensor x = leaf({1, 2});
  EXPECT_THAT(error_of([&] { sum(twice(Tensors{x})[0]).backward(); }),
              HasSubstr("[twice] the gradient of input 0 is float32[]; it must be float32[2]"));
  EXPECT_FALSE(x.grad().defined());
}

TEST(CustomFunction, WithoutAHalfSaysSo) {
  const Tensor x = leaf({1, 2});
  EXPECT_THAT(error_of([&] { CustomFunction{.name = "blank"}(Tensors{x}); }),
              HasSubstr("[blank] has no forward"));
  const CustomFunction one_way{
      .name = "one_way",
      .forward = [](FunctionContext&, std::span<const Tensor> in) { return Tensors{in[0] * 2}; }};
  EXPECT_EQ(one_way(Tensors{x.detach()})[0].to_vector<float>(), (Floats{2, 4}));
  EXPECT_THAT(error_of([&] { sum(one_way(Tensors{x})[0]).backward(); }),
              HasSubstr("[one_way] has no backward"));
}

TEST(CustomFunction, GivesGradientsToFloatingResultsOfItsOwn) {
  const CustomFunction parts{
      "parts",
      [](FunctionContext&, std::span<const Tensor> in) {
        return Tensors{in[0] * 3, in[0].to(DType::int64), Tensor(), Tensor(2.5)};
      },
      [](FunctionContext&, std::span<const Tensor> out) {
        EXPECT_FALSE(out[1].defined() || out[2].defined() || out[3].defined());
        return Tensors{out[0] * 3};
      }};
  const Tensor x = leaf({1, 2});
  const Tensors made = parts(Tensors{x});
  EXPECT_FALSE(made[1].requires_grad());
  EXPECT_FALSE(Tensor(2.5).requires_grad());
  sum(made[0]).backward();
  sum(made[0]).backward();
  EXPECT_EQ(grad_of(x), (Floats{6, 6})) << "nothing was saved that could have been freed";
}

}  // namespace
}  // namespace switchyard
