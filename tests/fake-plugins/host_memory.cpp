#include "host_memory.hpp"

#include "behaviour.hpp"
#include "device.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/text.hpp"

namespace fake {
namespace {

HostMemory& memory_of(const sy_host_memory_args& args) {
  return reinterpret_cast<Device*>(args.device)->host_memory;
}

size_t shift() { return lies(Lie::misaligned_host) ? 1 : 0; }

}  // namespace

void* HostMemory::allocate(uint64_t size_bytes) {
  void* const pointer = ::operator new(size_bytes + shift());
  add(static_cast<char*>(pointer) + shift(), size_bytes);
  return static_cast<char*>(pointer) + shift();
}

void HostMemory::release(void* pointer, uint64_t size_bytes) {
  remove(pointer, size_bytes);
  ::operator delete(static_cast<char*>(pointer) - shift());
}

void HostMemory::add(void* pointer, uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  was_used_ = true;
  blocks_[reinterpret_cast<uint64_t>(pointer)] = size_bytes;
}

void HostMemory::remove(void* pointer, uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(reinterpret_cast<uint64_t>(pointer));
  if (found == blocks_.end() || found->second != size_bytes) {
    throw sy::invalid("no ", size_bytes, " bytes of host memory are known there");
  }
  blocks_.erase(found);
}

void HostMemory::note_copy(uint64_t position) {
  const std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(position);
  if (after == blocks_.begin()) return;
  const auto& [begin, size_bytes] = *std::prev(after);
  if (position < begin + size_bytes) ++copies_;
}

std::string HostMemory::report() const {
  const std::lock_guard lock(mutex_);
  if (!was_used_) return {};
  return sy::text(copies_, " copies of known host memory, ", blocks_.size(), " blocks known\n");
}

void set_host_memory_slots(sy_plugin& table) {
  table.allocate_host = [](sy_host_memory_args* args, sy_error* error) {
    return sy::guard(error, [&] { args->pointer = memory_of(*args).allocate(args->size_bytes); });
  };
  table.release_host = [](sy_host_memory_args* args, sy_error* error) {
    return sy::guard(error, [&] { memory_of(*args).release(args->pointer, args->size_bytes); });
  };
  table.register_host = [](sy_host_memory_args* args, sy_error* error) {
    return sy::guard(error, [&] { memory_of(*args).add(args->pointer, args->size_bytes); });
  };
  table.unregister_host = [](sy_host_memory_args* args, sy_error* error) {
    return sy::guard(error, [&] { memory_of(*args).remove(args->pointer, args->size_bytes); });
  };
}

}  // namespace fake
