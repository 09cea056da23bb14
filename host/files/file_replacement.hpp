#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "files/regular_file.hpp"

namespace switchyard {

/// A file that is written beside the one it will replace, under a temporary name. `commit` brings
/// it onto the disk and gives it its name in one step: whoever opens that name finds the old file
/// or the new one, whole, also when the program or the machine stops meanwhile. Without `commit`
/// nothing is left of it. Errors are Error(invalid_argument) that name the file.
class FileReplacement {
 public:
  /// `path` names no file yet, or a regular one. The new one has these permissions, as far as the
  /// umask leaves them.
  explicit FileReplacement(const std::filesystem::path& path, mode_t permissions = 0666);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  [[noreturn]] void fail(const std::error_code& code) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::optional<RegularFile> file_;
};

/// Throws what a FileReplacement of this path would throw at its beginning, and leaves all as it
/// was: for work that takes long, and whose result would be lost.
void check_replaceable(const std::filesystem::path& path);

/// The file that a FileReplacement of this path replaces or makes: absolute, without links, one for
/// all spellings of a path that `check_replaceable` lets pass.
std::filesystem::path file_behind(const std::filesystem::path& path);

}  // namespace switchyard
