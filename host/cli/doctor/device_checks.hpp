#pragma once

#include <string>

#include "cli/doctor/health_check.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli {

/// One device, tried out.
struct DeviceExamination {
  HealthChecks checks;
  std::string report;  // what it says of itself afterwards; "" if it did not open
};

/// Opens the device that `name` names, in a runtime of its own, and has it compute a few things
/// that are easy to know. Throws Error(invalid_argument) if the configuration has no such device.
DeviceExamination examine_device(Engine& inspected, const std::string& name);

}  // namespace switchyard::cli
