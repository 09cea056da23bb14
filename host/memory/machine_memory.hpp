#pragma once

#include <cstdint>

namespace switchyard {

/// The bytes of memory that this machine has; UINT64_MAX where the system does not tell.
std::uint64_t machine_memory() noexcept;

}  // namespace switchyard
