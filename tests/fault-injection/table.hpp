// The tables that hosts get.
#pragma once

#include <switchyard/plugin.h>

#include "settings.hpp"

namespace fault_injection {

// The table for a host, which is made when it first enters; null with a status of the plugin below
// if that does not let itself be entered. Throws what is wrong with its file.
const sy_plugin* table_for(const sy_entry_args& args, const Settings& settings, sy_status& status,
                           sy_error* error);

}  // namespace fault_injection
