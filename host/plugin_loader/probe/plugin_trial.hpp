#pragma once

#include <cstdint>
#include <string>

namespace switchyard {

/// Where a trial says which stage begins, and what came of one.
using TrialAnswer = void (*)(const std::string& line);

/// All that a host does with a plugin before its first op: loads, enters and probes it, reads every
/// text that it gave, opens and closes each device that is available, and leaves. What the plugin
/// refuses ends the trial as well as what works: it need only come back.
void try_plugin(const std::string& path, const std::string& options, std::uint32_t threads,
                TrialAnswer answer);

}  // namespace switchyard
