#include "loader/trial_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include "config/environment.hpp"
#include "loader/sha256.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

// Changes with the meaning of the lines; a file of another one is started anew.
constexpr std::string_view first_line = "switchyard trials 1\n";

// "KEY PATH\n", the key telling build and circumstances, without spaces.
std::string line_of(const LibraryFile& library, std::string_view circumstances) {
  const FileIdentity& file = library.identity();
  const std::string all = fmt::format("{} {} {} {} {}", file.device, file.inode, file.size_bytes,
                                      file.modified_ns, circumstances);
  Sha256 sum;
  sum.update(all.data(), all.size());
  return fmt::format("{} {}\n", sum.finish(), library.path().string());
}

// Empty unless it is ours alone to write.
std::string read_record(const fs::path& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return {};
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWOTH | S_IWGRP)) != 0) {
    trace::debug("{} is not this user's alone and is not used", file.string());
    return {};
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  return text.rfind(first_line, 0) == 0 ? text : std::string();
}

// The lines of libraries that still exist, but for `replaced`.
std::string lines_to_keep(const std::string& text, const fs::path& replaced) {
  std::string kept;
  for (std::size_t at = first_line.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::size_t space = text.find(' ', at);
    if (end == std::string::npos || space == std::string::npos || space > end) break;
    const fs::path path = text.substr(space + 1, end - space - 1);
    std::error_code ignored;
    if (path != replaced && fs::exists(path, ignored)) kept += text.substr(at, end + 1 - at);
    at = end + 1;
  }
  return kept;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(file, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

// Whole or not at all, also for those who read meanwhile.
std::error_code replace_file(const fs::path& file, std::string_view text) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) return failed;
  std::string draft = file.string() + ".XXXXXX";
  const int handle = ::mkstemp(draft.data());
  if (handle < 0) return {errno, std::generic_category()};
  const bool written = write_all(handle, text);
  if (!written) failed = {errno, std::generic_category()};
  ::close(handle);
  if (!failed) fs::rename(draft, file, failed);
  if (failed) ::unlink(draft.c_str());
  return failed;
}

}  // namespace

fs::path default_trial_record() {
  if (is_elevated_process()) return {};
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr) folder = cache;
  if (!folder.is_absolute() && home != nullptr) folder = fs::path(home) / ".cache";
  return folder.is_absolute() ? folder / "switchyard" / "trials" : fs::path();
}

bool TrialRecord::has(const LibraryFile& library, std::string_view circumstances) const {
  if (file_.empty()) return false;
  return read_record(file_).find("\n" + line_of(library, circumstances)) != std::string::npos;
}

void TrialRecord::add(const LibraryFile& library, std::string_view circumstances) const {
  if (file_.empty()) return;
  std::string text(first_line);
  text += lines_to_keep(read_record(file_), library.path());
  text += line_of(library, circumstances);
  const std::error_code failed = replace_file(file_, text);
  if (failed) {
    trace::debug("{} was not written, so plugins are tried at each start: {}", file_.string(),
                 failed.message());
  }
}

}  // namespace switchyard
