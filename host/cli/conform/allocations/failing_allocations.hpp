// Allocations of this process that fail when they are asked to: what the library in
// host/cli/failing-allocations has, where it was loaded before this program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace switchyard::cli::conform {

/// One thread at a time counts its allocations, in periods that it begins and ends.
struct FailingAllocations {
  void (*arm)(std::uint64_t number);  // that one from now on fails, counted from 1; 0: none
  void (*begin)();
  void (*end)();
  std::uint64_t (*count)();  // since arm

  /// Throws CaseSkipped where the library is not in this process.
  static const FailingAllocations& loaded();
};

/// Whether a case of this name needs them.
bool needs_failing_allocations(const std::string& name);

/// Starts this program anew with these words and the library in front of it. Returns where it is
/// there already, or where that cannot be done: the cases say so.
void restart_with_failing_allocations(const std::vector<std::string>& words);

}  // namespace switchyard::cli::conform
