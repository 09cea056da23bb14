// A one-element add, from the C++ call to the result, whose tensor and bytes the call allocates.
#include <benchmark/benchmark.h>

#include <array>

#include <switchyard/functions/creation.hpp>

#include "runtimes.hpp"

namespace switchyard::bench {
namespace {

void add_one_element(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const Operation add = runtime.operation("Add");
  const Device device = runtime.device(plugin);
  const Tensor a = tensor({1.0F}, {.device = device});
  const Tensor b = tensor({2.0F}, {.device = device});
  for (auto _ : state) {
    Tensor sum = add(a, b);
    benchmark::DoNotOptimize(sum);
  }
  if (std::string_view(plugin) == "cpu" && add(a, b).item<float>() != 3) {
    state.SkipWithError("1 + 2 is not 3");
  }
}
BENCHMARK_CAPTURE(add_one_element, null, "null");
BENCHMARK_CAPTURE(add_one_element, cpu, "cpu");
BENCHMARK_CAPTURE(add_one_element, mps, "mps");

// Each op takes the one before it: nothing can overlap.
void chain_of_adds(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const Operation add = runtime.operation("Add");
  const Device device = runtime.device(plugin);
  const Tensor one = tensor({1.0F}, {.device = device});
  Tensor sum = one;
  for (auto _ : state) {
    sum = add(sum, one);
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK_CAPTURE(chain_of_adds, cpu, "cpu");

}  // namespace
}  // namespace switchyard::bench
