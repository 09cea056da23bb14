// A one-element add as a function of tensors: without gradients, recorded for them, and the
// backward pass through.
#include <benchmark/benchmark.h>

#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>

#include "runtimes.hpp"

namespace switchyard::bench {
namespace {

void tensor_add(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const RuntimeScope scope(runtime);
  const Tensor a = ones({1}), b = ones({1});
  for (auto _ : state) {
    Tensor sum = a + b;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK_CAPTURE(tensor_add, null, "null");
BENCHMARK_CAPTURE(tensor_add, cpu, "cpu");
BENCHMARK_CAPTURE(tensor_add, mps, "mps");

void tensor_add_recorded(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const RuntimeScope scope(runtime);
  const Tensor a = ones({1}, {.requires_grad = true}), b = ones({1});
  for (auto _ : state) {
    Tensor sum = a + b;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK_CAPTURE(tensor_add_recorded, null, "null");
BENCHMARK_CAPTURE(tensor_add_recorded, cpu, "cpu");

void tensor_add_and_back(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const RuntimeScope scope(runtime);
  const Tensor a = ones({1}, {.requires_grad = true}), b = ones({1});
  for (auto _ : state) {
    (a + b).backward();
  }
}
BENCHMARK_CAPTURE(tensor_add_and_back, null, "null");
BENCHMARK_CAPTURE(tensor_add_and_back, cpu, "cpu");

// A number beside a tensor.
void tensor_add_number(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const RuntimeScope scope(runtime);
  const Tensor a = ones({1});
  for (auto _ : state) {
    Tensor sum = a + 1;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK_CAPTURE(tensor_add_number, cpu, "cpu");

// A default device for a scope costs the ops in it nothing.
void tensor_add_in_device_scope(benchmark::State& state, const char* plugin) {
  const Runtime runtime = runtime_on(plugin);
  const RuntimeScope scope(runtime);
  const DeviceScope device(runtime.device(plugin));
  const Tensor a = ones({1}), b = ones({1});
  for (auto _ : state) {
    Tensor sum = a + b;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK_CAPTURE(tensor_add_in_device_scope, cpu, "cpu");

}  // namespace
}  // namespace switchyard::bench
