// Starting a runtime with all plugins of a configuration, in a process of its own each time. The
// first start, which tries the plugins in a process that may crash, is not counted: its outcome is
// kept.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace switchyard::bench {
namespace {

// What start_once prints; negative if it failed.
double start_seconds(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return -1;
  std::array<char, 64> line{};
  const bool has_line = std::fgets(line.data(), line.size(), pipe) != nullptr;
  const bool is_well = pclose(pipe) == 0;
  return has_line && is_well ? std::atof(line.data()) * 1e-9 : -1;
}

std::string start_command(const char* config) {
  return std::string("exec '" SWITCHYARD_BENCH_START "' '" SWITCHYARD_BENCH_CONFIGS "/") + config +
         "'";
}

// `seconds_of` starts a runtime by a command and tells what of it counts; negative if it failed.
template <typename SecondsOf>
void time_starts(benchmark::State& state, const char* config, SecondsOf seconds_of) {
  const std::string command = start_command(config);
  double seconds = seconds_of(command);
  for (auto _ : state) {
    if (seconds >= 0) seconds = seconds_of(command);
    if (seconds < 0) {
      state.SkipWithError("the runtime does not start");
      break;
    }
    state.SetIterationTime(seconds);
  }
}

void start_runtime(benchmark::State& state, const char* config) {
  time_starts(state, config, start_seconds);
}
BENCHMARK_CAPTURE(start_runtime, default, "default.toml")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(start_runtime, third_party, "third-party.toml")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// The whole process: linking, starting the runtime, ending. A shell starts it, as a user would.
void start_process(benchmark::State& state, const char* config) {
  time_starts(state, config, [](const std::string& command) {
    const auto start = std::chrono::steady_clock::now();
    if (start_seconds(command) < 0) return -1.0;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
}
BENCHMARK_CAPTURE(start_process, default, "default.toml")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace switchyard::bench
