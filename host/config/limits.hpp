#pragma once

#include <cstdint>

namespace switchyard {

/// [limits]: what a model may ask for. A model file is untrusted: it may be made to fill the memory
/// or to run without end. Models that are meant to be run stay far below the defaults.
struct LimitsConfig {
  std::int64_t nodes = 1'000'000;  // with bodies, and functions in the place of their calls
  std::int64_t depth = 64;         // of bodies within bodies and calls within functions
  static constexpr std::int64_t kDeepest = 128;  // recursion must fit the stack of any thread
  // Of one tensor on a device, and of the dense forms of a model's sparse tensors together; 0: half
  // of the memory.
  std::uint64_t value_bytes = 0;
  // Of all Loops, Scans and SequenceMaps in a run; and the pieces that SplitToSequence cuts in it.
  std::int64_t iterations = 10'000'000;
};

}  // namespace switchyard
