#include "abi/memory.hpp"

#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include "switchyard/plugin/division.hpp"
#include "switchyard/plugin/guard.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace cpu {
namespace {

constexpr uint64_t huge_page_bytes = uint64_t{2} << 20;

struct Storage {
  uint64_t size_bytes = 0;  // 0: not ours
  uint64_t imports = 0;
};

struct Storages {
  std::mutex mutex;
  std::unordered_map<void*, Storage> by_pointer;
  uint64_t bytes = 0;
};

Storages& storages() {
  static auto* const all = new Storages;  // outlives every static destructor that releases a tensor
  return *all;
}

void* system_allocate(uint64_t size_bytes) {
  const bool huge = size_bytes >= 2 * huge_page_bytes;
  const uint64_t alignment = huge ? huge_page_bytes : storage_alignment;
  if (size_bytes > UINT64_MAX - alignment) return nullptr;
  const uint64_t rounded = sy::ceil_div(size_bytes, alignment) * alignment;
  void* pointer = std::aligned_alloc(alignment, rounded);
#if defined(__linux__)
  if (huge && pointer != nullptr) madvise(pointer, rounded, MADV_HUGEPAGE);  // only a hint
#endif
  return pointer;
}

}  // namespace

void* allocate_storage(uint64_t size_bytes) {
  void* pointer = system_allocate(size_bytes == 0 ? 1 : size_bytes);
  if (pointer == nullptr)
    throw sy::out_of_memory("no memory for a storage of ", size_bytes, " bytes");
  Storages& all = storages();
  const std::lock_guard lock(all.mutex);
  try {
    all.by_pointer[pointer].size_bytes = size_bytes == 0 ? 1 : size_bytes;
  } catch (...) {
    std::free(pointer);
    throw;
  }
  all.bytes += all.by_pointer[pointer].size_bytes;
  return pointer;
}

void import_storage(void* pointer) {
  if (reinterpret_cast<uintptr_t>(pointer) % alignof(std::max_align_t) != 0) {
    throw sy::unsupported(SY_REASON_MEMORY, "imported memory must be aligned to ",
                          alignof(std::max_align_t), " bytes");
  }
  Storages& all = storages();
  const std::lock_guard lock(all.mutex);
  ++all.by_pointer[pointer].imports;
}

// Memory outlives its imports, so where both an allocation and imports have one address, the
// imports end first.
void release_storage(void* pointer) {
  Storages& all = storages();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_pointer.find(pointer);
  if (found == all.by_pointer.end()) throw sy::invalid("release of a storage that does not live");
  Storage& storage = found->second;
  if (storage.imports > 0) {
    if (--storage.imports == 0 && storage.size_bytes == 0) all.by_pointer.erase(found);
    return;
  }
  all.bytes -= storage.size_bytes;
  all.by_pointer.erase(found);
  std::free(pointer);
}

MemoryStatistics storage_statistics() {
  Storages& all = storages();
  const std::lock_guard lock(all.mutex);
  return {all.by_pointer.size(), all.bytes};
}

uint64_t trim_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  return 0;
}

}  // namespace cpu
