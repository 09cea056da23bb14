#pragma once

#include <switchyard/collectives.h>

#include <string_view>

#include "device/open_device.hpp"

namespace switchyard {

/// The collectives of a device's plugin; null if it has none, or shows none. Throws Error(plugin)
/// if it leaves a slot out.
const sy_collectives* find_collectives(const OpenDevice& device);

/// The same. Throws Error(unsupported) naming `function` and the way out if there are none.
const sy_collectives& collectives_of(const OpenDevice& device, std::string_view function);

/// Throws Error(unsupported) if the plugin does not take the dtype for this reduction, or, of
/// SY_REDUCE_NONE, for moving it.
void check_dtype(const OpenDevice& device, std::string_view function, sy_dtype dtype,
                 sy_reduction reduction);

}  // namespace switchyard
