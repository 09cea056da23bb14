#pragma once

#include <exception>
#include <string>
#include <vector>

namespace switchyard::cli::conform {

/// What went wrong where nothing can be thrown: while handles are given back. Fails the case that
/// runs in this process, unless it has failed already.
std::vector<std::string> late_failures();
void add_late_failure(std::string failure);

/// Runs `action`; what it throws is a late failure.
template <typename Action>
void note_failures_of(Action&& action) noexcept {
  try {
    action();
  } catch (const std::exception& failure) {
    add_late_failure(failure.what());
  }
}

}  // namespace switchyard::cli::conform
