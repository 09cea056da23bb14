#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/mapped_file.hpp"

namespace switchyard {

/// A file that gzip may have packed, read from its beginning on; one that it has not is read as it
/// is. Throws Error(model) that names the file where it cannot be opened, is damaged or cut short,
/// or goes on behind the end of what gzip packed.
class UnpackedFile {
 public:
  explicit UnpackedFile(const std::filesystem::path& path);
  ~UnpackedFile();
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  /// Up to `bytes` more; fewer only at the end of the file.
  std::vector<std::byte> read(std::size_t bytes);

  const std::string& name() const { return name_; }

 private:
  struct Inflation;

  std::size_t take(std::span<std::byte> wanted);
  std::size_t inflate(std::span<std::byte> wanted);
  void end_member();

  std::string name_;
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::byte> rest_;       // not read yet, as the file has it
  std::unique_ptr<Inflation> inflation_;  // null: not packed
  bool is_over_ = false;                  // the packed bytes
};

}  // namespace switchyard
