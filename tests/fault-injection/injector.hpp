// One plugin below, as it was entered for one host, and the faults of its calls.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "dice.hpp"
#include "handles.hpp"
#include "settings.hpp"

namespace fault_injection {

class Injector {
 public:
  Injector(const sy_host& host, Settings asked);
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  const Settings settings;
  const sy_host* const host;  // that this was entered for
  sy_plugin below = {};       // its table, as far as it reaches
  Handles handles;

  // What the plugin below is entered with: its own options and file.
  const sy_host& host_below() const { return host_below_; }

  // Counts a call, and says what becomes of it. A call that is to end or stop the process, or to
  // wait before it begins, has done so when this returns.
  Decision begin(Slot slot);
  // A fault takes place: counts it.
  void count(Fault fault);

  // "faults: 120 calls; delay 3, status 4, ...": what has been injected in this process.
  std::string report() const;

 private:
  std::vector<sy_option> options_below_;
  sy_host host_below_;
  std::array<std::atomic<uint64_t>, kSlots.size()> calls_ = {};
  std::array<std::atomic<uint64_t>, kFaultNames.size()> faults_ = {};
};

// Answers a call with a failure that names the slot and the number of the call.
sy_status fail(sy_error* error, Slot slot, uint64_t number, sy_status status);

}  // namespace fault_injection
