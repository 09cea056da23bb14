#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace switchyard {

/// A file that is written beside the one it will replace, under a temporary name. `commit` brings
/// it onto the disk and gives it its name in one step: whoever opens that name finds the old file
/// or the new one, whole, also when the program or the machine stops meanwhile. Without `commit`
/// nothing is left of it. Errors are Error(usage) that name the file.
class FileReplacement {
 public:
  /// `path` names no file yet, or a regular one.
  explicit FileReplacement(const std::filesystem::path& path);
  ~FileReplacement();
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  [[noreturn]] void fail(int code) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;  // -1 once it is closed
};

}  // namespace switchyard
