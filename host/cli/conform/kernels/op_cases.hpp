#pragma once

#include <switchyard/plugin.h>

#include <vector>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// A case for each op that the device claims and each trial of kernel_trials.hpp:
/// "kernels/Relu/example".
void add_kernel_cases(const sy_device_info& info, std::vector<Case>& cases);

}  // namespace switchyard::cli::conform
