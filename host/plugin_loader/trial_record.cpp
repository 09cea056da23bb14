#include "plugin_loader/trial_record.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <switchyard/error.hpp>
#include <system_error>

#include "files/file_replacement.hpp"
#include "files/regular_file.hpp"
#include "plugin_loader/cache_folder.hpp"
#include "plugin_loader/sha256.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

// Changes with the meaning of the lines; a file of another one is started anew.
constexpr std::string_view first_line = "switchyard trials 2\n";

// "KEY PATH\n", the key telling build and circumstances, without spaces.
std::string line_of(const LibraryFile& library, std::string_view circumstances) {
  const FileIdentity& file = library.identity();
  const std::string all = fmt::format("{} {} {} {} {} {}", file.device, file.inode, file.size_bytes,
                                      file.modified_ns, file.changed_ns, circumstances);
  Sha256 sum;
  sum.update(all.data(), all.size());
  return fmt::format("{} {}\n", sum.finish(), library.path().string());
}

// Empty unless it is ours alone to write.
std::string read_record(const fs::path& file) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  try {
    const RegularFile opened = RegularFile::to_read(file);
    const struct stat& status = opened.status();
    if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWOTH | S_IWGRP)) != 0) {
      trace::debug("{} is not this user's alone and is not used", file.string());
      return {};
    }
    const std::string text = opened.read(kMostBytes);
    const bool is_whole = text.size() <= kMostBytes && text.rfind(first_line, 0) == 0;
    return is_whole ? text : std::string();
  } catch (const std::system_error&) {
    return {};  // as there is none before the first trial
  }
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

}  // namespace

fs::path default_trial_record() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / "trials";
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
  try {
    std::error_code failed;  // said by what follows
    fs::create_directories(file_.parent_path(), failed);
    FileReplacement file(file_, S_IRUSR | S_IWUSR);
    file.write(text);
    file.commit();
  } catch (const Error& error) {
    trace::debug("plugins are tried at each start: {}", error.what());
  }
}

}  // namespace switchyard
