// Threads share tensors, parameters and networks: functions, gradients and training in each.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <switchyard/switchyard.hpp>
#include <thread>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

constexpr int kThreads = 3;
constexpr int kRounds = 15;

class SharedTensors : public testing::TestWithParam<const char*> {
 protected:
  /// Runs `work(thread)` in all threads, each on the runtime and device of the case.
  void in_threads(const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        const RuntimeScope scope(runtime);
        work(i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  Runtime runtime = start(
      {{GetParam(), "cpu"},
       "fallback = \"allow\"",
       std::string(GetParam()) == "mps" ? "[plugins.mps.options]\ndevice = \"software\"\n" : ""});
  RuntimeScope scope{runtime};
};

/// Integers, so that sums are the same in any order.
nn::Sequential network() {
  nn::Sequential net(nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 2));
  const NoGrad off;
  double value = -3;
  for (const Tensor& parameter : net.parameters()) {
    const Tensor values = remainder(arange(parameter.size()), 5) + value++;
    parameter.copy_(reshape(values, parameter.shape()));
  }
  return net;
}

Tensor loss_of(nn::Sequential& net, int number) {
  const Tensor x = remainder(reshape(arange(12), {3, 4}), 7) - number;
  return sum(square(net(x)));
}

TEST_P(SharedTensors, FunctionsOfOneTensor) {
  const Tensor x = arange(6), mask = x > 2;
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const Tensor y = where(mask, x * 2 + thread, -x) + round;
      const Floats made = y.to(DType::float32).to_vector<float>();
      const auto shift = static_cast<float>(round), more = static_cast<float>(thread + round);
      ASSERT_EQ(made, (Floats{shift, -1 + shift, -2 + shift, 6 + more, 8 + more, 10 + more}));
      ASSERT_EQ(x[round % 6].item(), round % 6);
    }
  });
}

TEST_P(SharedTensors, GradientsOfSharedParameters) {
  nn::Sequential net = network();
  const std::vector<Tensor> parameters = net.parameters();
  std::array<std::vector<Floats>, kThreads> expected;
  for (int thread = 0; thread < kThreads; ++thread) {
    for (const Tensor& gradient : grad(std::array{loss_of(net, thread)}, parameters)) {
      expected[static_cast<std::size_t>(thread)].push_back(gradient.to_vector<float>());
    }
  }
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<Tensor> given = grad(std::array{loss_of(net, thread)}, parameters);
      for (std::size_t i = 0; i < given.size(); ++i) {
        ASSERT_EQ(given[i].to_vector<float>(), expected[static_cast<std::size_t>(thread)][i]);
      }
    }
  });
}

TEST_P(SharedTensors, ViewsWhoseBaseWasWrittenTo) {
  const Tensor x = ones({2, 3}, {.requires_grad = true});
  const Tensor base = x * 2, view = base.t();
  for (int round = 0; round < kRounds; ++round) {
    base.mul_(-1);
    const float factor = round % 2 == 0 ? -2 : 2;
    in_threads([&](int) {
      ASSERT_TRUE(view.requires_grad());
      const Tensor gradient = grad(sum(view), x, {.retain_graph = true});
      ASSERT_EQ(gradient.to_vector<float>(), Floats(6, factor));
    });
  }
}

TEST_P(SharedTensors, AllGoBackToTheSameLeaves) {
  nn::Sequential net = network(), alone = network();
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) loss_of(net, thread).backward();
  });
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int round = 0; round < kRounds; ++round) loss_of(alone, thread).backward();
  }
  const std::vector<Tensor> shared = net.parameters(), own = alone.parameters();
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_EQ(shared[i].grad().to_vector<float>(), own[i].grad().to_vector<float>());
  }
}

TEST_P(SharedTensors, OneNotesAndAnotherGoesBack) {
  std::array<Tensor, kThreads> leaves, losses;
  in_threads([&](int thread) {
    const auto i = static_cast<std::size_t>(thread);
    leaves[i] = full({3}, thread + 1.0, {.requires_grad = true});
    losses[i] = sum(leaves[i] * leaves[i]);
  });
  in_threads(
      [&](int thread) { losses[static_cast<std::size_t>((thread + 1) % kThreads)].backward(); });
  for (int thread = 0; thread < kThreads; ++thread) {
    const auto twice = static_cast<float>(2 * (thread + 1));
    EXPECT_EQ(leaves[static_cast<std::size_t>(thread)].grad().to_vector<float>(),
              (Floats{twice, twice, twice}));
  }
}

TEST_P(SharedTensors, EachTrainsItsOwn) {
  std::array<Floats, kThreads> ends;
  in_threads([&](int thread) {
    nn::Sequential net = network();
    optim::Adam optimizer(net.parameters(), {.lr = 0.125});
    for (int round = 0; round < kRounds; ++round) {
      optimizer.zero_grad();
      loss_of(net, 1).backward();
      optimizer.step();
    }
    ends[static_cast<std::size_t>(thread)] = net.parameters()[0].to_vector<float>();
  });
  for (const Floats& end : ends) EXPECT_EQ(end, ends[0]);
}

TEST_P(SharedTensors, ModesAreOfOneThread) {
  const NoGrad off;
  const Autocast low(DType::bfloat16);
  in_threads([&](int) {
    const Tensor x = ones({2, 2}, {.requires_grad = true});
    const Tensor y = matmul(x, x);
    EXPECT_TRUE(y.requires_grad());
    EXPECT_EQ(y.dtype(), DType::float32);
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, SharedTensors, testing::Values("cpu", "template", "mps"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace switchyard
