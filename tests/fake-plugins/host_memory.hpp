// Host memory that copies of a fake device know.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace fake {

// By address: what the device made itself, and what it was told of.
class HostMemory {
 public:
  void* allocate(uint64_t size_bytes);
  void release(void* pointer, uint64_t size_bytes);
  void add(void* pointer, uint64_t size_bytes);
  void remove(void* pointer, uint64_t size_bytes);

  // Counts a copy from or to this position, if it lies in known memory.
  void note_copy(uint64_t position);
  // "2 copies of known host memory, 1 block known\n", or "" if there never was any.
  std::string report() const;

 private:
  mutable std::mutex mutex_;
  std::map<uint64_t, uint64_t> blocks_;  // from an address, so many bytes
  uint64_t copies_ = 0;
  bool was_used_ = false;
};

// The four slots.
void set_host_memory_slots(sy_plugin& table);

}  // namespace fake
