#include "storages.hpp"

#include <algorithm>
#include <utility>

namespace validation {
namespace {

sy_storage handle_of(const Storage& storage) {
  const bool is_address = storage.device->info.memory_kind == SY_MEMORY_ADDRESS;
  return is_address ? storage.inner : storage.id;
}

}  // namespace

sy_storage keep(Plugin& plugin, const std::shared_ptr<Device>& device,
                std::shared_ptr<Storage> storage) {
  storage->id = plugin.numbers.next();
  storage->device = device;
  storage->generation = device->recoveries;
  ++device->storages;
  const sy_storage handle = handle_of(*storage);
  std::shared_ptr<Storage>& position = plugin.storages[{device.get(), handle}];
  if (position && storage->is_imported) {
    storage->size = std::max(storage->size, position->size);
    storage->below = std::move(position);
  }
  position = std::move(storage);
  return handle;
}

void let_go(Plugin& plugin, const std::shared_ptr<Storage>& storage) {
  --storage->device->storages;
  const auto found = plugin.storages.find({storage->device.get(), handle_of(*storage)});
  if (storage->below) {
    found->second = std::move(storage->below);
  } else {
    plugin.storages.erase(found);
  }
}

}  // namespace validation
