#include "files/regular_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace switchyard {
namespace {

/// The one reason that the system has no word for.
class NotRegular final : public std::error_category {
 public:
  const char* name() const noexcept override { return "file"; }
  std::string message(int) const override { return "it is not a regular file"; }
};

/// Holds off, in this thread, the signal of a file that grows beyond the process's limit: it would
/// end the program, which then could neither say why nor remove the part that it has written. The
/// write itself fails with EFBIG.
class HeldLimitSignal {
 public:
  HeldLimitSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    was_pending_ = is_pending();
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~HeldLimitSignal() {
    if (!was_pending_ && is_pending()) {
      int received = 0;
      sigwait(&signal_, &received);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldLimitSignal(const HeldLimitSignal&) = delete;
  HeldLimitSignal& operator=(const HeldLimitSignal&) = delete;

 private:
  static bool is_pending() {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    return sigismember(&pending, SIGXFSZ) == 1;
  }

  sigset_t signal_, before_;
  bool was_pending_ = false;
};

[[noreturn]] void throw_errno() { throw std::system_error(errno, std::generic_category()); }

[[noreturn]] void throw_code(int code) { throw std::system_error(code, std::generic_category()); }

}  // namespace

ErrorKind kind_of(const std::error_code& code) noexcept {
  const bool is_absent =
      code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory;
  return is_absent ? ErrorKind::not_found : ErrorKind::io;
}

std::error_code not_a_regular_file() noexcept {
  static const NotRegular& category = *new NotRegular;
  return {1, category};
}

RegularFile::RegularFile(const std::filesystem::path& path, int flags, mode_t permissions)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, permissions)) {
  // A pipe that nobody reads, a socket, a device without a driver.
  if (descriptor_ < 0 && errno == ENXIO) throw std::system_error(not_a_regular_file());
  if (descriptor_ < 0) throw_errno();
  int problem = fstat(descriptor_, &status_) == 0 ? 0 : errno;
  if (problem == 0 && S_ISDIR(status_.st_mode)) problem = EISDIR;
  const bool is_regular = S_ISREG(status_.st_mode);
  if (problem == 0 && is_regular) return;
  ::close(std::exchange(descriptor_, -1));
  if (problem != 0) throw_code(problem);
  throw std::system_error(not_a_regular_file());
}

RegularFile RegularFile::to_read(const std::filesystem::path& path) { return {path, O_RDONLY, 0}; }

RegularFile RegularFile::to_create(const std::filesystem::path& path, mode_t permissions) {
  return {path, O_WRONLY | O_CREAT | O_EXCL, permissions};
}

RegularFile RegularFile::to_append(const std::filesystem::path& path) {
  return {path, O_WRONLY | O_CREAT | O_APPEND, 0666};
}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RegularFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_errno();
}

std::string RegularFile::read(std::size_t most_bytes) const {
  constexpr std::size_t kLeast = std::size_t{1} << 12;  // what most files of the system fit
  constexpr std::size_t kMost = std::size_t{1} << 20;
  std::string bytes;
  while (bytes.size() <= most_bytes) {
    const std::size_t before = bytes.size();
    const std::size_t block = std::clamp(before, kLeast, kMost);
    bytes.resize(before + std::min(block, most_bytes + 1 - before));
    const ssize_t count = ::read(descriptor_, bytes.data() + before, bytes.size() - before);
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno != EINTR) throw_errno();
    if (count == 0) break;
  }
  return bytes;
}

void RegularFile::write(std::string_view bytes) const {
  const HeldLimitSignal held;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) throw_errno();
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::filesystem::path& folder) noexcept {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  ::close(descriptor);
}

}  // namespace switchyard
