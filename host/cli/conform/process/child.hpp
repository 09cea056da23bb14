// What the child process of a case does, and what it tells its parent: lines on its standard
// output. Each stage is a line as it begins, what came of it a line of JSON, the end "survived".
#pragma once

#include <string>
#include <vector>

#include "cli/conform/plugin/plugin_under_test.hpp"

namespace switchyard::cli::conform {

/// Runs the cases of these names, one after the other until one fails, and ends the process,
/// whatever comes of them; also after `seconds`, in case that the parent has gone.
[[noreturn]] void run_cases_and_exit(const PluginUnderTest& plugin,
                                     const std::vector<std::string>& names, unsigned seconds);

/// Writes the names of all cases with what each proves, and ends the process.
[[noreturn]] void list_cases_and_exit(const PluginUnderTest& plugin, unsigned seconds);

}  // namespace switchyard::cli::conform
