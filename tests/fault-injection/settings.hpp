// What the options ask for.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slots.hpp"

namespace fault_injection {

enum class Fault : uint8_t {
  none,
  delay,           // a pause before the call, which is made then
  status,          // a failure that plugin.h allows
  wrong_status,    // a number that is no status
  wrong_sequence,  // work is enqueued under another number than the stream's next
  hang,            // the call never returns
  crash,           // the process ends
};
constexpr std::array<std::string_view, 7> kFaultNames = {
    "none", "delay", "status", "wrong_status", "wrong_sequence", "hang", "crash"};

struct Settings {
  std::string wraps;  // the file of the plugin below
  uint64_t seed = 1;
  uint64_t after = 0;  // the first calls of each slot, which have no faults
  int64_t delay_microseconds = 100;
  std::array<double, kFaultNames.size()> chances = {};  // of each call, by fault
  std::array<bool, kSlots.size()> slots = {};           // which calls have faults
  std::vector<sy_status> statuses;

  double chance(Fault fault) const { return chances[static_cast<size_t>(fault)]; }
};

// Throws what is wrong with them. A fault that ends or stops the process is refused unless this
// process is one that serves an isolated plugin.
Settings read_settings(const sy_host& host);

// Whether an option is one of these, and not the wrapped plugin's.
bool is_own_option(std::string_view key);

}  // namespace fault_injection
