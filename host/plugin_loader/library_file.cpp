#include "plugin_loader/library_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <system_error>
#include <vector>

#include "config/trusted_path.hpp"
#include "plugin_loader/binary_format.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/sha256.hpp"

namespace switchyard {
namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::error_code& code) {
  throw LoadError(LoadProblem::not_loadable,
                  fmt::format("{} cannot be read: {}", path.string(), code.message()),
                  fmt::format("Let this user read it: chmod a+r {}", path.string()));
}

std::filesystem::path without_links(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::canonical(path, failed);
  return failed ? path : whole;
}

RegularFile opened(const std::filesystem::path& path) {
  try {
    return RegularFile::to_read(path);
  } catch (const std::system_error& error) {
    if (error.code().category() == std::generic_category() && error.code().value() != EISDIR) {
      fail_to_read(path, error.code());
    }
    throw LoadError(LoadProblem::not_loadable, path.string() + " is not a file",
                    "Name the library's file, not its folder.");
  }
}

}  // namespace

FileIdentity identity_of(const struct stat& status) {
#ifdef __APPLE__
  const timespec& modified = status.st_mtimespec;
  const timespec& changed = status.st_ctimespec;
#else
  const timespec& modified = status.st_mtim;
  const timespec& changed = status.st_ctim;
#endif
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
          static_cast<std::uint64_t>(status.st_size),
          std::int64_t{modified.tv_sec} * 1000000000 + modified.tv_nsec,
          std::int64_t{changed.tv_sec} * 1000000000 + changed.tv_nsec};
}

std::string to_text(const FileIdentity& identity) {
  return fmt::format("{} {} {} {} {}", identity.device, identity.inode, identity.size_bytes,
                     identity.modified_ns, identity.changed_ns);
}

LibraryFile::LibraryFile(const std::filesystem::path& path)
    : named_(path), path_(without_links(path)), file_(opened(path_)) {
  identity_ = identity_of(file_.status());
}

void LibraryFile::check_trust() const {
  const std::optional<std::string> problem = why_untrusted(named_.string());
  if (!problem) return;
  constexpr std::string_view before_remedy = "; run: ";
  const std::size_t end = problem->find(before_remedy);
  if (end == std::string::npos) throw LoadError(LoadProblem::not_trusted, *problem, "");
  throw LoadError(LoadProblem::not_trusted, problem->substr(0, end),
                  "Run: " + problem->substr(end + before_remedy.size()));
}

void LibraryFile::check_format() const {
  std::array<std::byte, 4096> head;
  const ssize_t size = ::pread(file_.descriptor(), head.data(), head.size(), 0);
  if (size < 0) fail_to_read(path_, last_error());
  std::string reason;
  if (is_loadable({head.data(), static_cast<std::size_t>(size)}, identity_.size_bytes, reason))
    return;
  throw LoadError(LoadProblem::not_loadable, fmt::format("{} {}", path_.string(), reason),
                  "Install or build the plugin for this machine again.");
}

std::string LibraryFile::sha256() const {
  Sha256 sum;
  std::vector<std::byte> piece(std::size_t{1} << 18);
  for (off_t offset = 0;;) {
    const ssize_t size = ::pread(file_.descriptor(), piece.data(), piece.size(), offset);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail_to_read(path_, last_error());
    if (size == 0) return sum.finish();
    sum.update(piece.data(), static_cast<std::size_t>(size));
    offset += size;
  }
}

void LibraryFile::check_sha256(std::string_view pin, std::string_view plugin) const {
  const std::string found = sha256();
  const bool equal =
      std::equal(pin.begin(), pin.end(), found.begin(), found.end(),
                 [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
  if (equal) return;
  throw LoadError(LoadProblem::wrong_sha256,
                  fmt::format("the sha256 of {} is {}, but plugins.{}.sha256 pins {}",
                              path_.string(), found, plugin, pin),
                  fmt::format("Install the pinned file again, or, if you trust this one, set "
                              "plugins.{}.sha256 = \"{}\".",
                              plugin, found));
}

void LibraryFile::check_unchanged() const {
  struct stat opened = {};
  struct stat named = {};
  if (::fstat(file_.descriptor(), &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
      identity_of(opened) == identity_ && identity_of(named) == identity_) {
    return;
  }
  throw LoadError(LoadProblem::not_trusted, path_.string() + " changed while it was being loaded",
                  "Start the program again once the file has been written.");
}

}  // namespace switchyard
