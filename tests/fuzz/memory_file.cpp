#include "memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace switchyard::fuzz {

MemoryFile::MemoryFile()
    : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  if (descriptor_ < 0) std::abort();
}

MemoryFile::~MemoryFile() { close(descriptor_); }

void MemoryFile::hold(std::span<const std::byte> bytes) {
  const auto size = static_cast<off_t>(bytes.size());
  if (ftruncate(descriptor_, size) != 0) std::abort();
  if (pwrite(descriptor_, bytes.data(), bytes.size(), 0) != size) std::abort();
}

}  // namespace switchyard::fuzz
