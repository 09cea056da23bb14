// Averages of parameters beside PyTorch's: averaged_golden.safetensors, which averaged_golden.py
// wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <switchyard/averaged_model.hpp>
#include <switchyard/data.hpp>
#include <switchyard/optim.hpp>

#include "nn/golden.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

nn::Sequential network() { return nn::Sequential(nn::Linear(3, 4), nn::BatchNorm1d(4)); }

GoldenCase average_case(const std::string& name) {
  return GoldenCase(name, "training/averaged_golden.safetensors");
}

/// Takes the parameters that the network had in each step.
void follow_steps(optim::AveragedModel& average, nn::Module& net) {
  for (const char* step : {"0", "1", "2", "3"}) {
    net.load_state_dict(average_case("net").below(step));
    average.update_parameters(net);
  }
}

void expect_averages(const std::string& name, const optim::AveragedModel& average,
                     std::initializer_list<const char*> parts) {
  const GoldenCase expected = average_case(name);
  const StateDict state = average.state_dict();
  for (const std::string part : parts) {
    expect_close(state.at("module." + part).detach(), expected["module." + part], name + part);
  }
  EXPECT_EQ(average.n_averaged(), 4);
  EXPECT_EQ(state.at("n_averaged").item(), expected["n_averaged"].item());
}

constexpr std::initializer_list<const char*> kParameters = {"0.weight", "0.bias", "1.weight",
                                                            "1.bias"};

TEST(AveragedModel, HasTheAveragesOfPyTorch) {
  nn::Sequential net = network();
  optim::AveragedModel swa(net, network());
  follow_steps(swa, net);
  expect_averages("swa", swa, kParameters);
  optim::AveragedModel ema(net, network(), {.avg_fn = optim::get_ema_avg_fn(0.9)});
  follow_steps(ema, net);
  expect_averages("ema", ema, kParameters);
  optim::AveragedModel buffers(net, network(), {.use_buffers = true});
  follow_steps(buffers, net);
  expect_averages("swa_buffers", buffers, kParameters);
  expect_averages("swa_buffers", buffers, {"1.running_mean", "1.running_var"});
}

TEST(AveragedModel, CopiesBuffersThatAreNotAveraged) {
  nn::Sequential net = network();
  optim::AveragedModel average(net, network());
  follow_steps(average, net);
  EXPECT_TRUE(equal(average.state_dict().at("module.1.running_mean"),
                    net.state_dict().at("1.running_mean")));
}

TEST(AveragedModel, ComputesAsTheNetworkAtFirst) {
  manual_seed(1);
  nn::Sequential net = network(), own = network();
  optim::AveragedModel average(net, own);
  net.eval();
  average.eval();
  const Tensor x = randn({5, 3});
  EXPECT_TRUE(equal(average(x).detach(), net(x).detach()));
  EXPECT_TRUE(equal(own(x).detach(), net(x).detach())) << "it shares the parameters";
  nn::init::zeros_(net.at<nn::Linear>(0).weight);
  EXPECT_FALSE(equal(average(x).detach(), net(x).detach()));
}

TEST(AveragedModel, ComesFromAStateAgain) {
  nn::Sequential net = network();
  optim::AveragedModel average(net, network()), again(net, network());
  follow_steps(average, net);
  again.load_state_dict(average.state_dict());
  net.load_state_dict(average_case("net").below("1"));
  average.update_parameters(net);
  again.update_parameters(net);
  EXPECT_EQ(again.n_averaged(), 5);
  EXPECT_TRUE(equal(again.state_dict().at("module.0.weight").detach(),
                    average.state_dict().at("module.0.weight").detach()));
}

TEST(AveragedModel, RefusesNetworksThatAreNotAlike) {
  nn::Sequential net = network();
  const auto refusal = [](auto&& make) { return std::string(error_of(make).what()); };
  EXPECT_THAT(refusal([&] { optim::AveragedModel(net, net); }),
              HasSubstr("shares its parameters with its average"));
  EXPECT_THAT(refusal([&] { optim::AveragedModel(net, nn::Linear(3, 4)); }),
              HasSubstr("the network has 4 parameters, its average 2"));
  EXPECT_THAT(refusal([&] {
                optim::AveragedModel(net, nn::Sequential(nn::Linear(3, 5), nn::BatchNorm1d(5)));
              }),
              HasSubstr("number 0 of the parameters has shape [4, 3], in the average [5, 3]"));
  optim::AveragedModel average(net, network());
  EXPECT_THAT(refusal([&] { average.update_parameters(nn::Linear(3, 4)); }),
              HasSubstr("2 parameters, its average 4"));
  EXPECT_THAT(refusal([] { static_cast<void>(optim::get_ema_avg_fn(1.5)); }),
              HasSubstr("a decay of 1.5"));
}

TEST(UpdateBn, AveragesOverTheBatches) {
  nn::Sequential net = network();
  optim::AveragedModel average(net, network());
  follow_steps(average, net);
  average.eval();
  const Tensor data =
      load_safetensors(golden_path("training/averaged_golden.safetensors")).tensors.at("data");
  DataLoader loader(TensorDataset(data), {.batch_size = 4});
  optim::update_bn(loader, average);
  EXPECT_FALSE(average.is_training());
  const GoldenCase expected = average_case("updated");
  const StateDict state = average.state_dict();
  for (const std::string part : {"running_mean", "running_var", "num_batches_tracked"}) {
    expect_close(state.at("module.1." + part), expected[part], part);
  }
}

struct WithMember : nn::Module {
  nn::BatchNorm1d norm = register_module("norm", nn::BatchNorm1d(3));
  Tensor forward(const Tensor& x) override { return norm(x); }
};

TEST(UpdateBn, ReachesModulesThatAreMembersAndLeavesThemAsTheyWere) {
  WithMember net;
  const Tensor data = host_tensor<float>({4, 3}, {1, 2, 3, 3, 4, 5, 9, 9, 9, 7, 7, 7});
  DataLoader loader(TensorDataset(data), {.batch_size = 2});
  optim::update_bn(loader, net);
  EXPECT_TRUE(allclose(net.norm.running_mean, tensor({5.0, 5.5, 6.0})));
  EXPECT_EQ(net.norm.num_batches_tracked.item(), 2);
  net(zeros({2, 3}));  // by the momentum of 0.1 again
  EXPECT_TRUE(allclose(net.norm.running_mean, tensor({4.5, 4.95, 5.4})));
  EXPECT_TRUE(net.is_training());

  optim::update_bn(loader, net, [](const Batch& batch) { return place(batch.input()) * 2; });
  EXPECT_TRUE(allclose(net.norm.running_mean, tensor({10.0, 11.0, 12.0})));
  EXPECT_THROW(
      optim::update_bn(loader, net, [](const Batch&) -> Tensor { throw std::runtime_error("no"); }),
      std::runtime_error);
  net(zeros({2, 3}));
  EXPECT_TRUE(allclose(net.norm.running_mean, zeros({3}))) << "reset, then moved by 0.1 of zero";
  nn::Linear plain(3, 2);
  EXPECT_NO_THROW(optim::update_bn(loader, plain));
}

}  // namespace
}  // namespace switchyard
