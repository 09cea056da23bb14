#include <cstdlib>
#include <cstring>

#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"
#include "violations.hpp"

namespace checking {
namespace {

constexpr uint64_t alignment = 64;
constexpr int poison = 0xFF;  // floats of it are NaN

char* new_bytes(uint64_t size) {
  void* bytes = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (bytes == nullptr) throw sy::out_of_memory("no ", size, " bytes");
  std::memset(bytes, poison, size);
  return static_cast<char*>(bytes);
}

// Memory is reused as soon as the contract allows it.
char* take_bytes(Device& device, Stream* home, uint64_t size, bool& is_fresh) {
  const auto found = device.free.find({home, size});
  is_fresh = found == device.free.end();
  if (is_fresh) return new_bytes(size);
  char* bytes = found->second;
  device.free.erase(found);
  return bytes;
}

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "allocate");
    if (device == nullptr) throw sy::invalid("no device");
    Stream* stream = args->stream == nullptr ? nullptr : find(args->stream, "allocate");
    if (stream != nullptr && stream->device != device) violation("allocate: of another's stream");
    if (args->size_bytes == 0) violation("allocate: 0 bytes");
    if (device->happens(device->settings.out_of_memory)) throw sy::out_of_memory("as asked for");
    auto storage = std::make_unique<Storage>();
    bool is_fresh = false;
    storage->device = device;
    storage->size = args->size_bytes;
    storage->home = device->settings.caches_memory ? stream : nullptr;
    storage->bytes = take_bytes(*device, storage->home, args->size_bytes, is_fresh);
    if (storage->home != nullptr && !is_fresh) storage->fresh_after = stream->last;
    ++device->storages;
    args->storage = keep(std::move(storage));
  });
}

void spoil(Storage& storage) {
  char* bytes = storage.bytes;
  const uint64_t size = storage.size;
  Stream* home = storage.home;
  if (home == nullptr) {
    std::memset(bytes, poison, size);
  } else if (!home->is_destroyed) {
    home->overwrites.add(home->last, bytes, size);
  }
  storage.device->free.insert({{home, size}, bytes});
}

sy_status release(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "release");
    if (device == nullptr) return;
    Storage* storage = find(*device, args->storage, "release");
    if (storage == nullptr || storage->is_released) return;
    if (storage->mappings != 0) violation("release: storage ", storage->id, " is mapped");
    check_unused(*storage, false, storage->home, "release");
    storage->is_released = true;
    --device->storages;
    if (!storage->is_imported) spoil(*storage);
  });
}

sy_status import_memory(sy_import_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "import_memory");
    if (device == nullptr) throw sy::invalid("no device");
    if (args->kind != SY_EXTERNAL_HOST) {
      violation("import_memory: of kind ", args->kind, ", which the device does not take");
    }
    auto storage = std::make_unique<Storage>();
    storage->device = device;
    storage->size = args->size_bytes;
    storage->bytes = static_cast<char*>(args->pointer);
    storage->is_imported = true;
    ++device->storages;
    args->storage = keep(std::move(storage));
  });
}

sy_status map(sy_map_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "map");
    Storage* storage = device == nullptr ? nullptr : find(*device, args->storage, "map");
    if (storage == nullptr) throw sy::invalid("no storage ", args->storage);
    check_unused(*storage, (args->access & SY_MAP_WRITE) == 0, nullptr, "map");
    if (args->offset_bytes + args->size_bytes > storage->size) violation("map: leaves the storage");
    ++storage->mappings;
    args->pointer = storage->bytes + args->offset_bytes;
  });
}

sy_status unmap(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "unmap");
    Storage* storage = device == nullptr ? nullptr : find(*device, args->storage, "unmap");
    if (storage != nullptr && --storage->mappings < 0) violation("unmap: not mapped");
  });
}

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

}  // namespace checking
