// Allocations that fail on purpose: this program's `operator new` counts those of a thread.
#pragma once

#include <cstdint>

namespace switchyard::allocation_failures {

/// As long as it lives, allocations of this thread are counted, and that of the number `failing`,
/// from 0, throws std::bad_alloc. At most one lives on a thread.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::uint64_t failing);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether it has come to that one.
  static bool has_failed();

  /// Writes to stderr where in the program it did, for whoever looks into a failure of the test.
  static void print_place();
};

}  // namespace switchyard::allocation_failures
