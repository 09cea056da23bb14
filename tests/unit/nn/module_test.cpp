// Trees of modules: names, sharing, modes, moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Block : nn::Module {
  nn::Linear inner{2, 2};
  Tensor scale = register_parameter("scale", ones({2}));
  Tensor count = register_buffer("count", zeros({}, {.dtype = DType::int64}));
  Tensor scratch = register_buffer("scratch", zeros({2}), false);
  Block() { register_module("inner", inner); }
  Tensor forward(const Tensor& x) override { return inner(x) * scale; }
};

struct NetOfBlock : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(3, 2));
  Block block = register_module("block", Block());
  nn::Dropout dropout = register_module("dropout", nn::Dropout(0.5));
  Tensor forward(const Tensor& x) override { return dropout(block(relu(first(x)))); }
};

std::vector<std::string> names_of(const nn::NamedTensors& tensors) {
  std::vector<std::string> names;
  for (const auto& entry : tensors) names.push_back(entry.first);
  return names;
}

TEST(Module, NamesItsPartsAsPyTorchDoes) {
  NetOfBlock net;
  EXPECT_THAT(names_of(net.named_parameters()),
              ElementsAre("first.weight", "first.bias", "block.scale", "block.inner.weight",
                          "block.inner.bias"));
  EXPECT_THAT(names_of(net.named_buffers()), ElementsAre("block.count", "block.scratch"));
  std::vector<std::string> modules;
  for (const auto& [name, module] : net.named_modules()) modules.push_back(name);
  EXPECT_THAT(modules, ElementsAre("", "first", "block", "block.inner", "dropout"));
  EXPECT_EQ(net.state_dict().count("block.scratch"), 0u);
  EXPECT_EQ(net.state_dict().count("block.count"), 1u);
}

TEST(Module, RefusesNamesThatItHasOrThatAreNone) {
  struct Twice : nn::Module {
    Twice() {
      register_parameter("weight", ones({1}));
      register_buffer("weight", ones({1}));
    }
  };
  struct Dotted : nn::Module {
    Dotted() { register_parameter("a.b", ones({1})); }
  };
  EXPECT_THAT(error_of([] { Twice(); }).what(), HasSubstr("'weight' already"));
  EXPECT_THAT(error_of([] { Dotted(); }).what(), HasSubstr("'a.b'"));
}

TEST(Module, SaysThatItHasNoForwardOfOneTensor) {
  nn::CrossEntropyLoss loss;
  EXPECT_EQ(error_of([&] { loss.forward(ones({1})); }).kind(), ErrorKind::invalid_argument);
}

TEST(Module, ACopySharesParametersAndMode) {
  nn::Linear layer(3, 2);
  nn::Linear copy = layer;
  nn::init::zeros_(copy.weight);
  EXPECT_EQ(count_nonzero(layer.weight).item(), 0);
  copy.eval();
  EXPECT_FALSE(layer.is_training());
}

TEST(Module, ModeAndGradientsReachAllBelow) {
  NetOfBlock net;
  net.eval();
  EXPECT_FALSE(net.dropout.is_training());
  const Tensor x = ones({4, 3});
  EXPECT_TRUE(equal(net(x), net(x)));
  net.train();
  EXPECT_TRUE(net.block.inner.is_training());
  net(x).sum().backward();
  for (const Tensor& parameter : net.parameters()) EXPECT_TRUE(parameter.grad().defined());
  net.zero_grad(false);
  EXPECT_EQ(count_nonzero(net.first.weight.grad()).item(), 0);
  net.zero_grad();
  for (const Tensor& parameter : net.parameters()) EXPECT_FALSE(parameter.grad().defined());
  net.requires_grad_(false);
  EXPECT_FALSE(net(x).requires_grad());
}

TEST(Module, AppliesAFunctionChildrenFirst) {
  nn::Sequential net(nn::Linear(3, 2), nn::ReLU(), nn::Linear(2, 1));
  int calls = 0;
  net.apply([&](nn::Module& module) {
    ++calls;
    if (auto* linear = dynamic_cast<nn::Linear*>(&module)) nn::init::constant_(linear->bias, 3);
  });
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(error_of([&] { net.apply({}); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(net.at<nn::Linear>(2).bias.item(), 3);
}

TEST(Module, SequentialAndListsHoldModulesByNumber) {
  nn::Sequential net(nn::Linear(3, 2), nn::Sequential(nn::ReLU(), nn::Linear(2, 1)));
  net.append("last", nn::Sigmoid());
  EXPECT_THAT(names_of(net.named_parameters()),
              ElementsAre("0.weight", "0.bias", "1.1.weight", "1.1.bias"));
  EXPECT_EQ(net.children().back().name, "last");
  EXPECT_EQ(net(ones({5, 3})).shape(), (Dims{5, 1}));
  EXPECT_THROW(net[3], Error);
  nn::Sequential front;
  for (const nn::NamedModule& child : net.children()) {
    if (child.name != "last") front.append(child.module);
  }
  EXPECT_EQ(&front[1], &net[1]) << "the very module";
  EXPECT_EQ(front(ones({5, 3})).shape(), (Dims{5, 1}));
  EXPECT_THROW(front.append(std::shared_ptr<nn::Module>()), Error);
  EXPECT_THAT(error_of([&] { net.at<nn::ReLU>(0); }).what(), HasSubstr("Linear"));
  nn::ModuleList list(net);  // one module, not a copy of the list
  EXPECT_EQ(list.size(), 1u);
  nn::Sequential same(net);
  EXPECT_EQ(same.size(), 3u);
}

TEST(Module, TiedParametersComeOnce) {
  nn::Embedding words(5, 3);
  nn::ModuleList tied(words, nn::Linear(words.weight));
  EXPECT_EQ(tied.parameters().size(), 1u);
  EXPECT_EQ(tied.state_dict().size(), 2u);
}

TEST(Module, ToChangesWhatEveryHolderSees) {
  nn::Sequential net(nn::Linear(3, 2), nn::BatchNorm1d(2));
  const Tensor weight = net.at<nn::Linear>(0).weight;
  optim::SGD optimizer(net.parameters(), {.lr = 0.5, .momentum = 0.5});
  net(rand({4, 3})).square().sum().backward();
  const Tensor gradient = weight.grad();
  optimizer.step();
  const Tensor before = weight.detach().clone();
  net.to(DType::float64);
  EXPECT_EQ(weight.dtype(), DType::float64);
  EXPECT_EQ(gradient.dtype(), DType::float64);
  EXPECT_EQ(net.at<nn::BatchNorm1d>(1).num_batches_tracked.dtype(), DType::int64);
  EXPECT_TRUE(equal(weight.detach(), before.to(DType::float64)));
  optimizer.step();  // its velocity follows
  EXPECT_FALSE(equal(weight.detach(), before.to(DType::float64)));
  EXPECT_EQ(net(rand({4, 3}, {.dtype = DType::float64})).dtype(), DType::float64);
  EXPECT_THROW(net.to(DType::int64), Error);
}

TEST(Module, ToAnotherDeviceTakesGradientsAndOptimizersAlong) {
  const Runtime two = start({{"cpu", "template"}, "fallback = \"allow\""});
  const RuntimeScope scope(two);
  nn::Sequential net(nn::Linear(3, 2), nn::BatchNorm1d(2));
  optim::SGD optimizer(net.parameters(), {.lr = 0.5, .momentum = 0.5});
  net(ones({4, 3})).sum().backward();
  optimizer.step();
  const Device other = two.device("template");
  net.to(other);
  for (const auto& [name, tensor] : net.named_parameters()) {
    EXPECT_EQ(tensor.device(), other) << name;
    EXPECT_EQ(tensor.grad().device(), other) << name;
  }
  for (const auto& [name, tensor] : net.named_buffers()) {
    EXPECT_EQ(tensor.device(), other) << name;
  }
  optimizer.step();
  optimizer.zero_grad();
  net(ones({4, 3}).to(other)).sum().backward();
  EXPECT_EQ(net.parameters()[0].grad().device(), other);
}

TEST(Module, AWayBackFromBeforeToIsRefused) {
  nn::Linear layer(3, 2);
  Tensor x = ones({4, 3});
  x.requires_grad_();
  const Tensor y = layer(x);
  layer.to(DType::float64);
  EXPECT_EQ(error_of([&] { y.sum().backward(); }).kind(), ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace switchyard
