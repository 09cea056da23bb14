// What scopes say, carried to other threads.
#include <gtest/gtest.h>

#include <optional>
#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/context.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/streams.hpp>
#include <thread>
#include <vector>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

/// Calls `task` on another thread, within `context`.
template <typename Task>
void elsewhere(const Context& context, const Task& task) {
  std::thread([&] {
    const ContextScope scope(context);
    task();
  }).join();
}

TEST(Contexts, OfAThreadWithoutScopesIsThatOfANewOne) {
  for (const Context& context : {Context(), Context::current()}) {
    elsewhere(context, [] {
      EXPECT_TRUE(is_grad_enabled());
      EXPECT_FALSE(autocast_dtype());
    });
  }
}

TEST(Contexts, TakeEveryScopeAlong) {
  const Runtime runtime = start({{"cpu"}});
  const Device device = runtime.default_device();
  const Stream stream(device);
  std::optional<Context> context;
  {
    const DeviceScope on(device);
    const StreamScope in(stream);
    const NoGrad no_grad;
    const Autocast autocast(DType::bfloat16);
    context = Context::current();
  }
  EXPECT_TRUE(is_grad_enabled());
  elsewhere(*context, [&] {
    EXPECT_EQ(current_device(), device);
    EXPECT_EQ(current_runtime().engine(), runtime.engine());
    EXPECT_TRUE(current_stream() == stream);
    EXPECT_FALSE(is_grad_enabled());
    EXPECT_EQ(autocast_dtype(), DType::bfloat16);
    const Tensor x = ones({2, 2}).requires_grad_();
    EXPECT_EQ(x.device(), device);
    const Tensor product = matmul(x, x);
    EXPECT_EQ(product.dtype(), DType::bfloat16);
    EXPECT_FALSE(product.requires_grad());
  });
}

TEST(Contexts, TakeTheRuntimeAlong) {
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope(runtime);
  elsewhere(Context::current(), [&] { EXPECT_EQ(current_device(), runtime.default_device()); });
}

TEST(Contexts, KeepWhatTheyTakeAlong) {
  std::optional<Context> context;
  {
    const Runtime runtime = start({{"cpu"}});
    const Device device = runtime.default_device();
    const Stream stream(device);
    const DeviceScope on(device);
    const StreamScope in(stream);
    context = Context::current();
  }
  elsewhere(*context, [] { EXPECT_EQ((ones({3}) + 1).sum().item(), 6); });
}

TEST(Contexts, StandInThePlaceOfAThreadsOwnScopesAndAreLeftForThem) {
  const Runtime runtime = start({{"cpu"}}), other = start({{"cpu"}});
  std::optional<Context> context;
  {
    const RuntimeScope scope(other);
    context = Context::current();
  }
  const DeviceScope on(runtime.default_device());
  const Stream stream(runtime.default_device());
  const StreamScope in(stream);
  const NoGrad no_grad;
  const Autocast autocast(DType::float16);
  {
    const ContextScope scope(*context);
    EXPECT_EQ(current_device(), other.default_device());
    EXPECT_FALSE(current_stream(runtime.default_device()) == stream);
    EXPECT_TRUE(is_grad_enabled());
    EXPECT_FALSE(autocast_dtype());
    {
      const GradMode inner(false);
      const ContextScope again(*context);
      EXPECT_TRUE(is_grad_enabled());
    }
    EXPECT_TRUE(is_grad_enabled());
  }
  EXPECT_EQ(current_device(), runtime.default_device());
  EXPECT_TRUE(current_stream() == stream);
  EXPECT_FALSE(is_grad_enabled());
  EXPECT_EQ(autocast_dtype(), DType::float16);
}

// A weight is converted once in a scope: each thread has its own list of these.
TEST(Contexts, OfOneScopeAreEnteredByManyThreads) {
  const Runtime runtime = start({{"cpu"}});
  const DeviceScope on(runtime.default_device());
  const Tensor weight = full({8, 8}, 0.5).requires_grad_();
  const Tensor input = ones({4, 8});
  std::optional<Context> context;
  {
    const Autocast autocast(DType::bfloat16);
    context = Context::current();
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, own = *context] {
      for (int k = 0; k < 20; ++k) {
        const ContextScope scope(own);
        const Tensor product = matmul(input, weight);
        EXPECT_EQ(product.dtype(), DType::bfloat16);
        EXPECT_EQ(product.to(DType::float32).sum().item(), 128);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace switchyard
