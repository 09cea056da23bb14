#pragma once

#include <span>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// What is tried of programs of several nodes, where the device takes such.
std::span<const CaseRow> program_cases();

}  // namespace switchyard::cli::conform
