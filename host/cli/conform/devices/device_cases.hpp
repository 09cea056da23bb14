#pragma once

#include <span>

#include "cli/conform/case.hpp"

namespace switchyard::cli::conform {

/// What is tried of a device beside its ops: life, memory, copies, streams, events, threads, and
/// what it makes of values that it cannot know.
std::span<const CaseRow> device_cases();

}  // namespace switchyard::cli::conform
