#pragma once

#include "config/config.hpp"

namespace switchyard {

/// Throws Error(config) naming the first setting of `next` that differs from `running` and that a
/// program cannot take up while it runs, as the schema has it.
void check_reload(const Config& running, const Config& next);

}  // namespace switchyard
