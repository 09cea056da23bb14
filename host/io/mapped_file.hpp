#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace switchyard {

class RegularFile;

/// A file's bytes, mapped read-only. The mapping lives as long as this object; the file must not be
/// cut short meanwhile. A file that is mapped already, and has not changed since, is not mapped
/// again: what lies at one place is the same.
class MappedFile {
 public:
  /// Maps a regular file. Throws std::system_error with the system's reason.
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {bytes_, size_}; }

 private:
  static std::shared_ptr<const MappedFile> map(const RegularFile& file);
  MappedFile(const std::byte* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

  const std::byte* bytes_;
  std::size_t size_;
};

}  // namespace switchyard
