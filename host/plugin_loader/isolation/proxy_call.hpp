/// What all functions of the proxy's table do: find who serves the handle, and call there.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

#include "plugin_loader/isolation/child.hpp"
#include "plugin_loader/isolation/isolated_plugin.hpp"
#include "plugin_loader/isolation/proxies.hpp"
#include "plugin_loader/isolation/refuse.hpp"

namespace switchyard::isolation {

inline ProxyDevice& device_of(sy_device handle) { return *as_proxy<ProxyDevice>(handle); }
inline ProxyStream& stream_of(sy_stream handle) { return *as_proxy<ProxyStream>(handle); }

/// The process that an open device is in.
inline Child& child_of(const ProxyDevice& device) {
  return *device.current.load(std::memory_order_acquire)->child;
}

/// A call that needs nothing but its device's process.
template <Call call, typename Args>
sy_status call_by_device(Args* args, sy_error* error) {
  return child_of(device_of(args->device)).call(call, *args, error);
}

/// One about a stream, whose progress the answer tells.
template <Call call, typename Args>
sy_status call_by_stream(Args* args, sy_error* error) {
  ProxyStream& stream = stream_of(args->stream);
  return stream.child->call(call, *args, error, CallContext{.stream = &stream});
}

/// One that ends a handle. What an ended process held has gone with it, and what another's process
/// holds is not this one's to end.
template <Call call, typename Args>
sy_status call_to_end(const Remote& handle, Args* args, sy_error* error) {
  Child& child = *handle.child;
  if (child.ended() || child.is_anothers()) return SY_OK;
  return child.call(call, *args, error);
}

}  // namespace switchyard::isolation
