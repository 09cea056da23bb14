#pragma once

#include "config/config.hpp"

namespace switchyard::config {

/// Checks what no single key shows: that every device is of a plugin that the file names, that the
/// order names none twice, that libraries can be found at all. Throws Error(config) at the setting.
void check_whole(const Config& config);

}  // namespace switchyard::config
