#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace switchyard::fuzz {

/// Bytes as a file of its own name that lies in memory: readers take paths.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Replaces what the file holds.
  void hold(std::span<const std::byte> bytes);
  const std::filesystem::path& path() const { return path_; }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

}  // namespace switchyard::fuzz
