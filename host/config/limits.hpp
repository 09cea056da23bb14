#pragma once

#include <cstdint>

namespace switchyard {

/// [limits]: what a model may ask for. A model file is untrusted: it may be made to fill the memory
/// or to run without end. Models that are meant to be run stay far below the defaults.
struct LimitsConfig {
  std::int64_t nodes = 1'000'000;        // with bodies, and functions in the place of their calls
  std::int64_t depth = 64;               // of bodies within bodies and calls within functions
  std::uint64_t value_bytes = 0;         // of one tensor on a device; 0: half of the memory
  std::int64_t iterations = 10'000'000;  // of one run of one Loop, Scan or SequenceMap
};

}  // namespace switchyard
