// Containers by name, and of parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Modules, AreNotWithinThemselves) {
  nn::Sequential list{nn::ReLU()};
  nn::Sequential around{list};
  EXPECT_THROW(list.append(list), Error);
  EXPECT_THROW(list.append(around), Error);
  EXPECT_EQ(list.size(), 1u);
}

TEST(ModuleDict, HoldsModulesByName) {
  nn::ModuleDict dict;
  const nn::Linear linear(2, 3);
  dict.insert("second", linear);
  dict.insert("first", std::make_shared<nn::ReLU>());
  EXPECT_THAT(dict.keys(), ElementsAre("second", "first")) << "in the order in which they came";
  EXPECT_EQ(dict.size(), 2u);
  EXPECT_TRUE(dict.contains("first"));
  EXPECT_FALSE(dict.contains("third"));
  EXPECT_TRUE(equal(dict["first"](tensor({-1., 2.})), tensor({0., 2.})));
  EXPECT_TRUE(equal(dict.at<nn::Linear>("second").weight, linear.weight));
  EXPECT_THAT(dict.named_parameters(),
              ElementsAre(Pair("second.weight", testing::_), Pair("second.bias", testing::_)));
  const nn::ModuleDict copy = dict;
  dict.insert("third", nn::Tanh());
  EXPECT_TRUE(copy.contains("third")) << "a copy is the same dict";
}

TEST(ModuleDict, RefusesNamesThatItHasAndThoseThatItLacks) {
  nn::ModuleDict dict;
  dict.insert("a", nn::ReLU());
  EXPECT_THAT(thrown([&] { dict.insert("a", nn::ReLU()); }), HasSubstr("named 'a' already"));
  EXPECT_THAT(thrown([&] { dict.insert("a.b", nn::ReLU()); }), HasSubstr("no dot"));
  EXPECT_THAT(thrown([&] { dict.insert("b", std::shared_ptr<nn::Module>()); }),
              HasSubstr("'b' is none"));
  EXPECT_THAT(thrown([&] { return &dict["b"]; }), AllOf(HasSubstr("'b'"), HasSubstr("these: a")));
  EXPECT_THAT(thrown([&] { return &dict.at<nn::Linear>("a"); }), HasSubstr("not a"));
}

TEST(ModuleList, CountsFromTheEndToo) {
  const nn::ReLU first;
  const nn::Tanh second;
  const nn::ModuleList list(first, second);
  EXPECT_TRUE(&list[-1] == &list[1]);
  EXPECT_TRUE(&list.at<nn::ReLU>(-2) == &list[0]);
  EXPECT_THAT(thrown([&] { return &list[2]; }), HasSubstr("[ModuleList] there is no entry 2 of 2"));
  EXPECT_THAT(thrown([&] { return &list.at<nn::ReLU>(-3); }),
              HasSubstr("there is no entry -3 of 2"));
}

TEST(ParameterList, HoldsParametersByNumber) {
  nn::ParameterList list({ones({2}), zeros({3})});
  const Tensor last = list.append(ones({2, 2}));
  EXPECT_TRUE(last.requires_grad());
  EXPECT_EQ(list.size(), 3u);
  EXPECT_TRUE(list[2].impl() == last.impl());
  const nn::NamedTensors named = list.named_parameters();
  EXPECT_EQ(named[1].first, "1");
  EXPECT_TRUE(list[-1].impl() == last.impl());
  EXPECT_THAT(thrown([&] { return list[3]; }),
              HasSubstr("[ParameterList] there is no entry 3 of 3"));
  EXPECT_THAT(thrown([&] { return list[-4]; }), HasSubstr("there is no entry -4 of 3"));
  EXPECT_THAT(thrown([&] { return list.append(Tensor()); }), HasSubstr("holds nothing"));
  list.append(last);
  EXPECT_EQ(list.size(), 4u) << "twice the same tensor";
  EXPECT_EQ(list.parameters().size(), 3u);
}

struct Scaled : nn::Module {
  nn::ParameterDict scales = register_module("scales", nn::ParameterDict());
};

TEST(ParameterDict, HoldsParametersByName) {
  Scaled net;
  const Tensor scale = net.scales.insert("scale", ones({2}));
  net.scales.insert("shift", zeros({2}));
  EXPECT_EQ(net.named_parameters()[0].first, "scales.scale");
  EXPECT_THAT(net.scales.keys(), ElementsAre("scale", "shift"));
  sum(net.scales["scale"] * 3).backward();
  EXPECT_TRUE(equal(scale.grad(), full({2}, 3.)));
  EXPECT_TRUE(net.scales.contains("shift"));
  EXPECT_THAT(thrown([&] { return net.scales["a"]; }), HasSubstr("these: scale, shift"));
  EXPECT_THAT(thrown([&] { return net.scales.insert("scale", ones({1})); }), HasSubstr("already"));
}

}  // namespace
}  // namespace switchyard
