#pragma once

#include <string_view>

#include "cli/doctor/health_check.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli {

/// The devices of the order and the pins, opened, and the device for host work. Ops that no row
/// knows are found here, too: a pin for them would never be asked.
HealthChecks check_routing(Engine& engine);

/// Whether an op that a device of this plugin refuses ends the run instead of going to another one.
bool denies_fallback(const Config& config, std::string_view op, std::string_view plugin);

}  // namespace switchyard::cli
