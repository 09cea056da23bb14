#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Tells a kernel's runs by the tensors that they bind, so that a device can replay what it has
/// captured. Any thread may use it.
class BindingTable {
 public:
  /// The number of this run's tensors and workspace: that of an earlier run which had the same, if
  /// it was among the last kKept, else a new one, above 0. Nothing in the args is a pointer to host
  /// memory that the run reads.
  std::uint64_t number_of(const sy_run_args& run);

  static constexpr std::size_t kKept = 16;

 private:
  using Words = std::vector<std::uint64_t>;
  struct Binding {
    Words tensors;
    std::uint64_t number;
  };

  trace::QuietMutex guard_;
  std::deque<Binding> latest_;  // the last used first
  std::uint64_t last_number_ = 0;
};

}  // namespace switchyard
