#include <cstdlib>
#include <cstring>

#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"

namespace late {
namespace {

constexpr uint64_t alignment = 64;
constexpr uint64_t most_bytes = uint64_t{1} << 46U;
constexpr int poison = 0xFF;  // floats of it are NaN

char* new_bytes(uint64_t size) {
  if (size > most_bytes) throw sy::out_of_memory("no ", size, " bytes");
  void* bytes = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (bytes == nullptr) throw sy::out_of_memory("no ", size, " bytes");
  std::memset(bytes, poison, size);
  return static_cast<char*>(bytes);
}

// Memory is reused as soon as the contract allows it.
char* take_bytes(Device& device, Stream* home, uint64_t size) {
  const auto found = device.free.find({home, size});
  if (found == device.free.end()) return new_bytes(size);
  char* bytes = found->second;
  device.free.erase(found);
  return bytes;
}

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device& device = object(args->device);
    if (device.happens(device.settings.out_of_memory)) throw sy::out_of_memory("as asked for");
    Storage storage;
    storage.size = args->size_bytes;
    const bool has_home = device.settings.caches_memory && args->stream != nullptr;
    storage.home = has_home ? &object(args->stream) : nullptr;
    storage.bytes = take_bytes(device, storage.home, args->size_bytes);
    args->storage = keep(device, storage);
  });
}

void spoil(Device& device, const Storage& storage) {
  if (storage.home == nullptr) {
    std::memset(storage.bytes, poison, storage.size);
  } else {
    storage.home->overwrites.add(storage.home->last, storage.bytes, storage.size);
  }
  device.free.insert({{storage.home, storage.size}, storage.bytes});
}

sy_status release(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    const Storage storage = find(args->storage);
    forget(args->storage);
    if (!storage.is_imported) spoil(object(args->device), storage);
  });
}

sy_status import_memory(sy_import_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Storage storage;
    storage.size = args->size_bytes;
    storage.bytes = static_cast<char*>(args->pointer);
    storage.is_imported = true;
    args->storage = keep(object(args->device), storage);
  });
}

sy_status map(sy_map_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    args->pointer = find(args->storage).bytes + args->offset_bytes;
  });
}

sy_status unmap(sy_storage_args*, sy_error*) { return SY_OK; }

}  // namespace

void Overwrites::add(uint64_t last, char* bytes, uint64_t size) {
  const std::lock_guard lock(guard_);
  if (finished_ < last) {
    waiting_.push_back({last, bytes, size});
  } else {
    std::memset(bytes, poison, size);
  }
}

void Overwrites::finish_number() {
  const std::lock_guard lock(guard_);
  ++finished_;
  std::erase_if(waiting_, [&](const Memory& memory) {
    if (memory.last > finished_) return false;
    std::memset(memory.bytes, poison, memory.size);
    return true;
  });
}

void set_memory_slots(sy_plugin& table) {
  table.allocate = allocate;
  table.release = release;
  table.import_memory = import_memory;
  table.map = map;
  table.unmap = unmap;
}

}  // namespace late
