// Storage from the caching allocator and back, once its pool is warm: no call to the device.
#include <benchmark/benchmark.h>

#include "device/open_device.hpp"
#include "runtimes.hpp"

namespace switchyard::bench {
namespace {

void allocate_and_release(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  Allocator& allocator = runtime.device(plugin).open()->allocator();
  const auto bytes = static_cast<std::size_t>(state.range(0));
  allocator.allocate(bytes);
  const MemoryStatistics before = allocator.statistics();
  for (auto _ : state) {
    StorageRef storage = allocator.allocate(bytes);
    benchmark::DoNotOptimize(storage);
  }
  const MemoryStatistics after = allocator.statistics();
  if (after.allocations - before.allocations != after.reuses - before.reuses) {
    state.SkipWithError("the device was asked for memory");
  }
}
BENCHMARK_CAPTURE(allocate_and_release, cpu, "cpu")->ArgName("bytes")->Arg(64)->Arg(1 << 20);

}  // namespace
}  // namespace switchyard::bench
