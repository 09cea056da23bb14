#include "io/file_replacement.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <switchyard/error.hpp>
#include <system_error>
#include <utility>

namespace switchyard {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// A link keeps pointing where it does: what it names is replaced.
std::filesystem::path without_links(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::canonical(path, ignored);
  return ignored ? path : target;
}

// In the same folder: a rename cannot leave a file system.
std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  return folder_of(path) /
         fmt::format(".{}.{}-{}.partial", path.filename().string(), getpid(), count.fetch_add(1));
}

// So that the new name survives a power cut. Some file systems cannot; the file itself is safe.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

FileReplacement::FileReplacement(const std::filesystem::path& path)
    : path_(without_links(path)), temporary_(temporary_name(path_)) {
  std::error_code ignored;
  if (!path_.has_filename() || is_directory(path_, ignored)) fail(EISDIR);
  if (exists(path_, ignored) && !is_regular_file(path_, ignored)) fail(EINVAL);  // a device, a pipe
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
}

FileReplacement::~FileReplacement() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileReplacement::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void FileReplacement::commit() {
  if (fsync(descriptor_) != 0) fail(errno);
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
  sync_folder(folder_of(path_));
}

void FileReplacement::fail(int code) const {
  throw Error(ErrorKind::usage,
              fmt::format("{}: cannot write it: {}; what the file held before is unchanged",
                          path_.string(), std::generic_category().message(code)));
}

}  // namespace switchyard
