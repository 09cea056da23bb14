// States to and from PyTorch: net.safetensors is the state_dict of golden.py's net().
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nn/golden.hpp"
#include "temporary_folder.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

nn::Sequential net() {
  return nn::Sequential(nn::Conv2d(1, 3, {3}, {.padding = {1}}), nn::BatchNorm2d(3), nn::ReLU(),
                        nn::MaxPool2d({2}), nn::Flatten(), nn::Linear(48, 5));
}

TEST(StateDict, ReadsWhatPyTorchSaved) {
  nn::Sequential loaded = net();
  const nn::IncompatibleKeys keys = loaded.load(golden_path("nn/net.safetensors"));
  EXPECT_TRUE(keys.missing.empty() && keys.unexpected.empty());
  EXPECT_EQ(loaded.at<nn::BatchNorm2d>(1).num_batches_tracked.item(), 1);
}

TEST(StateDict, SavesWhatPyTorchReads) {
  nn::Sequential loaded = net();
  loaded.load(golden_path("nn/net.safetensors"));
  const TemporaryFolder folder;
  loaded.save(folder.path() / "net.safetensors");
  const auto ours = load_safetensors(folder.path() / "net.safetensors").tensors;
  const auto theirs = load_safetensors(golden_path("nn/net.safetensors")).tensors;
  ASSERT_EQ(ours.size(), theirs.size());
  for (const auto& [name, tensor] : theirs) {
    ASSERT_EQ(ours.count(name), 1u) << name;
    EXPECT_TRUE(equal(ours.at(name), tensor)) << name;
  }
}

TEST(StateDict, SharesElementsAndLoadsIntoTheSameTensors) {
  nn::Linear from(3, 2), to(3, 2);
  const Tensor weight = to.weight;
  const StateDict state = from.state_dict();
  EXPECT_FALSE(state.at("weight").requires_grad());
  to.load_state_dict(state);
  EXPECT_TRUE(equal(weight.detach(), from.weight.detach()));
  EXPECT_TRUE(to.weight.requires_grad() && to.weight.is_leaf());
  nn::init::zeros_(from.weight);
  EXPECT_EQ(count_nonzero(state.at("weight")).item(), 0);
  EXPECT_NE(count_nonzero(weight).item(), 0);
}

TEST(StateDict, ConvertsToTheTypeOfTheModule) {
  nn::Linear from(3, 2), to(3, 2);
  to.to(DType::float16);
  to.load_state_dict(from.state_dict());
  EXPECT_EQ(to.weight.dtype(), DType::float16);
  EXPECT_TRUE(equal(to.weight.detach(), from.weight.detach().to(DType::float16)));
}

TEST(StateDict, ListsAllThatDoesNotFitAndChangesNothing) {
  nn::Linear layer(3, 2);
  const Tensor before = layer.weight.detach().clone();
  const StateDict state{{"weight", zeros({2, 3})}, {"gain", ones({1})}};
  const Error error = error_of([&] { layer.load_state_dict(state); });
  EXPECT_THAT(error.what(), AllOf(HasSubstr("missing are bias"), HasSubstr("unexpected are gain")));
  EXPECT_TRUE(equal(layer.weight.detach(), before));
  EXPECT_THAT(error_of([&] {
                layer.load_state_dict({{"weight", zeros({3, 2})}}, false);
              }).what(),
              AllOf(HasSubstr("weight"), HasSubstr("[3, 2]"), HasSubstr("[2, 3]")));
  const nn::IncompatibleKeys keys = layer.load_state_dict(state, false);
  EXPECT_THAT(keys.missing, ElementsAre("bias"));
  EXPECT_THAT(keys.unexpected, ElementsAre("gain"));
  EXPECT_EQ(count_nonzero(layer.weight).item(), 0);
}

}  // namespace
}  // namespace switchyard
