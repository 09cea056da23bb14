#pragma once

#include "cli/doctor/health_check.hpp"
#include "device/registry.hpp"

namespace switchyard::cli {

/// Every step from a plugin's name to its devices, up to the first that went wrong.
HealthChecks check_plugin(const DeviceRegistry::Entry& entry);

}  // namespace switchyard::cli
