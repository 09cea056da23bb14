#include "device/host_memory.hpp"

#include <utility>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "device/within_memory.hpp"

namespace switchyard {
namespace {

sy_host_memory_args args_of(const OpenDevice& device, const std::byte* begin, std::size_t bytes) {
  sy_host_memory_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  args.pointer = const_cast<std::byte*>(begin);
  args.size_bytes = bytes;
  return args;
}

/// Memory that a device knows, and its owner.
struct Registration {
  Registration(OpenDevice& on, const std::byte* from, std::size_t count)
      : device(on.with_engine()), begin(from), bytes(count) {}
  ~Registration() {
    if (!is_registered) return;
    sy_host_memory_args args = args_of(*device, begin, bytes);
    PluginError error;
    device->note_call(device->api().unregister_host(&args, &error), error, "unregister_host");
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  std::shared_ptr<const void> kept;  // destroyed last
  const std::shared_ptr<OpenDevice> device;
  const std::byte* const begin;
  const std::size_t bytes;
  bool is_registered = false;
};

}  // namespace

CopyBuffer::CopyBuffer(OpenDevice& device, std::size_t bytes) : device_(device), bytes_(bytes) {
  sy_host_memory_args args = args_of(device, nullptr, bytes);
  PluginError error;
  if (device.try_call(device.api().allocate_host, args, error) == SY_OK) {
    data_ = static_cast<std::byte*>(args.pointer);
    return;
  }
  hosts_ =
      within_memory("a copy between devices", [&] { return std::make_unique<std::byte[]>(bytes); });
  data_ = hosts_.get();
}

CopyBuffer::~CopyBuffer() {
  if (hosts_) return;
  sy_host_memory_args args = args_of(device_, data_, bytes_);
  PluginError error;
  device_.note_call(device_.api().release_host(&args, &error), error, "release_host");
}

std::shared_ptr<const void> register_memory(OpenDevice& device, const std::byte* begin,
                                            std::size_t bytes, std::shared_ptr<const void> kept) {
  if (bytes == 0) return kept;
  auto registration = std::make_shared<Registration>(device, begin, bytes);
  sy_host_memory_args args = args_of(device, begin, bytes);
  PluginError error;
  if (device.try_call(device.api().register_host, args, error) != SY_OK) return kept;
  registration->is_registered = true;
  registration->kept = std::move(kept);
  return registration;
}

}  // namespace switchyard
