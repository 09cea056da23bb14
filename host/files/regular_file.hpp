#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <switchyard/error.hpp>
#include <system_error>
#include <utility>

namespace switchyard {

/// An open file, closed at its end. Opening never waits, as opening a pipe may, and refuses
/// folders, pipes, sockets and devices: reading some never ends, and opening some does something.
/// All members throw std::system_error, whose code's message is the reason for people.
class RegularFile {
 public:
  static RegularFile to_read(const std::filesystem::path& path);
  /// A new file of these permissions, as far as the umask leaves them; there must be none yet.
  static RegularFile to_create(const std::filesystem::path& path, mode_t permissions = 0666);
  /// The file, made if there is none; what is written goes behind its end.
  static RegularFile to_append(const std::filesystem::path& path);

  RegularFile(RegularFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), status_(other.status_) {}
  RegularFile& operator=(RegularFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(status_, other.status_);
    return *this;
  }
  ~RegularFile();

  int descriptor() const { return descriptor_; }
  const struct stat& status() const { return status_; }  // as it was when the file was opened
  std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }

  /// The descriptor, which is the caller's to close now.
  int release() { return std::exchange(descriptor_, -1); }
  /// Closes it, and says whether that went well.
  void close();

  /// All that it holds from here on, or the first `most_bytes + 1` of it.
  std::string read(std::size_t most_bytes) const;
  void write(std::string_view bytes) const;

 private:
  RegularFile(const std::filesystem::path& path, int flags, mode_t permissions);

  int descriptor_ = -1;
  struct stat status_ = {};
};

/// What an error about a file is that the system gave this code for: not_found or io.
ErrorKind kind_of(const std::error_code& code) noexcept;

/// The reason why a RegularFile does not open a pipe, a socket or a device.
std::error_code not_a_regular_file() noexcept;

/// Makes what was created, renamed or removed in a folder survive a power cut, where the file
/// system can.
void sync_folder(const std::filesystem::path& folder) noexcept;

}  // namespace switchyard
