#pragma once

#include "cli/health_check.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli {

/// The devices of the order and the pins, opened, and the device for host work. Ops that no row
/// knows are found here, too: a pin for them would never be asked.
HealthChecks check_routing(Engine& engine);

}  // namespace switchyard::cli
