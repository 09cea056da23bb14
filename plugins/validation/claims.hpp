// What a device's claims say of a node.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <optional>

namespace validation {

// The SY_CLAIM_* flags of all rows that cover the node, joined; nothing if none does.
std::optional<uint32_t> claimed_flags(const sy_device_info& device, const sy_program& program,
                                      const sy_node& node);

}  // namespace validation
