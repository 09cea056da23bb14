#include "machine/machine.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <thread>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#else
#include "switchyard/plugin/machine_memory.hpp"
#endif

namespace cpu {
namespace {

// The text after `key` and its colon on the first line of a file of /proc that starts with it.
[[maybe_unused]] std::string proc_entry(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

}  // namespace

#if defined(__APPLE__)

std::string processor_name() {
  char name[128] = {};
  size_t size = sizeof(name) - 1;
  if (sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) != 0) return "processor";
  return name;
}

uint64_t memory_bytes() {
  uint64_t bytes = 0;
  size_t size = sizeof(bytes);
  return sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) == 0 ? bytes : 0;
}

uint64_t free_memory_bytes() { return 0; }

#else

std::string processor_name() {
  for (const char* key : {"model name", "Model", "Hardware", "uarch"}) {
    std::string name = proc_entry("/proc/cpuinfo", key);
    if (!name.empty()) return name;
  }
  return "processor";
}

uint64_t memory_bytes() {
  const uint64_t bytes = sy::machine_memory_bytes();
  return bytes == UINT64_MAX ? 0 : bytes;
}

uint64_t free_memory_bytes() {
  const std::string entry = proc_entry("/proc/meminfo", "MemAvailable");  // "123 kB"
  return entry.empty() ? 0 : std::stoull(entry) * 1024;
}

#endif

int processor_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace cpu
