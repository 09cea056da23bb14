// How many processors this process may keep busy.
#pragma once

#include <string>

namespace cpu {

// The processors of the process's affinity mask, or fewer where a control group's quota (cpu.max,
// cpu.cfs_quota_us; rounded down) allows less time than they have. At least 1.
int usable_processors();

// The quota's part of it for the files under `root`, in the place of /: 0 if there is none.
int quota_processors(const std::string& root);

}  // namespace cpu
