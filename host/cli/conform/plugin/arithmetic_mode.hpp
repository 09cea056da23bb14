#pragma once

#include <cstdint>

namespace switchyard::cli::conform {

/// The calling thread's rounding mode and, where the processor has it, its treatment of subnormal
/// numbers: what differs after a call, the call has changed.
std::uint64_t arithmetic_mode();

}  // namespace switchyard::cli::conform
