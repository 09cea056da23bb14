#pragma once

#include <cstdint>

#include "routing/ledger.hpp"
#include "routing/route_key.hpp"
#include "routing/run_plan.hpp"
#include "routing/verdict.hpp"

namespace switchyard {

/// The chosen device with a kernel, plus the refusals on the way. Immutable, shared by its users.
struct Route : RunPlan {
  explicit Route(const RouteRequest& request) : key(request) {}

  const RouteKey key;
  Trail trail;  // the chosen device last
  bool host_work = false;
  bool copies_back = false;  // a fallback from an explicit placement: outputs go there
  OpenDevice* requested_device = nullptr;
  LedgerEntry* fallback = nullptr;  // null if none
  bool cacheable = true;            // not while a device is quarantined
  std::uint64_t policy_number = 0;  // of the policy that led to it, or of the one before
};

}  // namespace switchyard
