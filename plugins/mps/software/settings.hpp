// How the software device is to be.
#pragma once

#include <cstdint>
#include <string>

namespace mps::software {

// In which order threads that nothing orders are run. A barrier that is missing shows in `shuffled`
// more often than in the other two.
enum class Order : uint8_t { forward, reverse, shuffled };

struct Settings {
  bool unified = true;        // false: like a graphics card of its own
  uint64_t memory_bytes = 0;  // 0: a quarter of the machine's
  Order order = Order::shuffled;
  uint64_t seed = 1;
  unsigned threads = 1;      // that run threadgroups: 1 or 2
  std::string compiler;      // of kernels given at run time; empty: what built this plugin
  std::string cache_folder;  // for what it makes; empty: below the user's cache folder
  bool execute = true;       // false: work completes without being done, to time the host alone
};

}  // namespace mps::software
