// The file of a library: opened once, judged by what was opened.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "files/regular_file.hpp"

namespace switchyard {

// Tells a file from every other, and from itself once it has changed.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;  // unlike the other time, nobody can set it back

  friend bool operator==(const FileIdentity& a, const FileIdentity& b) {
    return a.device == b.device && a.inode == b.inode && a.size_bytes == b.size_bytes &&
           a.modified_ns == b.modified_ns && a.changed_ns == b.changed_ns;
  }
  friend bool operator!=(const FileIdentity& a, const FileIdentity& b) { return !(a == b); }
};

FileIdentity identity_of(const struct stat& status);

// As a line without tabs.
std::string to_text(const FileIdentity& identity);

// A library's file, held open while it is judged and loaded. All members throw LoadError.
class LibraryFile {
 public:
  // Opens `path`, which is absolute. Symbolic links are followed.
  explicit LibraryFile(const std::filesystem::path& path);
  LibraryFile(const LibraryFile&) = delete;
  LibraryFile& operator=(const LibraryFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }  // links resolved
  const FileIdentity& identity() const noexcept { return identity_; }

  // Nobody else owns or can write the file, or anything on the way to it: see trusted_path.hpp.
  void check_trust() const;
  // It is a shared library for this machine, whole.
  void check_format() const;
  // Its sha256 is `pin`, in hexadecimal digits. `plugin` is the name in the configuration.
  void check_sha256(std::string_view pin, std::string_view plugin) const;
  // The path still leads to what was opened, unchanged: what the dynamic loader read is what was
  // judged here. Call it after loading.
  void check_unchanged() const;

 private:
  std::string sha256() const;

  std::filesystem::path named_;
  std::filesystem::path path_;
  RegularFile file_;
  FileIdentity identity_;
};

}  // namespace switchyard
