#include "objects.hpp"

#include <unordered_map>

#include "violations.hpp"

namespace checking {
namespace {

// Never destroyed: handles may come back while the process ends.
struct Tables {
  std::mutex everything;
  std::unordered_map<const void*, std::unique_ptr<Device>> devices;
  std::unordered_map<const void*, std::unique_ptr<Stream>> streams;
  std::unordered_map<const void*, std::unique_ptr<Event>> events;
  std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels;
  std::vector<std::unique_ptr<Storage>> storages;
  std::unordered_map<sy_storage, Storage*> latest;  // an address may be given out again
};

Tables& tables() {
  static Tables& made = *new Tables;
  return made;
}

template <typename Handle, typename Object>
Object* look_up(const std::unordered_map<const void*, std::unique_ptr<Object>>& known,
                Handle handle, bool Object::*is_gone, const char* kind, const char* call) {
  const auto found = known.find(handle);
  if (found == known.end()) {
    violation(call, ": no such ", kind);
    return nullptr;
  }
  if ((*found->second).*is_gone) violation(call, ": the ", kind, " was destroyed");
  return found->second.get();
}

template <typename Handle, typename Object>
Handle add(std::unordered_map<const void*, std::unique_ptr<Object>>& known,
           std::unique_ptr<Object> object) {
  const auto handle = reinterpret_cast<Handle>(object.get());
  known.emplace(handle, std::move(object));
  return handle;
}

}  // namespace

std::mutex& everything() { return tables().everything; }

Device* find(sy_device handle, const char* call) {
  return look_up(tables().devices, handle, &Device::is_closed, "device", call);
}
Stream* find(sy_stream handle, const char* call) {
  return look_up(tables().streams, handle, &Stream::is_destroyed, "stream", call);
}
Event* find(sy_event handle, const char* call) {
  return look_up(tables().events, handle, &Event::is_destroyed, "event", call);
}
Kernel* find(sy_kernel handle, const char* call) {
  return look_up(tables().kernels, handle, &Kernel::is_destroyed, "kernel", call);
}

Storage* find(const Device& device, sy_storage handle, const std::string& call) {
  const auto found = tables().latest.find(handle);
  if (found == tables().latest.end()) {
    violation(call, ": no such storage, ", handle);
    return nullptr;
  }
  Storage& storage = *found->second;
  if (storage.is_released) violation(call, ": storage ", storage.id, " was released");
  if (storage.device != &device) violation(call, ": storage ", storage.id, " of another device");
  return &storage;
}

sy_device keep(std::unique_ptr<Device> device) {
  return add<sy_device>(tables().devices, std::move(device));
}
sy_stream keep(std::unique_ptr<Stream> stream) {
  return add<sy_stream>(tables().streams, std::move(stream));
}
sy_event keep(std::unique_ptr<Event> event) {
  return add<sy_event>(tables().events, std::move(event));
}
sy_kernel keep(std::unique_ptr<Kernel> kernel) {
  return add<sy_kernel>(tables().kernels, std::move(kernel));
}

sy_storage keep(std::unique_ptr<Storage> storage) {
  storage->id = 1000 + tables().storages.size();
  const bool is_address =
      storage->device->settings.memory == SY_MEMORY_ADDRESS && !storage->is_imported;
  const sy_storage handle = is_address ? reinterpret_cast<sy_storage>(storage->bytes) : storage->id;
  tables().latest[handle] = storage.get();
  tables().storages.push_back(std::move(storage));
  return handle;
}

}  // namespace checking
