#pragma once

#include <cstdint>

#include <switchyard/plugin.h>

#include "config/config.hpp"
#include "memory/allocator.hpp"

namespace switchyard {

/// What tensors may take of a device's memory: what the configuration says, and where it says 0,
/// for memory that is the machine's, a share of the machine's `memory`. A device that tells how
/// much it has of its own says itself when that is taken.
Allocator::Limits memory_limits(const Config& config, const sy_device_info& device,
                                std::uint64_t memory);

}  // namespace switchyard
