#include "plugin_loader/trial_record.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
constexpr std::string_view first_line = "switchyard trials 3\n";

// A line's parts: a key of the library, its path, a sum over its dependencies, and they.
constexpr char kSeparator = '\t';

std::string digest(std::string_view text) {
  Sha256 sum;
  sum.update(text.data(), text.size());
  return sum.finish();
}

// One that is not there counts as a build of its own: macOS keeps no files of the system's.
std::string sum_of(const std::vector<std::string>& dependencies) {
  std::string all;
  for (const std::string& path : dependencies) {
    struct stat status = {};
    const bool is_there = ::stat(path.c_str(), &status) == 0;
    all += fmt::format("{} {}\n", path, is_there ? to_text(identity_of(status)) : "none");
  }
  return digest(all);
}

bool fits_in_a_line(const std::string& path) {
  return path.find_first_of("\t\n") == std::string::npos;
}

std::string line_of(const std::string& key, const LibraryFile& library,
                    const std::vector<std::string>& dependencies) {
  std::string line = fmt::format("{}\t{}\t{}", key, library.path().string(), sum_of(dependencies));
  for (const std::string& path : dependencies) line += kSeparator + path;
  return line + '\n';
}

std::vector<std::string> parts_of(std::string_view line) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != line.npos; line.remove_prefix(end + 1)) {
    end = line.find(kSeparator);
    parts.emplace_back(line.substr(0, end));
    if (end == line.npos) break;
  }
  return parts;
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

// The text's lines, cut into their parts; those that make no sense are passed over.
template <typename Use>
void for_each_line(const std::string& text, Use&& use) {
  constexpr std::size_t kLeastParts = 3;
  for (std::size_t at = first_line.size(); at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) return;
    const std::string_view line(text.data() + at, end - at);
    const std::vector<std::string> parts = parts_of(line);
    if (parts.size() >= kLeastParts) use(line, parts);
    at = end + 1;
  }
}

// The lines of libraries that still exist, but for `replaced`.
std::string lines_to_keep(const std::string& text, const fs::path& replaced) {
  std::string kept;
  for_each_line(text, [&](std::string_view line, const std::vector<std::string>& parts) {
    const fs::path path = parts[1];
    std::error_code ignored;
    if (path != replaced && fs::exists(path, ignored)) kept.append(line) += '\n';
  });
  return kept;
}

}  // namespace

fs::path default_trial_record() {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / "trials";
}

std::string trial_key(const LibraryFile& library, std::string_view circumstances) {
  return digest(fmt::format("{} {}", to_text(library.identity()), circumstances));
}

bool TrialRecord::has(const LibraryFile& library, std::string_view circumstances) const {
  if (file_.empty()) return false;
  const std::string key = trial_key(library, circumstances);
  bool found = false;
  for_each_line(read_record(file_), [&](std::string_view, const std::vector<std::string>& parts) {
    if (parts[0] != key || parts[1] != library.path().string()) return;
    found = parts[2] == sum_of({parts.begin() + 3, parts.end()});
  });
  return found;
}

void TrialRecord::add(const LibraryFile& library, std::string_view circumstances,
                      const std::vector<std::string>& dependencies) const {
  if (file_.empty()) return;
  if (!fits_in_a_line(library.path().string()) ||
      !std::all_of(dependencies.begin(), dependencies.end(), fits_in_a_line)) {
    return;
  }
  std::string text(first_line);
  text += lines_to_keep(read_record(file_), library.path());
  text += line_of(trial_key(library, circumstances), library, dependencies);
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
