#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <switchyard/export.hpp>

namespace switchyard {

class OpenDevice;
class CustomKernel;
struct KernelSource;

/// Memory of one device, in bytes.
struct DeviceMemory {
  std::size_t used_bytes = 0;    // by tensors
  std::size_t peak_bytes = 0;    // the most that tensors ever used
  std::size_t cached_bytes = 0;  // kept for later
  std::uint64_t allocations = 0;
  std::uint64_t reuses = 0;  // allocations served from the cache
};

/// One open device of a runtime; get it from Runtime::device. Cheap to copy; keeps the device open,
/// and all that computing on it needs.
class SWITCHYARD_API Device {
 public:
  /// The device of the current runtime (see <switchyard/defaults.hpp>) by name, "plugin" or
  /// "plugin:1". Throws Error(unsupported) with the reason if it is not available.
  Device(std::string_view name);
  Device(const std::string& name) : Device(std::string_view(name)) {}
  Device(const char* name) : Device(std::string_view(name)) {}
  explicit Device(const std::shared_ptr<OpenDevice>& open);

  /// "plugin:0"
  const std::string& name() const;
  /// The processor, for people.
  std::string description() const;

  /// Waits until all work enqueued so far, on any of its streams, has completed. Throws the error
  /// of work that failed, once, and not if a wait has thrown it before.
  void synchronize() const;

  DeviceMemory memory() const;
  /// Gives memory kept for later back to the system; returns the bytes.
  std::size_t empty_cache() const;

  /// A kernel of your own, in the device's language; <switchyard/custom_kernel.hpp> has the types.
  /// Throws Error(usage) with all that the compiler says where it does not compile, and
  /// Error(unsupported) on a device that compiles none.
  CustomKernel compile_kernel(const KernelSource& source) const;

  friend bool operator==(const Device& a, const Device& b) { return a.open_ == b.open_; }

  /// For the library's own use.
  const std::shared_ptr<OpenDevice>& open() const { return open_; }

 private:
  std::shared_ptr<OpenDevice> open_;
};

}  // namespace switchyard
