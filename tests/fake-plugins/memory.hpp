// Memory of a fake device: plain memory, shown to the host as an address or as a number.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "switchyard/plugin/shape.hpp"

namespace fake {

class Stream;

class Memory {
 public:
  // `home` is the stream that a device which caches memory orders it by; null: any.
  sy_storage allocate(uint64_t size_bytes, const Stream* home = nullptr);
  const Stream* home_of(sy_storage storage) const;
  // The stream ends: nothing has it as its home any more.
  void forget_home(const Stream& home);
  // A storage over another's memory.
  sy_storage adopt(void* pointer, uint64_t size_bytes);
  // What it holds now, in memory that lives as long as this.
  char* copy_of(sy_storage storage);
  // The memory of a device that caches is overwritten, and kept, so that who still reads it reads
  // nonsense.
  void release(sy_storage storage);

  // The byte of a storage; invalid if `size_bytes` from it leave the storage.
  char* at(sy_storage storage, uint64_t offset_bytes, uint64_t size_bytes);
  // The element of a tensor whose indices are all 0; null for a tensor without elements.
  char* at(sy_storage storage, uint64_t offset_bytes, sy_dtype dtype, sy::Extents shape,
           const int64_t* strides);

  // Storages from before can only be released from now on.
  void forget();

  uint64_t used_bytes() const;

 private:
  struct Block {
    std::shared_ptr<char> bytes;
    uint64_t size_bytes;
    const Stream* home;
  };

  mutable std::mutex mutex_;
  std::map<sy_storage, Block> blocks_;
  std::vector<Block> spoiled_;
  std::map<sy_storage, Block> forgotten_;
  sy_storage last_number_ = 0;
  uint32_t failed_allocations_ = 0;
  uint64_t released_bytes_ = 0;  // of who counts them on
};

}  // namespace fake
