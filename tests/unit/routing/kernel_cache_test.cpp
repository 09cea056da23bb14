// Kernels are made once for all calls that they serve, routes are kept by their full key, and
// neither for ever.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "routing/routed.hpp"

namespace switchyard {
namespace {

using Kernels = std::shared_ptr<const Kernel>;

Kernels kernel_of(const Runtime& runtime, const Call& call) { return call.route(runtime)->kernel; }

TEST(KernelCache, AKernelThatIsSpecialisedOnNothingServesEveryShape) {
  const Runtime runtime = start({{"template"}, "", "", {"cpu"}});
  const Kernels kernel = kernel_of(runtime, Call("Relu").input({2, 3}));
  EXPECT_EQ(kernel, kernel_of(runtime, Call("Relu").input({4, 5})));
  EXPECT_EQ(kernel, kernel_of(runtime, Call("Relu").strided({2, 3}, {1, 2})));
  EXPECT_NE(kernel, kernel_of(runtime, Call("Relu").input({2, 3, 4}))) << "another rank";
  EXPECT_NE(kernel, kernel_of(runtime, Call("Add").input({2}).input({2})));
}

TEST(KernelCache, OneThatIsSpecialisedOnShapesServesThatShapeInAnyLayout) {
  const Runtime runtime = start({{"good"}});
  const Kernels kernel = kernel_of(runtime, Call("Relu").input({2, 3}));
  EXPECT_EQ(kernel, kernel_of(runtime, Call("Relu").strided({2, 3}, {1, 2})));
  EXPECT_NE(kernel, kernel_of(runtime, Call("Relu").input({3, 2})));
}

TEST(KernelCache, OneThatIsSpecialisedOnDataServesThatValue) {
  // What a kernel does not say of itself is taken for all: shape, strides and data.
  Attributes keep;
  keep.set("keepdims", std::int64_t{1});
  keep.set("noop_with_empty_axes", std::int64_t{0});
  const Runtime runtime = start({{"null"}});
  const auto reduce = [&](const Integers& axes) {
    Call call("ReduceSum", keep);
    call.input({4, 4}).value(axes);
    return call.route(runtime);
  };
  EXPECT_EQ(reduce({0}), reduce({0})) << "equal bytes, another literal";
  EXPECT_NE(reduce({0}), reduce({1})) << "the outputs' shapes differ";
}

TEST(KernelCache, AttributesFlagsAndPlacementsArePartOfTheKey) {
  const Runtime runtime = start({{"cpu"}});
  const auto softmax = [&](std::int64_t axis) {
    Attributes attributes;
    attributes.set("axis", axis);
    return Call("Softmax", attributes).input({4, 4}).route(runtime);
  };
  EXPECT_EQ(softmax(0), softmax(0));
  EXPECT_NE(softmax(0), softmax(1));
  const auto ordinary = Call("Relu").input({4}).route(runtime);
  EXPECT_NE(ordinary, Call("Relu", {}, Purpose::host_work).input({4}).route(runtime));
}

TEST(KernelCache, AKernelLivesAsLongAsARouteHoldsIt) {
  const Runtime runtime = start({{"good"}});
  std::weak_ptr<const Kernel> watched;
  {
    const auto route = Call("Relu").input({2}).route(runtime);
    watched = route->kernel;
  }
  EXPECT_FALSE(watched.expired()) << "the cache holds the route";
  const_cast<RouteCache&>(runtime.engine()->router->cache()).clear();
  EXPECT_TRUE(watched.expired());
}

// ---------------------------------------------------------------- bounds

struct BoundedCache : testing::Test {
  Runtime runtime = start({{"good"}});

  std::shared_ptr<const Route> keep(RouteCache& cache, std::int64_t extent) {
    Call call("Relu");
    call.input({extent});
    auto route = call.route(runtime);
    cache.keep(call.request(), route);
    return route;
  }
  bool holds(RouteCache& cache, std::int64_t extent) {
    Call call("Relu");
    call.input({extent});
    return cache.find(call.request()) != nullptr;
  }
};

TEST_F(BoundedCache, GivesUpTheLeastRecentlyUsedRoutes) {
  RouteCache cache(8 << 10);
  for (std::int64_t extent = 1; extent <= 3; ++extent) keep(cache, extent);
  for (std::int64_t extent = 4; extent <= 100; ++extent) {
    EXPECT_TRUE(holds(cache, 1)) << "in use all the time, before " << extent;
    keep(cache, extent);
  }
  EXPECT_LE(cache.bytes(), 8u << 10);
  EXPECT_LT(cache.size(), 10u);
  EXPECT_TRUE(holds(cache, 100));
  EXPECT_FALSE(holds(cache, 2));
}

TEST_F(BoundedCache, KeepsTheNewerOfTwoRoutesOfOneCall) {
  RouteCache cache;
  const auto first = keep(cache, 1);
  const std::size_t bytes = cache.bytes();
  const auto second = keep(cache, 1);
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.bytes(), bytes);
  Call call("Relu");
  call.input({1});
  EXPECT_EQ(cache.find(call.request()), second);
}

TEST_F(BoundedCache, ARouteInUseOutlivesItsPositionInTheCache) {
  RouteCache cache(1);
  const auto first = keep(cache, 1);
  keep(cache, 2);
  EXPECT_FALSE(holds(cache, 1));
  EXPECT_EQ(first->kernel->device().name(), "good:0");
}

TEST(RouteCache, OfARuntimeIsBounded) {
  const Runtime runtime = start({{"null"}});
  const RouteCache& cache = runtime.engine()->router->cache();
  for (std::int64_t extent = 1; extent <= 2000; ++extent) {
    Call("Relu").input({extent}).route(runtime);
  }
  EXPECT_EQ(cache.size(), 2000u);
  EXPECT_LE(cache.bytes(), 64u << 20);
  EXPECT_GE(cache.bytes(), 2000u * 1024) << "what is bounded has to be counted";
}

TEST(RouteCache, ForgetsWhatWasMadeForConstantsThatAreGone) {
  const Runtime runtime = start({{"good"}});
  RouteCache& cache = const_cast<RouteCache&>(runtime.engine()->router->cache());
  Call("Relu").input({2}).route(runtime);
  Call with_constant("Add");
  with_constant.input({2}).constant({2}, {1, 2}, 77);
  with_constant.route(runtime);
  EXPECT_EQ(cache.size(), 2u);
  const std::uint64_t gone[] = {76, 77};
  cache.forget(gone);
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_FALSE(cache.find(with_constant.request()));
}

}  // namespace
}  // namespace switchyard
