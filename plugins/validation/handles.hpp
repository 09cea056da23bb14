// The layer's own handles: numbers that are never given out twice, so that one that was destroyed
// is known when it comes back, and nothing needs to be kept for that.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "objects.hpp"

namespace validation {

// All kinds of a plugin's handles count in one row, so that a stream is no event.
class HandleNumbers {
 public:
  uint64_t next() { return next_++; }
  bool has_given(uint64_t number) const { return number >= first && number < next_; }

 private:
  static constexpr uint64_t first = 0x1000;
  uint64_t next_ = first;
};

template <typename Handle, typename Thing>
class Handles {
 public:
  // Of a number that is not in use.
  Handle keep(std::shared_ptr<Thing> object, uint64_t number) {
    object->id = number;
    living_.insert_or_assign(number, std::move(object));
    return (Handle)number;  // NOLINT: a pointer that points nowhere, or a number
  }
  // Null if it does not live.
  std::shared_ptr<Thing> find(Handle handle) const {
    const auto found = living_.find(number_of(handle));
    return found == living_.end() ? nullptr : found->second;
  }
  void drop(Handle handle) { living_.erase(number_of(handle)); }
  const auto& living() const { return living_; }

  static uint64_t number_of(Handle handle) { return (uint64_t)handle; }  // NOLINT: as above

 private:
  std::unordered_map<uint64_t, std::shared_ptr<Thing>> living_;
};

}  // namespace validation
