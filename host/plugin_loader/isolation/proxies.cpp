#include "plugin_loader/isolation/proxies.hpp"

#include <mutex>

#include "plugin_loader/isolation/child.hpp"

namespace switchyard::isolation {

ProxyStream::ProxyStream(const Remote& remote, ProxyDevice& of) : Remote(remote), device(of) {
  const std::lock_guard lock(device.streams_guard);
  device.streams.insert(this);
}

ProxyStream::~ProxyStream() {
  const std::lock_guard lock(device.streams_guard);
  device.streams.erase(this);
}

std::uint64_t remote_of(const Remote* proxy, const Child& child) {
  if (proxy == nullptr) return 0;
  if (proxy->child != &child) {
    throw StaleHandle("a handle is of a process that has ended: " + proxy->child->how_it_ended());
  }
  return proxy->handle;
}

std::uint64_t remote_of(const ProxyDevice* device, const Child& child) {
  return device == nullptr ? 0 : remote_of(device->current.load(std::memory_order_acquire), child);
}

std::uint64_t remote_storage(std::uint64_t handle, const Child& child) {
  const auto* const pointer = reinterpret_cast<const void*>(handle);
  if (handle == 0 || child.arena().memory().holds(pointer, 0)) return handle;
  return remote_of(static_cast<const ProxyStorage*>(pointer), child);
}

}  // namespace switchyard::isolation
