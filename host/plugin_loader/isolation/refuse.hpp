/// How a call of either side is answered with an error.
#pragma once

#include <switchyard/plugin.h>

#include <string_view>

namespace switchyard::isolation {

/// Fills in `error`, which may be null, and returns the status.
sy_status refuse(sy_error* error, sy_status status, sy_reason reason, std::string_view message);

}  // namespace switchyard::isolation
