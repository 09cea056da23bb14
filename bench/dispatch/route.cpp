// Finding the route of a call that was made before: in the thread's own cache, as every call does
// first, and in the router's shared one, where a thread looks once for each call it has not made.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "runtimes.hpp"
#include "tensor/engine.hpp"
#include "tensor/recent_routes.hpp"

namespace switchyard::bench {
namespace {

constexpr std::uint64_t kFirstOutput = 1;

// An Add of two small matrices on `null`, not yet routed.
struct Sum {
  Runtime runtime = runtime_on("null");
  CallSite site = make_site(*find_op("", "Add"), {});
  std::array<TensorRef, 2> inputs{matrix(), matrix()};
  std::vector<TensorDescriptor> descriptors{descriptor(), descriptor()};

  RouteRequest request() const { return {site, descriptors, kFirstOutput, 1}; }
  Router& router() const { return *runtime.engine()->router; }

  TensorRef matrix() const {
    return make_device_tensor(*runtime.device("null").open(), DType::float32, {2, 3});
  }
  static TensorDescriptor descriptor() {
    TensorDescriptor descriptor;
    descriptor.dtype = DType::float32;
    descriptor.shape = {2, 3};
    descriptor.strides = contiguous_strides(descriptor.shape);
    return descriptor;
  }
};

void route_lookup_in_thread(benchmark::State& state) {
  const Sum sum;
  RecentRoutes& recent = *PerThread<RecentRoutes>::get();
  recent.keep(RecentRoutes::hash(sum.site, sum.inputs, kFirstOutput), sum.site, route_epoch.load(),
              sum.router().route(sum.request()));
  const Route* route = nullptr;
  for (auto _ : state) {
    const std::uint64_t hash = RecentRoutes::hash(sum.site, sum.inputs, kFirstOutput);
    route = recent.find(hash, sum.site, sum.inputs, {}, kFirstOutput);
    benchmark::DoNotOptimize(route);
  }
  if (!route) state.SkipWithError("the thread's cache had no route");
}
BENCHMARK(route_lookup_in_thread);

void route_lookup_in_router(benchmark::State& state) {
  const Sum sum;
  sum.router().route(sum.request());
  const std::size_t routes = sum.router().cache().size();
  for (auto _ : state) {
    auto route = sum.router().route(sum.request());
    benchmark::DoNotOptimize(route);
  }
  if (sum.router().cache().size() != routes) state.SkipWithError("a lookup made a new route");
}
BENCHMARK(route_lookup_in_router);

}  // namespace
}  // namespace switchyard::bench
