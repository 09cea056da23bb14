// `doctor` looks at plugins from a process of its own: one that ends it is a finding.
#pragma once

#include <chrono>

#include "cli/doctor/examination.hpp"

namespace switchyard::cli {

/// The option, which nobody else gives, that has `doctor` look in its own process.
inline constexpr const char* kExamineOption = "--in-this-process";

/// Has another process of this program look, and returns what it found, its end included if that
/// came early or `limit` was over.
Findings examine_in_child(const DoctorRequest& wanted, std::chrono::seconds limit);

/// Looks, tells the parent, and ends the process; also after `seconds`, in case that the parent has
/// gone.
[[noreturn]] void examine_for_parent(const DoctorRequest& wanted, unsigned seconds);

}  // namespace switchyard::cli
