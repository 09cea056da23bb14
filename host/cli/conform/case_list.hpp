#pragma once

#include <string>
#include <vector>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// All cases for this plugin, in the order in which they are reported: those of the tables in
/// `loading/` and `devices/`, and those of `kernels/` for each op that its device claims. Of a
/// plugin that does not load, or has no device, the former alone. Loads the plugin, so it is called
/// in a child process.
std::vector<Case> all_cases(const PluginUnderTest& plugin);

/// The cases that need no plugin to be listed.
std::vector<Case> table_cases();

}  // namespace switchyard::cli::conform
