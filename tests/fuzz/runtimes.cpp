#include "runtimes.hpp"

#include <cstdlib>
#include <sstream>

#include <switchyard/functions/creation.hpp>

#include "device/open_device.hpp"
#include "outcome.hpp"

namespace switchyard::fuzz {
namespace {

constexpr char kHost[] = R"(
[host]
log_level = "off"
memory_limit = "16MiB"
[limits]
iterations = 300
[routing]
fallback = "allow"
)";

constexpr char kPlugins[] = R"(
[plugins.cpu]
required = true
[plugins.cpu.options]
threads = 1
[plugins.template]
[plugins.mps]
[plugins.mps.options]
device = "software"
)";

std::string quoted_list(const std::string& order) {
  std::string list = "[\"";
  for (const char c : order) list += c == ',' ? std::string("\", \"") : std::string(1, c);
  return list + "\"]";
}

}  // namespace

Runtime start_runtime(const std::string& order) {
  try {
    return Runtime::from_text(std::string(kHost) + "order = " + quoted_list(order) + kPlugins);
  } catch (const std::exception& error) {
    report("no runtime", error.what());
  }
}

void drain(const Device& device) {
  succeeds([&] { device.synchronize(); });
  std::string said;
  const Ending ending = ending_of(
      [&] {
        static_cast<void>(ones(1, {.device = device}));
        device.synchronize();
      },
      &said);
  if (ending == Ending::refusal) report("what failed fails what comes after it", said);
}

void require_sound_devices(const Runtime& runtime, const std::string& order) {
  std::istringstream names(order);
  for (std::string name; std::getline(names, name, ',');) {
    const std::string fault = runtime.device(name).open()->fault();
    if (!fault.empty()) report("a device failed", fault);
  }
}

std::string chosen_order() {
  const char* order = std::getenv("SWITCHYARD_FUZZ_ORDER");
  return order == nullptr || *order == '\0' ? "cpu" : order;
}

}  // namespace switchyard::fuzz
