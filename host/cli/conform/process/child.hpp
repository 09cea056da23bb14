// What the child process of a case does, and what it tells its parent: lines on its standard
// output. Each stage is a line as it begins, what came of it a line of JSON, the end "survived".
#pragma once

#include <string>

#include "cli/conform/plugin/plugin_under_test.hpp"

namespace switchyard::cli::conform {

/// Runs the case of that name and ends the process, whatever comes of it; also after `seconds`, in
/// case that the parent has gone.
[[noreturn]] void run_case_and_exit(const PluginUnderTest& plugin, const std::string& name,
                                    unsigned seconds);

/// Writes the names of all cases with what each proves, and ends the process.
[[noreturn]] void list_cases_and_exit(const PluginUnderTest& plugin, unsigned seconds);

/// Tells the parent what is tried now: the end of a case that crashes or hangs names it.
void tell_stage(const std::string& stage);

}  // namespace switchyard::cli::conform
