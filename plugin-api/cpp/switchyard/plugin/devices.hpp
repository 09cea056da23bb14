/// @file
/// What `probe` tells: the devices, and why there is none.
///
///   sy_status probe(sy_probe_args* args, sy_error* error) {
///     return sy::guard(error, [&] {
///       const sy_device_info device = describe_device();  // from sy::available_device
///       sy::set_devices(*args, {&device, 1});
///     });
///   }
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>
#include <span>
#include <vector>

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

/// The same devices in memory that stays as it is for ever. Lists that are alike share it, as a
/// host may probe any number of times.
inline std::span<const sy_device_info> kept_for_ever(std::span<const sy_device_info> devices) {
  static auto& guard = *new std::mutex;
  static auto& kept = *new std::list<std::vector<sy_device_info>>;
  const std::lock_guard lock(guard);
  const auto is_alike = [&](const std::vector<sy_device_info>& other) {
    return other.size() == devices.size() &&
           std::memcmp(other.data(), devices.data(), devices.size_bytes()) == 0;
  };
  const auto found = std::find_if(kept.begin(), kept.end(), is_alike);
  return found != kept.end() ? *found : kept.emplace_back(devices.begin(), devices.end());
}

/// Lists the devices, of which there is at least one; they are copied. If none is available, the
/// first says why.
inline void set_devices(sy_probe_args& args, std::span<const sy_device_info> given) {
  const std::span<const sy_device_info> devices = kept_for_ever(given);
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
