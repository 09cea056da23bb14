#include "cli/bench/device_benchmark.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/bench/stopwatch.hpp"
#include "cli/doctor/inspection.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"
#include "cli/values/host_values.hpp"
#include "cli/values/random_input.hpp"

namespace switchyard::cli {
namespace {

constexpr std::int64_t kExtent = 1000;
constexpr int kRounds = 10;
constexpr int kProductsPerRound = 10;
constexpr int kProducts = kRounds * kProductsPerRound;

struct DeviceTimes {
  std::string device;
  std::string refusal;             // why there are no times; "" if there are
  std::vector<double> product_ms;  // of a product, the mean of each round
  double total_ms = 0;
};

Tensor random_matrix(const Device& device, std::uint64_t seed) {
  return to_tensor(random_literal(DType::float32, {kExtent, kExtent}, seed)).to(device);
}

/// A round ends when the device has: what is only enqueued is not yet computed.
void time_products(const Runtime& runtime, DeviceTimes& times) {
  const Device device = runtime.device(times.device);
  const Operation product = runtime.operation_on(device, "MatMul");
  const Tensor a = random_matrix(device, 1);
  const Tensor b = random_matrix(device, 2);
  for (int i = 0; i < kProductsPerRound; ++i) static_cast<void>(product(a, b));
  device.synchronize();
  for (int round = 0; round < kRounds; ++round) {
    const Stopwatch watch;
    for (int i = 0; i < kProductsPerRound; ++i) static_cast<void>(product(a, b));
    device.synchronize();
    const double elapsed = watch.milliseconds();
    times.product_ms.push_back(elapsed / kProductsPerRound);
    times.total_ms += elapsed;
  }
}

DeviceTimes time_device(const Config& config, const DeviceInfo& info) {
  DeviceTimes times;
  times.device = info.id;
  if (!info.available) {
    times.refusal = "not available: " + info.reason;
    return times;
  }
  try {
    time_products(start_runtime(only_on(config, info.id)), times);
  } catch (const Error& error) {
    times.product_ms.clear();
    times.refusal = error.what();
  }
  return times;
}

double gigaflops(const DeviceTimes& times) {
  return 2.0 * kExtent * kExtent * kExtent / median(times.product_ms) / 1e6;
}

void print_as_text(const std::vector<DeviceTimes>& all) {
  TextTable table({{"device"},
                   {"total", true},
                   {"median", true},
                   {"least", true},
                   {"GFLOP/s", true},
                   {"why not"}});
  for (const DeviceTimes& times : all) {
    if (times.product_ms.empty()) {
      table.add({times.device, "-", "-", "-", "-", times.refusal});
      continue;
    }
    table.add({times.device, time_text(times.total_ms), time_text(median(times.product_ms)),
               time_text(smallest(times.product_ms)), fmt::format("{:.1f}", gigaflops(times))});
  }
  print(fmt::format("{0} products of {1}x{1} float32\n{2}", kProducts, kExtent, table.text()));
}

Json to_json(const DeviceTimes& times) {
  if (times.product_ms.empty()) {
    return {{"device", times.device}, {"status", "refused"}, {"reason", times.refusal}};
  }
  return {{"device", times.device},
          {"status", "ok"},
          {"reason", ""},
          {"total_ms", times.total_ms},
          {"time_ms", {{"median", median(times.product_ms)}, {"min", smallest(times.product_ms)}}},
          {"gflops", gigaflops(times)}};
}

void print_as_json(const std::vector<DeviceTimes>& all) {
  Json list = Json::array();
  for (const DeviceTimes& times : all) list.push_back(to_json(times));
  print_json({{"op", "MatMul"},
              {"shape", {kExtent, kExtent}},
              {"dtype", "float32"},
              {"products", kProducts},
              {"devices", std::move(list)}});
}

}  // namespace

int benchmark_devices(const ConfigurationOptions& options) {
  const Config config = read_configuration(options);
  std::vector<DeviceTimes> all;
  for (const PluginInfo& plugin : inspect(config).plugins()) {
    if (plugin.devices.empty()) all.push_back({plugin.name, plugin.reason, {}, 0});
    for (const DeviceInfo& device : plugin.devices) all.push_back(time_device(config, device));
  }
  options.json ? print_as_json(all) : print_as_text(all);
  for (const DeviceTimes& times : all) {
    if (!times.product_ms.empty()) return kSuccess;
  }
  print_error("no device computed the product; see `switchyard doctor`");
  return kFailure;
}

}  // namespace switchyard::cli
