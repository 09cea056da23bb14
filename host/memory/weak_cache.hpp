#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Values that are made once for each key, for as long as somebody uses them. Any thread may ask;
/// others wait while one is made.
template <typename Key, typename Value>
class WeakCache {
 public:
  /// The value of that key: `make()`, a shared pointer, if nobody uses one.
  template <typename Make>
  std::shared_ptr<Value> find_or_make(const Key& key, const Make& make) {
    const std::scoped_lock lock(guard_);
    std::weak_ptr<Value>& entry = entries_[key];
    std::shared_ptr<Value> value = entry.lock();
    if (value) return value;
    value = make();
    entry = value;
    if (entries_.size() > swept_above_) sweep();
    return value;
  }

 private:
  /// Entries of values that are gone would add up.
  void sweep() {
    std::erase_if(entries_, [](const auto& entry) { return entry.second.expired(); });
    swept_above_ = 2 * entries_.size() + kFewEntries;
  }

  static constexpr std::size_t kFewEntries = 256;

  trace::QuietMutex guard_;
  std::map<Key, std::weak_ptr<Value>> entries_;
  std::size_t swept_above_ = kFewEntries;
};

}  // namespace switchyard
