// Hooks of modules: around a call, and in the backward pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// x * scale
struct ScaledBy : nn::Module {
  explicit ScaledBy(float factor)
      : scale(register_parameter("scale", tensor(std::vector<float>{factor}))) {}
  Tensor forward(const Tensor& x) override { return x * scale; }
  Tensor scale;
};

Tensor one_value(float value) { return tensor(std::vector<float>{value}); }

TEST(ModuleHooks, ChangeTheInputAndTheOutput) {
  ScaledBy module(3);
  const RemovableHandle before =
      module.register_forward_pre_hook([](nn::Module&, const Tensor& input) { return input + 1; });
  const RemovableHandle after = module.register_forward_hook(
      [](nn::Module&, const Tensor& input, const Tensor& output) { return output * 10 + input; });
  EXPECT_EQ(module(one_value(1)).item(), 62);
  EXPECT_EQ(module.forward(one_value(1)).item(), 3) << "without hooks";
  before.remove();
  EXPECT_EQ(module(one_value(1)).item(), 31);
  after.remove();
  EXPECT_EQ(module(one_value(1)).item(), 3);
}

TEST(ModuleHooks, GoInOrder) {
  ScaledBy module(1);
  std::vector<int> order;
  module.register_forward_hook(
      [&](nn::Module&, const Tensor&, const Tensor&) { order.push_back(3); });
  module.register_forward_pre_hook([&](nn::Module&, const Tensor&) { order.push_back(1); });
  module.register_forward_pre_hook([&](nn::Module&, const Tensor&) { order.push_back(2); });
  module.register_forward_hook(
      [&](nn::Module&, const Tensor&, const Tensor&) { order.push_back(4); });
  module(one_value(1));
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

struct HookedNet : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(2, 3));
  nn::Linear second = register_module("second", nn::Linear(3, 1));
  Tensor forward(const Tensor& x) override { return second(relu(first(x))); }
};

TEST(ModuleHooks, AreThoseOfAllCopies) {
  HookedNet net;
  std::vector<std::string> names;
  for (const auto& entry : net.named_modules()) {
    entry.second->register_forward_hook(
        [&names, name = entry.first](nn::Module& module, const Tensor&, const Tensor& output) {
          names.push_back(name);
          EXPECT_EQ(name.empty(), dynamic_cast<nn::Linear*>(&module) == nullptr);
          EXPECT_EQ(output.size(1), name == "first" ? 3 : 1);
        });
  }
  net(ones({4, 2}));
  EXPECT_THAT(names, ElementsAre("first", "second", ""));
  names.clear();
  nn::Sequential sequence(net.first, nn::ReLU(), net.second);
  sequence(ones({4, 2}));
  EXPECT_THAT(names, ElementsAre("first", "second"));
  names.clear();
  net.second = nn::Linear(3, 1);
  net(ones({4, 2}));
  EXPECT_THAT(names, ElementsAre("first", "")) << "another module has hooks of its own";
}

TEST(ModuleHooks, SeeTheGradientsOfACall) {
  ScaledBy module(3);
  std::vector<float> seen;
  const RemovableHandle handle =
      module.register_full_backward_hook([&](const Tensor& grad_input, const Tensor& grad_output) {
        seen = {grad_input.item<float>(), grad_output.item<float>()};
      });
  const Tensor x = one_value(2).requires_grad_();
  (module(x) * 5 + x * 100).sum().backward();
  EXPECT_THAT(seen, ElementsAre(15, 5)) << "not what goes past the module";
  EXPECT_EQ(x.grad().item(), 115);
  EXPECT_EQ(module.scale.grad().item(), 10);

  module.register_full_backward_hook(
      [](const Tensor& grad_input, const Tensor&) { return grad_input * 2; });
  handle.remove();
  x.set_grad({});
  module(module(x)).sum().backward();
  EXPECT_EQ(x.grad().item(), 36) << "twice 3 in each of two calls";
}

TEST(ModuleHooks, SeeTheGradientOfTheOutputAlone) {
  ScaledBy module(3);
  int calls = 0;
  module.register_full_backward_hook([&](const Tensor& grad_input, const Tensor& grad_output) {
    ++calls;
    EXPECT_FALSE(grad_input.defined());
    EXPECT_EQ(grad_output.item(), 5);
  });
  (module(one_value(2)) * 5).sum().backward();
  EXPECT_EQ(calls, 1);
  const NoGrad off;
  EXPECT_FALSE(module(one_value(2)).requires_grad());
}

TEST(ModuleHooks, SeeEachBackwardPassAndGrad) {
  ScaledBy module(3);
  int calls = 0;
  module.register_full_backward_hook([&](const Tensor&, const Tensor&) { ++calls; });
  const Tensor x = one_value(2).requires_grad_();
  const Tensor y = module(x);
  y.backward({}, true);
  EXPECT_EQ(grad(y, x).item(), 3);
  EXPECT_EQ(calls, 2);
  const Tensor first = grad(module(square(x)), x, {.create_graph = true});
  EXPECT_EQ(grad(first, x).item(), 6);
}

TEST(ModuleHooks, SayWhatDoesNotFit) {
  ScaledBy module(3);
  EXPECT_THAT(error_of([&] { module.register_forward_hook({}); }).what(),
              HasSubstr("[register_forward_hook] got no function"));
  EXPECT_THAT(error_of([&] { module.register_forward_pre_hook({}); }).what(),
              HasSubstr("got no function"));
  EXPECT_THAT(error_of([&] { module.register_full_backward_hook({}); }).what(),
              HasSubstr("got no function"));
  const RemovableHandle wrong =
      module.register_full_backward_hook([](const Tensor&, const Tensor&) { return ones({7}); });
  EXPECT_THAT(error_of([&] { module(one_value(1).requires_grad_()).sum().backward(); }).what(),
              HasSubstr("float32[7]"));
  EXPECT_THAT(error_of([&] { module(one_value(1)).sum().backward(); }).what(),
              HasSubstr("of an input that requires none"));
  wrong.remove();
  module.register_forward_hook(
      [](nn::Module&, const Tensor&, const Tensor&) { throw std::runtime_error("stop"); });
  EXPECT_THROW(module(one_value(1)), std::runtime_error);
}

}  // namespace
}  // namespace switchyard
