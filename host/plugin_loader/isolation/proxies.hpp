/// What the host's handles of an isolated plugin are: who serves them, and the server's own handle.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "plugin_loader/isolation/arena.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::isolation {

class Child;
class IsolatedPlugin;

/// A handle of a process that has ended.
class StaleHandle : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something that a process holds for the host.
struct Remote {
  Child* child = nullptr;
  std::uint64_t handle = 0;
};

struct ProxyStream;

/// An open device. Its process may be replaced; where it was opened in each stays known, so that
/// whoever reads it needs no lock.
struct ProxyDevice {
  IsolatedPlugin& plugin;
  const std::uint32_t index;
  const sy_device_info& info;   // as the host is told
  const bool in_shared_memory;  // its storages are blocks of shared memory
  std::atomic<const Remote*> current{nullptr};
  std::deque<Remote> opened = {};  // with the plugin's lock
  trace::QuietMutex streams_guard = {};
  std::set<ProxyStream*> streams = {};  // with its lock: all that live

  bool synchronous() const { return (info.flags & SY_DEVICE_SYNCHRONOUS) != 0; }
};

using ProxyEvent = Remote;
using ProxyStorage = Remote;

/// A packed constant, which several kernels may share.
struct ProxyConstant : Remote {
  std::uint64_t references = 0;
};

struct ProxyKernel : Remote {
  std::string label;                         // "Add": for messages
  std::vector<std::uint8_t> in_host_memory;  // of each input
  std::vector<std::uint8_t> is_bounded;      // of each output

  bool reads_host_memory(std::uint32_t input) const {
    return input < in_host_memory.size() && in_host_memory[input] != 0;
  }
};

/// A block that work on a stream uses, and what is to be done once the work is over: bytes of it go
/// to the host's own memory.
struct Delivery {
  ArenaBlock block;
  std::function<void(const std::byte*)> deliver = nullptr;  // may be empty
};

struct ProxyStream : Remote {
  ProxyStream(const Remote& remote, ProxyDevice& of);
  ~ProxyStream();
  ProxyStream(const ProxyStream&) = delete;
  ProxyStream& operator=(const ProxyStream&) = delete;

  ProxyDevice& device;
  std::atomic<std::uint64_t> completed{0};  // what the host reads: deliveries up to it are made
  trace::QuietMutex guard = {};
  std::uint64_t told = 0;  // with the lock, as is what follows: what the server's answers said
  std::uint64_t last = 0;  // the latest number given
  bool is_abandoned = false;
  std::deque<std::pair<std::uint64_t, Delivery>> deliveries = {};  // by number
};

template <typename Proxy, typename Handle>
Proxy* as_proxy(Handle handle) {
  return reinterpret_cast<Proxy*>(handle);
}

/// The server's own handle; 0 for null. Throws StaleHandle for one of another process.
std::uint64_t remote_of(const Remote* proxy, const Child& child);
std::uint64_t remote_of(const ProxyDevice* device, const Child& child);
/// Of a storage: one in shared memory is the same in both processes.
std::uint64_t remote_storage(std::uint64_t handle, const Child& child);

}  // namespace switchyard::isolation
