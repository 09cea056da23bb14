/// @file
/// What `probe` tells: the devices, and why there is none.
///
///   sy_status probe(sy_probe_args* args, sy_error* error) {
///     return sy::guard(error, [&] {
///       static const sy_device_info device = describe_device();  // from sy::available_device
///       sy::set_devices(*args, {&device, 1});
///     });
///   }
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "switchyard/plugin/claims.hpp"

namespace sy {

/// A device that this build drives and the machine has; what else is to be said is left to set, and
/// 0 until then. The name and the claims live as long as the plugin.
inline sy_device_info available_device(const char* name, const ClaimTable& claims) noexcept {
  sy_device_info info = {};
  info.struct_size = sizeof(info);
  info.name = name;
  info.built = 1;
  info.available = 1;
  info.reason = SY_REASON_NONE;
  info.message = "";
  info.claims = claims.data();
  info.claim_count = claims.size();
  return info;
}

/// The same of one that is missing: why, and how to fix it, in a message that lives as long as the
/// plugin.
inline sy_device_info missing_device(const char* name, const ClaimTable& claims, sy_reason reason,
                                     const char* message) noexcept {
  sy_device_info info = available_device(name, claims);
  info.available = 0;
  info.reason = reason;
  info.message = message;
  return info;
}

/// Lists the devices, of which there is at least one, in memory that stays as it is until the next
/// probe. If none is available, the first says why.
inline void set_devices(sy_probe_args& args, std::span<const sy_device_info> devices) noexcept {
  const auto available = std::find_if(devices.begin(), devices.end(),
                                      [](const auto& device) { return device.available != 0; });
  const sy_device_info& shown = available != devices.end() ? *available : devices.front();
  args.built = std::any_of(devices.begin(), devices.end(),
                           [](const auto& device) { return device.built != 0; });
  args.available = shown.available;
  args.reason = shown.reason;
  args.message = shown.message;
  args.devices = devices.data();
  args.device_count = static_cast<uint32_t>(devices.size());
}

}  // namespace sy
