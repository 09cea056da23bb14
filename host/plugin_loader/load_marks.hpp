// Which libraries processes are loading now, and at which one of them ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "files/regular_file.hpp"

namespace switchyard {

/// Says on disk, for as long as it lives, that this process is at work in a library: a locked file,
/// whose lock ends with the process and whose name does not.
class LoadMark {
 public:
  LoadMark() = default;  // says nothing
  LoadMark(LoadMark&& other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, std::nullopt)) {}
  LoadMark& operator=(LoadMark&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~LoadMark();

 private:
  friend class LoadMarks;
  LoadMark(std::filesystem::path path, RegularFile file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;
  std::optional<RegularFile> file_;
};

/// The marks of one build of a library under one set of circumstances, in a folder that is this
/// user's alone. Nothing here throws but for want of memory: marks that cannot be written only mean
/// that a process which a library ends is not remembered, and that is logged.
class LoadMarks {
 public:
  LoadMarks() = default;  // none are written, and none found
  /// `key`: what a file may be called.
  LoadMarks(std::filesystem::path folder, std::string key)
      : folder_(std::move(folder)), key_(std::move(key)) {}

  /// To be held while this process loads the library, or opens a device of it.
  LoadMark begin() const;
  /// Whether a process ended while it held a mark.
  bool one_was_left() const;
  /// Forgets those processes.
  void clear() const;

 private:
  template <typename Use>
  void for_each_left(Use&& use) const;

  std::filesystem::path folder_;
  std::string key_;
};

}  // namespace switchyard
