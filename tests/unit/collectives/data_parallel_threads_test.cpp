// Ranks that train one network, each on its part of the batches, with gradients averaged over all:
// they get what one gets on the whole batches.
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>

#include "collectives/ranks.hpp"

namespace switchyard {
namespace {

constexpr int kSteps = 6;
constexpr std::int64_t kBatch = 12, kFeatures = 5, kClasses = 3;

Floats waves(std::int64_t count, double start) {
  Floats values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(std::sin(start + 1.7 * static_cast<double>(i))));
  }
  return values;
}

/// A network on the device, whose parameters follow from `start`.
nn::Sequential network(const Device& device, double start) {
  nn::Sequential net(nn::Linear(kFeatures, 8), nn::Tanh(), nn::Linear(8, kClasses));
  net.to(device);
  const NoGrad off;
  for (const Tensor& parameter : net.parameters()) {
    parameter.copy_(floats(parameter.shape(), waves(parameter.size(), start++)).to(device));
  }
  return net;
}

/// One rank of `size` in the training of `net`; alone, the training on whole batches.
std::vector<Floats> train(nn::Sequential net, const Device& device, const Communicator* rank) {
  const int size = rank ? rank->size() : 1, number = rank ? rank->rank() : 0;
  optim::SGD optimizer(net.parameters(), {.lr = 0.2, .momentum = 0.9});
  for (int step = 0; step < kSteps; ++step) {
    const std::int64_t part = kBatch / size;
    const Tensor x = floats({kBatch, kFeatures}, waves(kBatch * kFeatures, step)).to(device);
    const Tensor y = floats({kBatch, kClasses}, waves(kBatch * kClasses, step + 0.5)).to(device);
    optimizer.zero_grad();
    mse_loss(net(x.narrow(0, number * part, part)), y.narrow(0, number * part, part)).backward();
    if (rank) {
      CollectiveGroup group;
      for (const Tensor& parameter : net.parameters()) {
        rank->all_reduce_(parameter.grad(), ReduceOp::average);
      }
      group.run();
    }
    optimizer.step();
  }
  std::vector<Floats> trained;
  for (const Tensor& parameter : net.parameters()) trained.push_back(parameter.to_vector<float>());
  return trained;
}

class DataParallel : public testing::TestWithParam<const char*> {};

TEST_P(DataParallel, TrainsAsOneDoesOnTheWholeBatch) {
  const Runtime runtime = start_late(3, GetParam());
  const RuntimeScope scope(runtime);
  const Device first = runtime.device("late:0");
  const std::vector<Floats> alone = train(network(first, 0), first, nullptr);
  for (const int size : {2, 3}) {
    std::vector<std::vector<Floats>> trained(static_cast<std::size_t>(size));
    on_each_rank(runtime, size, [&](const Communicator& rank) {
      // They begin alike, as the first rank has it.
      nn::Sequential net = network(rank.device(), 10.0 * rank.rank());
      {
        const NoGrad off;
        for (const Tensor& parameter : net.parameters()) rank.broadcast_(parameter, 0);
      }
      trained[static_cast<std::size_t>(rank.rank())] = train(net, rank.device(), &rank);
    });
    for (const std::vector<Floats>& of_rank : trained) {
      EXPECT_EQ(of_rank, trained[0]) << "the replicas stay alike, bit by bit";
      ASSERT_EQ(of_rank.size(), alone.size());
      for (std::size_t p = 0; p < alone.size(); ++p) {
        ASSERT_EQ(of_rank[p].size(), alone[p].size());
        for (std::size_t i = 0; i < alone[p].size(); ++i) {
          EXPECT_NEAR(of_rank[p][i], alone[p][i], 2e-5) << size << " ranks, parameter " << p;
        }
      }
    }
    // A training that did nothing would be alike, too.
    EXPECT_NE(trained[0], train(network(first, 5), first, nullptr));
    const Tensor untrained = network(first, 0).parameters()[0];
    EXPECT_NE(trained[0][0], untrained.to_vector<float>());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DataParallel, testing::Values("", "synchronous = true"));

}  // namespace
}  // namespace switchyard
