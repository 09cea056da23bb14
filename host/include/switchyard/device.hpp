#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

class OpenDevice;
class CustomKernel;
struct KernelSource;

/// Memory of one device, in bytes.
struct DeviceMemory {
  std::size_t used_bytes = 0;     ///< by tensors
  std::size_t peak_bytes = 0;     ///< the most that tensors ever used
  std::size_t cached_bytes = 0;   ///< kept for later
  std::uint64_t allocations = 0;  ///< that tensors asked for
  std::uint64_t reuses = 0;       ///< allocations served from the cache
};

/// One open device of a runtime, or the host. Get it from Runtime::device or Tensor::device. Cheap
/// to copy; keeps the device open, and all that computing on it needs. Any thread may use it.
class SWITCHYARD_API Device {
 public:
  /// The host.
  Device() = default;
  // Moving copies, so that a device which was moved from is still that one.
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;
  /// The device of the current runtime (see <switchyard/defaults.hpp>) by name, "plugin",
  /// "plugin:1" or "host". Throws Error(device_unavailable) with the reason if it is not available.
  explicit Device(Text name);
  explicit Device(std::nullptr_t) = delete;
  template <std::integral T>
  explicit Device(T) = delete;
  /// For the library's own use.
  explicit Device(const std::shared_ptr<OpenDevice>& open);

  /// Where values lie that no device holds yet: what files hold, constants of models. Functions do
  /// not run there; they bring such values to a device.
  [[nodiscard]] static Device host() { return {}; }
  /// Whether this is Device::host().
  [[nodiscard]] bool is_host() const noexcept { return open_ == nullptr; }

  /// "plugin:0", or "host".
  [[nodiscard]] const std::string& name() const;
  /// "plugin", or "host".
  [[nodiscard]] std::string_view plugin() const;
  /// Its number among the plugin's devices; 0 for the host.
  [[nodiscard]] int index() const;
  /// The processor, for people.
  [[nodiscard]] std::string description() const;

  /// Waits until all work enqueued so far, on any of its streams, has completed. Throws the error
  /// of work that failed, once, and not if a wait has thrown it before; Error(invalid_argument) for
  /// the host.
  void synchronize() const;

  /// What threads of this process are doing in the device now, a line for each: "run for Relu, node
  /// 'a', on thread 1234". For people: calls that take no time are seen by chance. Calls nothing of
  /// the plugin, so that it answers while that hangs. Throws Error(invalid_argument) for the host.
  [[nodiscard]] std::vector<std::string> calls_under_way() const;

  /// What tensors of all threads use now. Throws Error(invalid_argument) for the host.
  [[nodiscard]] DeviceMemory memory() const;
  /// Gives memory kept for later back to the system; returns the bytes. Throws
  /// Error(invalid_argument) for the host.
  std::size_t empty_cache() const;

  /// A kernel of your own, in the device's language; <switchyard/custom_kernel.hpp> has the types.
  /// Throws Error(invalid_argument) with all that the compiler says where it does not compile, and
  /// Error(unsupported) on a device that compiles none.
  CustomKernel compile_kernel(const KernelSource& source) const;

  /// Whether both are the same device of the same runtime, or both the host.
  [[nodiscard]] friend bool operator==(const Device& a, const Device& b) {
    return a.open_ == b.open_;
  }

  /// For the library's own use.
  const std::shared_ptr<OpenDevice>& open() const {
    if (!open_) refuse_host();
    return open_;
  }

 private:
  friend struct std::hash<Device>;
  [[noreturn]] static void refuse_host();

  std::shared_ptr<OpenDevice> open_;
};

}  // namespace switchyard

template <>
struct std::hash<switchyard::Device> {
  std::size_t operator()(const switchyard::Device& device) const noexcept {
    return std::hash<std::shared_ptr<switchyard::OpenDevice>>()(device.open_);
  }
};
