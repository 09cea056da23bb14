/// What functions use that are told neither a runtime nor a device.
#pragma once

#include <string>
#include <string_view>

#include <switchyard/device.hpp>
#include <switchyard/export.hpp>
#include <switchyard/runtime.hpp>

namespace switchyard {

/// The runtime that functions use where no tensor tells: the innermost RuntimeScope of this thread,
/// else the one of set_default_runtime, else `Runtime()`, started on first use.
SWITCHYARD_API Runtime current_runtime();
SWITCHYARD_API void set_default_runtime(const Runtime& runtime);

/// The device that new tensors go to: the innermost DeviceScope of this thread, else the one of
/// set_default_device, else the first available one of the current runtime's order.
SWITCHYARD_API Device current_device();
SWITCHYARD_API void set_default_device(const Device& device);

/// Whether the plugin of "plugin" or "plugin:1" was compiled with what the device needs, and
/// whether it can be used here and now, in the current runtime.
SWITCHYARD_API bool is_built(std::string_view device);
SWITCHYARD_API bool is_available(std::string_view device);
/// Why it is not available and how to fix it; "" if it is.
SWITCHYARD_API std::string unavailable_reason(std::string_view device);
/// How many devices a plugin drives; 0 if it is not loaded.
SWITCHYARD_API int device_count(std::string_view plugin);

/// Makes `runtime` the current one of this thread, until the scope ends.
class SWITCHYARD_API RuntimeScope {
 public:
  explicit RuntimeScope(const Runtime& runtime);
  ~RuntimeScope();
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  Runtime runtime_;
  const Runtime* before_;
};

/// Makes `device` the current one of this thread, until the scope ends. Costs nothing per op.
class SWITCHYARD_API DeviceScope {
 public:
  explicit DeviceScope(const Device& device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  Device device_;
  const Device* before_;
};

}  // namespace switchyard
