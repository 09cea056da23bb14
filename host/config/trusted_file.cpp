#include "config/trusted_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <switchyard/error.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace switchyard {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = 1 << 20;

std::string writable_sentence(std::string_view what, const std::string& path) {
  return fmt::format("{} {} can be written to by others; run: chmod o-w '{}'", what, path, path);
}

std::optional<std::string> folder_problem(const fs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return std::nullopt;
  if ((status.st_mode & S_IWOTH) == 0 || (status.st_mode & S_ISVTX) != 0) return std::nullopt;
  return writable_sentence("the folder", folder.string());
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::config, fmt::format("{}: {}", path, problem));
}

std::string read_all(int descriptor, const std::string& path) {
  std::string text;
  char block[4096];
  while (true) {
    const ssize_t count = ::read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (count == 0) return text;
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > largest_file) fail(path, "is larger than 1 MiB; name a configuration file");
  }
}

}  // namespace

std::optional<std::string> why_untrusted(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  if ((status.st_mode & S_IWOTH) != 0) return writable_sentence("the file", path);
  std::error_code ignored;
  const fs::path named = fs::absolute(path, ignored).parent_path();
  if (auto problem = folder_problem(named)) return problem;
  return folder_problem(fs::canonical(path, ignored).parent_path());
}

std::string read_trusted_file(const std::string& path) {
  const OpenFile file(path);
  struct stat status {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0) {
    fail(path, fmt::format("cannot be opened: {}; name a configuration file with --config",
                           std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) fail(path, "is no plain file; name a configuration file");
  if ((status.st_mode & S_IWOTH) != 0) fail(path, writable_sentence("the file", path));
  if (const auto problem = why_untrusted(path)) fail(path, *problem);
  return read_all(file.descriptor(), path);
}

}  // namespace switchyard
