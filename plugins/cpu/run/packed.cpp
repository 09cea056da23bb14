#include "run/packed.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace cpu {
namespace {

// An entry's own mutex is held while its packed form is made, so that others who want it wait for
// it and the rest go on.
struct Entry {
  std::mutex mutex;
  std::weak_ptr<const void> data;
};

using Key = std::pair<uint64_t, std::string>;

std::mutex& entries_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

std::map<Key, std::shared_ptr<Entry>>& entries() {
  static auto* const all = new std::map<Key, std::shared_ptr<Entry>>;
  return *all;
}

// Also drops the entries whose data nobody holds any more.
std::shared_ptr<Entry> entry_of(const Key& key) {
  const std::lock_guard lock(entries_mutex());
  std::erase_if(entries(), [&](const auto& item) {
    if (item.second.use_count() != 1 || item.first == key) return false;
    const std::lock_guard unused_lock(item.second->mutex);
    return item.second->data.expired();
  });
  std::shared_ptr<Entry>& entry = entries()[key];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

}  // namespace

std::shared_ptr<const void> packed_constant(
    uint64_t id, const std::string& form,
    const std::function<std::shared_ptr<const void>()>& make) {
  const std::shared_ptr<Entry> entry = entry_of({id, form});
  const std::lock_guard lock(entry->mutex);
  std::shared_ptr<const void> data = entry->data.lock();
  if (data == nullptr) {
    data = make();
    entry->data = data;
  }
  return data;
}

}  // namespace cpu
