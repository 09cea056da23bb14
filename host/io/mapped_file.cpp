#include "io/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <system_error>
#include <tuple>

#include "files/regular_file.hpp"
#include "memory/weak_cache.hpp"

namespace switchyard {

namespace {

/// Which file it is, and which state of it.
using Identity = std::tuple<dev_t, ino_t, off_t, std::int64_t, std::int64_t>;

#ifdef __APPLE__
const timespec& changed_at(const struct stat& status) { return status.st_ctimespec; }
#else
const timespec& changed_at(const struct stat& status) { return status.st_ctim; }
#endif

Identity identity_of(const struct stat& status) {
  const timespec& changed = changed_at(status);
  return {status.st_dev, status.st_ino, status.st_size, std::int64_t{changed.tv_sec},
          std::int64_t{changed.tv_nsec}};
}

/// False while another change might have the same time: some file systems count in two seconds.
bool is_settled(const struct stat& status) {
  return std::time(nullptr) - changed_at(status).tv_sec > 2;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  static auto& open_files = *new WeakCache<Identity, const MappedFile>;
  const RegularFile file = RegularFile::to_read(path);  // a mapping outlives its descriptor
  const auto map = [&] { return MappedFile::map(file); };
  if (!is_settled(file.status())) return map();
  return open_files.find_or_make(identity_of(file.status()), map);
}

std::shared_ptr<const MappedFile> MappedFile::map(const RegularFile& file) {
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
