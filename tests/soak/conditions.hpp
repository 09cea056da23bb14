// Where the soak runs: a device with injected faults, then `cpu` without any.
#pragma once

#include <string>
#include <vector>

#include "environment.hpp"

namespace switchyard::soak {

using random_programs::Conditions;
using random_programs::Environment;

/// Every kind of fault on every kind of device. They are few, and always the same: what a plugin
/// is entered with stays in the process for ever.
const std::vector<Conditions>& faulty_conditions();

}  // namespace switchyard::soak
