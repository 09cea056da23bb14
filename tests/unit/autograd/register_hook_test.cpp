// Hooks of tensors: when they are called, in which order, and what they may change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor leaf_of(std::vector<float> values) { return tensor(values).requires_grad_(); }

std::vector<float> grad_of(const Tensor& x) { return x.grad().to_vector<float>(); }

TEST(RegisterHook, OfALeafChangesWhatIsAdded) {
  const Tensor x = leaf_of({1, 2});
  std::vector<std::vector<float>> seen;
  const RemovableHandle handle = x.register_hook([&](const Tensor& gradient) {
    seen.push_back(gradient.to_vector<float>());
    return gradient * 10;
  });
  (x * 3).sum().backward();
  EXPECT_THAT(grad_of(x), ElementsAre(30, 30));
  (x * 2).sum().backward();
  EXPECT_THAT(grad_of(x), ElementsAre(50, 50));
  EXPECT_THAT(seen, ElementsAre(ElementsAre(3, 3), ElementsAre(2, 2)));
  handle.remove();
  handle.remove();
  x.set_grad({});
  x.sum().backward();
  EXPECT_THAT(grad_of(x), ElementsAre(1, 1));
}

TEST(RegisterHook, IsCalledOnceWithTheSumOfAllUses) {
  const Tensor x = leaf_of({1, 2});
  const Tensor y = x * 2;
  int calls = 0;
  y.register_hook([&](const Tensor& gradient) {
    ++calls;
    EXPECT_THAT(gradient.to_vector<float>(), ElementsAre(7, 7));
  });
  (y * 3 + y * 4).sum().backward();
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(grad_of(x), ElementsAre(14, 14));
}

TEST(RegisterHook, GoesInOrderEachWithWhatTheOneBeforeLeft) {
  const Tensor x = leaf_of({1});
  const Tensor y = x * 1;
  y.retain_grad();
  y.register_hook([](const Tensor& gradient) { return gradient + 1; });
  y.register_hook([](const Tensor&) {});
  const RemovableHandle out =
      y.register_hook([](const Tensor& gradient) { return gradient * 100; });
  y.register_hook([](const Tensor& gradient) { return gradient * 2; });
  out.remove();
  (y * 5).backward();
  EXPECT_THAT(grad_of(y), ElementsAre(12)) << "kept as the hooks leave it";
  EXPECT_THAT(grad_of(x), ElementsAre(12));
}

TEST(RegisterHook, IsCalledByGradToo) {
  const Tensor x = leaf_of({3});
  const Tensor y = square(x);
  x.register_hook([](const Tensor& gradient) { return gradient + 1; });
  y.register_hook([](const Tensor& gradient) { return gradient * 2; });
  EXPECT_EQ(grad(y, x, {.retain_graph = true}).item(), 13);
  EXPECT_EQ(grad(y * 3, y).item(), 6);
  EXPECT_FALSE(x.grad().defined());
}

TEST(RegisterHook, HasGradientsOfItsOwnWithCreateGraph) {
  const Tensor x = leaf_of({3});
  const Tensor y = x * 1;
  y.register_hook([](const Tensor& gradient) { return gradient * gradient; });
  bool recorded = true;
  x.register_hook([&](const Tensor&) { recorded = is_grad_enabled(); });
  const Tensor first = grad(y * y, x, {.create_graph = true});  // (2 y)^2
  EXPECT_TRUE(recorded);
  EXPECT_EQ(first.item(), 36);
  EXPECT_EQ(grad(first, x, {.retain_graph = true}).item(), 24 * 24)
      << "8 y = 24, squared by the hook of y once more";
  (y * y).backward();
  EXPECT_FALSE(recorded);
}

TEST(RegisterHook, IsAboutTheElementsBeforeAWrite) {
  const Tensor x = leaf_of({1, 2});
  const Tensor y = x * 2;
  std::vector<float> seen;
  y.register_hook([&](const Tensor& gradient) { seen = gradient.to_vector<float>(); });
  y.mul_(5);
  y.sum().backward();
  EXPECT_THAT(seen, ElementsAre(5, 5));
  EXPECT_THAT(grad_of(x), ElementsAre(10, 10));
}

TEST(RegisterHook, OfAViewSeesItsPart) {
  const Tensor x = leaf_of({1, 2, 3});
  const Tensor part = x.narrow(0, 1, 2);
  part.register_hook([](const Tensor& gradient) { return gradient * 2; });
  (part * 3).sum().backward();
  EXPECT_THAT(grad_of(x), ElementsAre(0, 6, 6));
}

TEST(RegisterHook, MayKeepWhatItGotAndGave) {
  const Tensor x = leaf_of({1});
  Tensor got, given;
  x.register_hook([&](const Tensor& gradient) {
    got = gradient;
    return given = gradient * 2;
  });
  x.sum().backward();
  x.sum().backward();
  EXPECT_THAT(grad_of(x), ElementsAre(4));
  EXPECT_EQ(got.item(), 1);
  EXPECT_EQ(given.item(), 2);
}

TEST(RegisterHook, MayTakeHooksOutAndRegisterOthers) {
  const Tensor x = leaf_of({1});
  RemovableHandle second;
  int added = 0;
  x.register_hook([&](const Tensor&) {
    second.remove();
    x.register_hook([&](const Tensor&) { ++added; });
  });
  second = x.register_hook([](const Tensor& gradient) { return gradient * 100; });
  x.sum().backward();
  EXPECT_THAT(grad_of(x), ElementsAre(1));
  EXPECT_EQ(added, 0) << "from the next pass on";
  x.sum().backward();
  EXPECT_EQ(added, 1);
  RemovableHandle of_a_tensor_that_is_gone;
  {
    const Tensor gone = leaf_of({1});
    of_a_tensor_that_is_gone = gone.register_hook([](const Tensor&) {});
  }
  of_a_tensor_that_is_gone.remove();
  RemovableHandle().remove();
}

TEST(RegisterHook, MayHaveStateOfItsOwn) {
  const Tensor x = leaf_of({1});
  int last = 0;
  x.register_hook([calls = 0, &last](const Tensor&) mutable { last = ++calls; });
  for (int pass = 0; pass < 3; ++pass) x.sum().backward();
  EXPECT_EQ(last, 3);
}

TEST(RegisterHook, RefusesWhatDoesNotFit) {
  const auto refusal = [](const Tensor& given) {
    const Tensor x = leaf_of({1, 2});
    x.register_hook([&](const Tensor&) { return given; });
    return std::string(error_of([&] { x.sum().backward(); }).what());
  };
  EXPECT_THAT(refusal(ones({3})), HasSubstr("float32[3]"));
  EXPECT_THAT(refusal(ones({2}, {.dtype = DType::float64})), HasSubstr("float64[2]"));
  EXPECT_THAT(refusal(2.0), HasSubstr("it must be float32[2]"));
  const Tensor x = leaf_of({1});
  EXPECT_THAT(error_of([&] { ones({1}).register_hook([](const Tensor&) {}); }).what(),
              HasSubstr("requires no gradient"));
  EXPECT_THAT(error_of([&] { x.register_hook({}); }).what(), HasSubstr("got no function"));
  EXPECT_THAT(error_of([&] { x.register_hook(std::function<void(const Tensor&)>()); }).what(),
              HasSubstr("got no function"));
  EXPECT_THROW(Tensor().register_hook([](const Tensor&) {}), Error);
  x.register_hook([](const Tensor&) { throw std::runtime_error("stop"); });
  EXPECT_THROW(x.sum().backward(), std::runtime_error);
  EXPECT_FALSE(x.grad().defined());
}

}  // namespace
}  // namespace switchyard
