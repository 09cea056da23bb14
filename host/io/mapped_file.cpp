#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace switchyard {

namespace {

[[noreturn]] void throw_errno(int code) { throw std::system_error(code, std::generic_category()); }

/// Closes a descriptor at the end of a scope; a mapping outlives its descriptor.
struct Descriptor {
  int number;
  ~Descriptor() { close(number); }
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // Without O_NONBLOCK a FIFO would block here before fstat can tell what it is.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) throw_errno(errno);
  const Descriptor descriptor{number};
  struct stat status = {};
  if (fstat(number, &status) != 0) throw_errno(errno);
  if (S_ISDIR(status.st_mode)) throw_errno(EISDIR);
  if (!S_ISREG(status.st_mode)) throw_errno(EINVAL);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return std::shared_ptr<const MappedFile>(new MappedFile(nullptr, 0));
  void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, number, 0);
  if (start == MAP_FAILED) throw_errno(errno);
  return std::shared_ptr<const MappedFile>(
      new MappedFile(static_cast<const std::byte*>(start), size));
}

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) munmap(const_cast<std::byte*>(bytes_), size_);
}

}  // namespace switchyard
