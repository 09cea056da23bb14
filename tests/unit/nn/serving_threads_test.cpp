// A const network in eval mode serves many threads.
#include <gtest/gtest.h>

#include <atomic>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>
#include <thread>
#include <vector>

namespace switchyard {
namespace {

nn::Sequential network() {
  nn::Sequential net(nn::Conv2d(1, 4, 3), nn::BatchNorm2d(4), nn::ReLU(), nn::MaxPool2d(2),
                     nn::Flatten(), nn::Dropout(0.5), nn::Linear(36, 3));
  net.eval();
  return net;
}

TEST(ConstNetwork, IsRefusedInTrainingMode) {
  nn::Sequential net = network();
  net.train();
  const nn::Sequential& served = net;
  EXPECT_THROW(static_cast<void>(served(ones({1, 1, 8, 8}))), Error);
}

TEST(ConstNetwork, GivesManyThreadsWhatItGivesOne) {
  const nn::Sequential net = network();
  const Tensor input = randn({2, 1, 8, 8});
  const NoGrad off;
  const std::vector<float> expected = net(input).to_vector<float>();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const NoGrad here;
      for (int i = 0; i < 20; ++i) wrong += net(input).to_vector<float>() != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace switchyard
