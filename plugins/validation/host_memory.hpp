// Host memory that a device copies by itself.
#pragma once

#include <cstdint>
#include <memory>

#include "objects.hpp"

namespace validation {

// The block of the device's own or registered host memory that the byte lies in, or null.
std::shared_ptr<Storage> host_block_at(const Device& device, uint64_t address);

}  // namespace validation
