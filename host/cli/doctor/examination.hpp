#pragma once

#include <string>

#include "cli/arguments/configuration.hpp"
#include "cli/doctor/findings.hpp"

namespace switchyard::cli {

/// What `doctor` is to look at.
struct DoctorRequest {
  ConfigurationOptions configuration;
  std::string device;  // "": none is tried out
};

/// Hears what is looked at next, in words that follow "while".
using TellStage = void (*)(const std::string& stage);

/// Looks at all that is asked for, in this process. Throws Error where it cannot go on.
void check_all(const DoctorRequest& wanted, TellStage stage, Findings& findings);

}  // namespace switchyard::cli
