// Which fault a call has: seed, slot and the number of the call tell, and nothing else does.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

#include "settings.hpp"

namespace fault_injection {

struct Decision {
  Fault fault = Fault::none;
  sy_status status = SY_OK;  // of a call that fails
  uint64_t number = 0;       // of the call among those of its slot, from 1
  int64_t microseconds = 0;  // of a delay
  uint64_t chosen = 0;       // among kinds of wrong numbers
};

// The `number`th call of a slot, from 1.
Decision decide(const Settings& settings, Slot slot, uint64_t number);

}  // namespace fault_injection
