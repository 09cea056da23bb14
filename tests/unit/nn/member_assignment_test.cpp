// A member that is a module may be replaced, as in PyTorch: the new one is registered in its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

struct TwoLayers : nn::Module {
  nn::Linear body = register_module("body", nn::Linear(4, 4));
  nn::Linear fc = register_module("fc", nn::Linear(4, 2));
  Tensor forward(const Tensor& x) override { return fc(tanh(body(x))); }
};

/// Registers what it holds already, and has a module of modules.
struct Deep : nn::Module {
  TwoLayers net;
  nn::Sequential tail = register_module("tail", nn::Sequential(nn::Linear(2, 3), nn::Tanh()));
  Deep() { register_module("net", net); }
  Tensor forward(const Tensor& x) override { return tail(net(x)); }
};

Dims shape_of(const nn::Module& module, const std::string& name) {
  return module.state_dict().at(name).shape();
}

/// Whether a step of an optimizer of all parameters changes the tensor.
bool trains(nn::Module& module, const Tensor& weight) {
  const Tensor before = weight.detach().clone();
  optim::SGD optimizer(module.parameters(), {.lr = 0.1});
  optimizer.zero_grad();
  module(ones({1, 4})).square().sum().backward();
  optimizer.step();
  return !equal(before, weight);
}

TEST(MemberAssignment, RegistersTheNewModule) {
  TwoLayers net;
  net.eval();
  net.fc = nn::Linear(4, 10);
  EXPECT_EQ(net(ones({1, 4})).shape(), (Dims{1, 10}));
  EXPECT_EQ(shape_of(net, "fc.weight"), (Dims{10, 4}));
  EXPECT_EQ(net.parameters().size(), 4u);
  EXPECT_EQ(net.parameters()[2].impl(), net.fc.weight.impl());
  EXPECT_EQ(net.named_modules()[2].first, "fc");
  EXPECT_TRUE(net.fc.is_training()) << "as in PyTorch: a new module is in training";
  net.eval();
  EXPECT_FALSE(net.fc.is_training());
  EXPECT_TRUE(trains(net, net.fc.weight));
  net.fc = nn::Linear(4, 3);  // and once more
  EXPECT_EQ(shape_of(net, "fc.weight"), (Dims{3, 4}));
  EXPECT_TRUE(trains(net, net.fc.weight));
}

TEST(MemberAssignment, LeavesAnEarlierOptimizerItsParameters) {
  TwoLayers net;
  optim::SGD before(net.parameters(), {.lr = 0.1});
  net.fc = nn::Linear(4, 10);
  const Tensor first = net.fc.weight.detach().clone();
  net(ones({1, 4})).square().sum().backward();
  before.step();
  EXPECT_TRUE(equal(first, net.fc.weight)) << "as in PyTorch";
}

TEST(MemberAssignment, ReachesAllCopiesOfTheParent) {
  TwoLayers net;
  nn::Sequential chain(net);  // holds a copy
  TwoLayers copy = net;
  copy.fc = nn::Linear(4, 7);
  EXPECT_EQ(net(ones({1, 4})).shape(), (Dims{1, 7}));
  EXPECT_EQ(chain(ones({1, 4})).shape(), (Dims{1, 7}));
  EXPECT_EQ(shape_of(chain, "0.fc.weight"), (Dims{7, 4}));
  EXPECT_TRUE(trains(chain, net.fc.weight));
  chain.at<TwoLayers>(0).fc = nn::Linear(4, 5);
  EXPECT_EQ(net(ones({1, 4})).shape(), (Dims{1, 5}));
}

TEST(MemberAssignment, WorksDeepInside) {
  Deep deep;
  deep.net.fc = nn::Linear(4, 2, {.bias = false});
  EXPECT_EQ(deep.state_dict().count("net.fc.bias"), 0u);
  EXPECT_TRUE(trains(deep, deep.net.fc.weight));
  deep.tail = nn::Sequential(nn::Linear(2, 8));
  EXPECT_EQ(deep(ones({1, 4})).shape(), (Dims{1, 8}));
  EXPECT_EQ(shape_of(deep, "tail.0.weight"), (Dims{8, 2}));
  deep.tail.at<nn::Linear>(0) = nn::Linear(2, 9);
  EXPECT_EQ(shape_of(deep, "tail.0.weight"), (Dims{9, 2}));
  EXPECT_EQ(deep(ones({1, 4})).shape(), (Dims{1, 9}));
  deep.net = TwoLayers();  // with members of its own, which belong to the new one
  EXPECT_TRUE(trains(deep, deep.net.fc.weight));
  deep.net.body = nn::Linear(4, 4);
  EXPECT_TRUE(trains(deep, deep.net.body.weight));
}

TEST(MemberAssignment, OfAWholeModuleTakesItsMembersAlong) {
  TwoLayers one, other;
  one = other;
  EXPECT_EQ(one.fc.weight.impl(), other.fc.weight.impl());
  one.fc = nn::Linear(4, 6);
  EXPECT_EQ(other(ones({1, 4})).shape(), (Dims{1, 6}));
  TwoLayers third;
  std::swap(one, third);
  third.fc = nn::Linear(4, 8);
  EXPECT_EQ(other(ones({1, 4})).shape(), (Dims{1, 8}));
  EXPECT_EQ(shape_of(one, "fc.weight"), (Dims{2, 4}));
  std::vector<TwoLayers> nets(3);
  nets.erase(nets.begin());
  nets[0].fc = nn::Linear(4, 9);
  EXPECT_EQ(shape_of(nets[0], "fc.weight"), (Dims{9, 4}));
  EXPECT_EQ(shape_of(nets[1], "fc.weight"), (Dims{2, 4}));
}

TEST(MemberAssignment, TiesModules) {
  TwoLayers net;
  net.fc = net.body;
  EXPECT_EQ(net.parameters().size(), 2u);
  EXPECT_EQ(net.state_dict().size(), 4u);
  net.fc = nn::Linear(4, 2);
  EXPECT_EQ(net.parameters().size(), 4u);
  EXPECT_EQ(shape_of(net, "body.weight"), (Dims{4, 4}));
}

TEST(MemberAssignment, LeavesLocalModulesAlone) {
  nn::ModuleList list;
  nn::Linear layer(2, 2);
  list.append(layer);
  layer = nn::Linear(3, 3);
  list.append(layer);
  EXPECT_EQ(shape_of(list, "0.weight"), (Dims{2, 2}));
  EXPECT_EQ(shape_of(list, "1.weight"), (Dims{3, 3}));
  TwoLayers net;
  list.append(net.fc);
  list.at<nn::Linear>(2) = nn::Linear(5, 5);
  EXPECT_EQ(shape_of(net, "fc.weight"), (Dims{2, 4}));
  EXPECT_EQ(shape_of(list, "2.weight"), (Dims{5, 5}));
}

TEST(MemberAssignment, IsRefusedForAFreeCopy) {
  TwoLayers net;
  nn::Linear copy = net.fc;
  EXPECT_THAT(thrown([&] { copy = nn::Linear(4, 10); }), HasSubstr("'fc'"));
  EXPECT_EQ(shape_of(net, "fc.weight"), (Dims{2, 4}));
}

}  // namespace
}  // namespace switchyard
