/// @file
/// What functions use that are told neither a runtime nor a device.
#pragma once

#include <string>

#include <switchyard/device.hpp>
#include <switchyard/export.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

/// The runtime that functions use where no tensor tells: that of the innermost RuntimeScope or
/// DeviceScope of this thread, else the one of set_default_runtime or set_default_device, whichever
/// came last, else `Runtime()`, started on first use.
[[nodiscard]] SWITCHYARD_API Runtime current_runtime();
/// For all threads, from now on, outside of scopes.
SWITCHYARD_API void set_default_runtime(const Runtime& runtime);

/// The device that new tensors go to: that of this thread's innermost scope, if it is a
/// DeviceScope; else, outside of any RuntimeScope, the one of set_default_device; else the first
/// available one of the current runtime's order.
[[nodiscard]] SWITCHYARD_API Device current_device();
/// Its runtime becomes the default one. Throws Error(invalid_argument) for the host.
SWITCHYARD_API void set_default_device(const Device& device);

/// Whether the plugin of "plugin" or "plugin:1" was compiled with what the device needs, and
/// whether it can be used here and now, in the current runtime. False for a name that is not
/// configured.
/// @{
[[nodiscard]] SWITCHYARD_API bool is_built(Text device);
[[nodiscard]] SWITCHYARD_API bool is_available(Text device);
/// @}
/// Why it is not available and how to fix it; "" if it is.
[[nodiscard]] SWITCHYARD_API std::string unavailable_reason(Text device);
/// How many devices a plugin drives; 0 if it is not loaded.
[[nodiscard]] SWITCHYARD_API int device_count(Text plugin);

/// Makes `runtime` the current one of this thread, until the scope ends; DeviceScopes outside of it
/// do not count inside.
class SWITCHYARD_API RuntimeScope {
 public:
  /// Scopes end in the reverse of their order, in the thread that made them.
  [[nodiscard]] explicit RuntimeScope(const Runtime& runtime);
  ~RuntimeScope();
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  Runtime runtime_;
  const Runtime* runtime_before_;
  const Device* device_before_;
};

/// Makes `device`, and its runtime, the current ones of this thread, until the scope ends. Costs
/// nothing per op. Throws Error(invalid_argument) for the host.
class SWITCHYARD_API DeviceScope {
 public:
  /// Scopes end in the reverse of their order, in the thread that made them.
  [[nodiscard]] explicit DeviceScope(const Device& device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  Device device_;
  const Device* device_before_;
};

}  // namespace switchyard
