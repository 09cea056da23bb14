// Storages: blocks of this process's memory, the handle being the pointer. The host keeps freed
// ones for later, so that nothing is cached here.
#pragma once

#include <cstdint>

namespace cpu {

inline constexpr uint32_t storage_alignment = 64;

// Throws sy::out_of_memory.
void* allocate_storage(uint64_t size_bytes);

// Counts one use of memory that is the host's. Throws sy::unsupported for a pointer that some
// element type could not be read at.
void import_storage(void* pointer);

// Ends an import, or frees what was allocated. Throws sy::invalid for an unknown pointer.
void release_storage(void* pointer);

struct MemoryStatistics {
  uint64_t count = 0;  // storages that live, imports too
  uint64_t bytes = 0;  // in allocated ones
};
MemoryStatistics storage_statistics();

// Asks the system's allocator to give back what it can; returns 0 where it does not tell how much.
uint64_t trim_memory();

}  // namespace cpu
