#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include <switchyard/runtime.hpp>

namespace switchyard {

// What a runtime tells of itself, with the keys of host/cli/JSON.md, in their order.

/// [{"name", "library", "version", "abi", "status", "required", "built", "available", "reason",
/// "devices": [{"id", "description", "built", "available", "reason", "memory_bytes"}]}]
nlohmann::ordered_json json_of(std::span<const PluginInfo> plugins);

/// [{"op", "from", "to", "code", "reason", "count", "bytes_copied", "time_ms"}]
nlohmann::ordered_json json_of(std::span<const FallbackInfo> fallbacks);

}  // namespace switchyard
