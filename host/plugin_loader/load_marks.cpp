#include "plugin_loader/load_marks.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <system_error>
#include <vector>

#include "trace/log.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

bool lock(const RegularFile& file) { return ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0; }

// Nobody holds it any more, though its name is there: a process that ended without taking it away.
bool is_left(const fs::path& path) {
  try {
    return lock(RegularFile::to_read(path));
  } catch (const std::system_error&) {
    return false;  // taken away meanwhile
  }
}

}  // namespace

LoadMark::~LoadMark() {
  if (!file_) return;
  std::error_code ignored;
  fs::remove(path_, ignored);
}

LoadMark LoadMarks::begin() const {
  static std::atomic<unsigned> counter = 0;
  if (folder_.empty()) return {};
  // Where processes have numbers of their own, as in containers, another may have made this name.
  constexpr int kAttempts = 100;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const fs::path path = folder_ / fmt::format("{}.{}.{}", key_, ::getpid(), ++counter);
    try {
      RegularFile file = RegularFile::to_create(path, S_IRUSR | S_IWUSR);
      lock(file);
      return {path, std::move(file)};
    } catch (const std::system_error& error) {
      if (error.code() == std::errc::file_exists) continue;
      failed = error.code();
      break;
    }
  }
  trace::debug("{}: no mark can be left there: {}", folder_.string(), failed.message());
  return {};
}

template <typename Use>
void LoadMarks::for_each_left(Use&& use) const {
  if (folder_.empty()) return;
  std::error_code none;
  for (fs::directory_iterator entry(folder_, none), end; !none && entry != end;
       entry.increment(none)) {
    if (entry->path().filename().string().rfind(key_ + ".", 0) != 0) continue;
    if (is_left(entry->path())) use(entry->path());
  }
}

bool LoadMarks::one_was_left() const {
  bool found = false;
  for_each_left([&](const fs::path&) { found = true; });
  return found;
}

void LoadMarks::clear() const {
  std::vector<fs::path> left;
  for_each_left([&](const fs::path& path) { left.push_back(path); });
  std::error_code ignored;
  for (const fs::path& path : left) fs::remove(path, ignored);
}

}  // namespace switchyard
