#include <cstring>

#include "call.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "storages.hpp"

namespace validation {
namespace {

constexpr uint64_t canary_bytes = 64;
constexpr int canary = 0xA5;
constexpr int poison = 0xFF;  // floats of it are NaN

bool caches(const Device& device) { return device.is(SY_DEVICE_CACHES_MEMORY); }

// Whether the layer may write to new memory: it has an address, and no work uses it any more.
bool may_write(const Device& device) {
  return device.info.memory_kind == SY_MEMORY_ADDRESS &&
         (!caches(device) || device.is(SY_DEVICE_SYNCHRONOUS));
}

// Room for a canary, where the device can have it.
uint64_t with_canary(const Device& device, uint64_t size) {
  const uint64_t most = device.info.max_storage_bytes;
  const bool has_room = most == 0 || size <= most - std::min(most, canary_bytes);
  return may_write(device) && has_room && size <= UINT64_MAX - canary_bytes ? size + canary_bytes
                                                                            : size;
}

// What a lost device held may be gone, also once it has recovered.
bool is_there(const Storage& storage) {
  return !storage.device->is_lost && storage.generation == storage.device->recoveries;
}

void poison_bytes(const Storage& storage) {
  if (may_write(*storage.device) && !storage.is_imported && is_there(storage)) {
    std::memset(reinterpret_cast<void*>(storage.inner), poison, storage.size);
  }
}

void check_canary(Call& call, const Storage& storage) {
  if (storage.canary == nullptr || !is_there(storage)) return;
  for (uint64_t i = 0; i < canary_bytes; ++i) {
    if (static_cast<unsigned char>(storage.canary[i]) == canary) continue;
    call.violation(Rule::canary, "byte ", storage.size + i, " of storage ", storage.id,
                   ", which has ", storage.size, ", was written by the host or by a kernel");
    return;
  }
}

}  // namespace

sy_status allocate(Plugin& plugin, sy_allocate_args* args, sy_error* error) {
  Call call(plugin, "allocate", *args, error);
  const auto device = call.find(args->device);
  const auto stream = args->stream == nullptr ? nullptr : call.find(args->stream);
  if (device && stream) call.check_owner(*stream, *device, "stream");
  if (args->size_bytes == 0) call.violation(Rule::allocate, "it asks for 0 bytes");
  const uint64_t most = device ? device->info.max_storage_bytes : 0;
  if (most != 0 && args->size_bytes > most) {
    call.violation(Rule::allocate, "it asks for ", args->size_bytes,
                   " bytes; the device's largest storage has ", most);
  }
  if (!call.may_pass()) return call.refuse();
  sy_allocate_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.stream = stream ? stream->inner : nullptr;
  inner.size_bytes = with_canary(*device, args->size_bytes);
  const sy_status status = call.pass_on(plugin.inner.allocate, inner);
  if (status != SY_OK) return status;
  args->storage = 0;
  if (inner.storage == 0) return status;
  auto storage = std::make_shared<Storage>();
  storage->inner = inner.storage;
  storage->size = args->size_bytes;
  if (caches(*device) && stream && !device->is(SY_DEVICE_SYNCHRONOUS)) {
    storage->home = stream;
    storage->fresh_after = stream->last;
  }
  if (inner.size_bytes > args->size_bytes) {
    storage->canary = reinterpret_cast<char*>(inner.storage) + args->size_bytes;
    std::memset(storage->canary, canary, canary_bytes);
  }
  args->storage = keep(plugin, device, storage);
  poison_bytes(*storage);
  return status;
}

sy_status release(Plugin& plugin, sy_storage_args* args, sy_error* error) {
  Call call(plugin, "release", *args, error, Handling::lets_go);
  const auto device = call.find(args->device);
  const auto storage = device ? call.find(*device, args->storage) : nullptr;
  if (storage) {
    if (storage->mappings != 0) {
      call.violation(Rule::map, "storage ", storage->id, " is mapped");
    }
    call.check_unused_by_calls(*storage, "storage");
    check_unused(call, Rule::release, *storage, false, storage->home);
    check_canary(call, *storage);
  }
  if (!call.may_pass()) return call.refuse();
  poison_bytes(*storage);
  let_go(plugin, storage);
  sy_storage_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.storage = storage->inner;
  return call.pass_on(plugin.inner.release, inner);
}

sy_status map(Plugin& plugin, sy_map_args* args, sy_error* error) {
  Call call(plugin, "map", *args, error);
  const auto device = call.find(args->device);
  const auto storage = device ? call.find(*device, args->storage) : nullptr;
  if (storage) {
    const bool writes = (args->access & SY_MAP_WRITE) != 0;
    check_unused(call, Rule::map, *storage, !writes, nullptr);
    if ((args->access & (SY_MAP_READ | SY_MAP_WRITE)) == 0) {
      call.violation(Rule::map, "neither for reading nor for writing");
    }
    if (args->size_bytes > storage->size || args->offset_bytes > storage->size - args->size_bytes) {
      call.violation(Rule::bounds, args->size_bytes, " bytes from ", args->offset_bytes,
                     " on of storage ", storage->id, ", which has ", storage->size);
    }
  }
  if (!call.may_pass()) return call.refuse();
  sy_map_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.storage = storage->inner;
  const sy_status status = call.pass_on(plugin.inner.map, inner);
  args->pointer = inner.pointer;
  if (status == SY_OK) ++storage->mappings;
  return status;
}

sy_status unmap(Plugin& plugin, sy_storage_args* args, sy_error* error) {
  Call call(plugin, "unmap", *args, error, Handling::lets_go);
  const auto device = call.find(args->device);
  const auto storage = device ? call.find(*device, args->storage) : nullptr;
  if (storage && storage->mappings == 0) {
    call.violation(Rule::map, "storage ", storage->id, " is not mapped");
    call.stop();
  }
  if (!call.may_pass()) return call.refuse();
  --storage->mappings;
  sy_storage_args inner = copy_of(*args);
  inner.device = device->inner;
  inner.storage = storage->inner;
  return call.pass_on(plugin.inner.unmap, inner);
}

sy_status trim(Plugin& plugin, sy_trim_args* args, sy_error* error) {
  Call call(plugin, "trim", *args, error);
  const auto device = call.find(args->device);
  if (!call.may_pass()) return call.refuse();
  sy_trim_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.inner.trim, inner);
  args->freed_bytes = inner.freed_bytes;
  return status;
}

sy_status memory_statistics(Plugin& plugin, sy_memory_statistics_args* args, sy_error* error) {
  Call call(plugin, "memory_statistics", *args, error);
  const auto device = call.find(args->device);
  if (!call.may_pass()) return call.refuse();
  sy_memory_statistics_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.inner.memory_statistics, inner);
  args->used_bytes = inner.used_bytes;
  args->cached_bytes = inner.cached_bytes;
  args->free_bytes = inner.free_bytes;
  return status;
}

}  // namespace validation
