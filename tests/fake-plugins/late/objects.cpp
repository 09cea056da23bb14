#include "objects.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "switchyard/plugin/guard.hpp"

namespace late {
namespace {

// Never destroyed: handles may come back while the process ends.
struct Tables {
  std::mutex everything;
  std::unordered_map<sy_storage, Storage> storages;
  sy_storage last = 1000;
};

Tables& tables() {
  static Tables& made = *new Tables;
  return made;
}

}  // namespace

std::mutex& everything() { return tables().everything; }

bool Kernel::has_deferred() const {
  return std::find(output_modes.begin(), output_modes.end(), SY_OUTPUT_DEFERRED) !=
         output_modes.end();
}

Storage& find(sy_storage handle) {
  const auto found = tables().storages.find(handle);
  if (found == tables().storages.end()) throw sy::invalid("no storage ", handle);
  return found->second;
}

sy_storage keep(const Device& device, Storage storage) {
  const bool is_address = device.settings.memory == SY_MEMORY_ADDRESS && !storage.is_imported;
  const sy_storage handle =
      is_address ? reinterpret_cast<sy_storage>(storage.bytes) : ++tables().last;
  tables().storages.insert_or_assign(handle, storage);
  return handle;
}

void forget(sy_storage handle) { tables().storages.erase(handle); }

void forget_home(Device& device, Stream& stream) {
  for (auto& [handle, storage] : tables().storages) {
    if (storage.home == &stream) storage.home = nullptr;
  }
  std::erase_if(device.free, [&](const auto& block) {
    if (block.first.first != &stream) return false;
    std::free(block.second);
    return true;
  });
}

}  // namespace late
