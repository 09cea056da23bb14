// What a process of its own costs a plugin: the same work isolated and not, in turns, and copies
// beside memcpy. `extra_ns` is what a call takes longer, `ratio` the quotient of the times.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <span>
#include <switchyard/functions/creation.hpp>
#include <vector>

#include "runtimes.hpp"

namespace switchyard::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// Runs both in turns; the time of an iteration is the second's.
template <typename First, typename Second>
void race(benchmark::State& state, First&& first, Second&& second) {
  double firsts = 0, seconds = 0;
  for (auto _ : state) {
    const auto began = Clock::now();
    first();
    const auto between = Clock::now();
    second();
    const auto ended = Clock::now();
    firsts += seconds_of(between - began);
    seconds += seconds_of(ended - between);
    state.SetIterationTime(seconds_of(ended - between));
  }
  state.counters["ratio"] = seconds / firsts;
  state.counters["extra_ns"] = 1e9 * (seconds - firsts) / static_cast<double>(state.iterations());
}

/// Adds tensors of so many floats, on an asynchronous device until the sum is there.
void isolated_add(benchmark::State& state, const char* plugin) {
  const auto sum_on = [&](const Runtime& runtime) {
    const Device device = runtime.device(plugin);
    const Tensor ones = full({state.range(0)}, tensor(1.0F), {.device = device});
    return [add = runtime.operation_on(device, "Add"), ones, device] {
      Tensor sum = add(ones, ones);
      device.synchronize();
      benchmark::DoNotOptimize(sum);
    };
  };
  const Runtime plain = runtime_on(plugin), isolated = isolated_runtime_on(plugin);
  race(state, sum_on(plain), sum_on(isolated));
}
BENCHMARK_CAPTURE(isolated_add, cpu, "cpu")->Arg(1)->Arg(4 << 20)->UseManualTime();
BENCHMARK_CAPTURE(isolated_add, template, "template")->Arg(1)->Arg(4 << 20)->UseManualTime();

/// Copies 16 MiB to a device and back, beside two memcpys.
void copies(benchmark::State& state, const Runtime& runtime, const char* plugin) {
  constexpr std::size_t kFloats = std::size_t{4} << 20;
  std::vector<float> source(kFloats, 1.0F), middle(kFloats), destination(kFloats);
  const Device device = runtime.device(plugin);
  const auto copy = [&] {
    std::memcpy(middle.data(), source.data(), kFloats * sizeof(float));
    std::memcpy(destination.data(), middle.data(), kFloats * sizeof(float));
    benchmark::DoNotOptimize(destination.data());
  };
  race(state, copy, [&] {
    // A fresh one: a tensor of the host keeps its copies on devices.
    const Tensor here =
        Tensor::borrow(std::span<const float>(source), {static_cast<std::int64_t>(kFloats)},
                       MemoryOwner(), {.device = Device::host()});
    here.to(device).copy_to(destination.data(), kFloats * sizeof(float));
  });
}

void plain_copies(benchmark::State& state, const char* plugin) {
  copies(state, runtime_on(plugin), plugin);
}
BENCHMARK_CAPTURE(plain_copies, cpu, "cpu")->UseManualTime();
BENCHMARK_CAPTURE(plain_copies, template, "template")->UseManualTime();

void isolated_copies(benchmark::State& state, const char* plugin) {
  copies(state, isolated_runtime_on(plugin), plugin);
}
BENCHMARK_CAPTURE(isolated_copies, cpu, "cpu")->UseManualTime();
BENCHMARK_CAPTURE(isolated_copies, template, "template")->UseManualTime();

}  // namespace
}  // namespace switchyard::bench
