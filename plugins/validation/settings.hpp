// The layer's own options: [plugins.NAME.validation].
#pragma once

#include <switchyard/layer.h>

#include <cstdint>

namespace validation {

// What a violation comes to, besides being counted.
enum class OnViolation : uint8_t {
  log,    // it is told, and the call is passed on if its handles live
  error,  // it is told, and the call fails with SY_INVALID
  abort   // it is told, and the process ends with SIGABRT
};

struct Settings {
  OnViolation on_violation = OnViolation::log;
  uint64_t seed = 1;
  int64_t delay_microseconds = 0;  // the longest pause before a call is passed on; 0: none
};

// Throws sy::invalid for an option of a wrong kind or name.
Settings read_settings(const sy_layer& layer);

}  // namespace validation
