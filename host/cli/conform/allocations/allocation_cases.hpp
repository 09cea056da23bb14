#pragma once

#include <span>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// The plugin finds no memory at each of its allocations in turn.
std::span<const CaseRow> allocation_cases();

}  // namespace switchyard::cli::conform
