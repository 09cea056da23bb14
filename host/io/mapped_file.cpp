#include "io/mapped_file.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "files/regular_file.hpp"

namespace switchyard {

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const RegularFile file = RegularFile::to_read(path);  // a mapping outlives its descriptor
  if (file.size() == 0) return std::shared_ptr<const MappedFile>(new MappedFile(nullptr, 0));
  void* start = mmap(nullptr, file.size(), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (start == MAP_FAILED) throw std::system_error(errno, std::generic_category());
  return std::shared_ptr<const MappedFile>(
      new MappedFile(static_cast<const std::byte*>(start), file.size()));
}

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) munmap(const_cast<std::byte*>(bytes_), size_);
}

}  // namespace switchyard
