#include "software/compile/object_cache.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "seam/seam.hpp"
#include "software/compile/files.hpp"

namespace mps::software {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& message) {
  throw seam::Failure(seam::Fault::compilation, message);
}

fs::path users_cache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache && cache[0] == '/') return cache;
  if (const char* const home = std::getenv("HOME"); home && home[0] == '/') {
    return fs::path(home) / ".cache";
  }
  const passwd* const user = getpwuid(getuid());
  if (!user) refuse("this user has no home for compiled kernels; name a cache folder");
  return fs::path(user->pw_dir) / ".cache";
}

// What is loaded from here is code: nobody else may write it.
void make_private(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    refuse("cannot make the folder " + folder.string());
  }
  struct stat about {};
  if (lstat(folder.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) {
    refuse(folder.string() + " is not a folder");
  }
  if (about.st_uid != geteuid() || (about.st_mode & 0077) != 0) {
    refuse("the folder " + folder.string() + " is open to others; say chmod 700 for it");
  }
}

std::string hash_of(std::string_view text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  constexpr const char* digits = "0123456789abcdef";
  std::string result;
  for (int shift = 60; shift >= 0; shift -= 4) result += digits[(hash >> shift) & 15];
  return result;
}

std::string unique_suffix() {
  static std::atomic<uint64_t> next{0};
  return "." + std::to_string(getpid()) + "." + std::to_string(next.fetch_add(1)) + ".new";
}

}  // namespace

ObjectCache::ObjectCache(std::string folder)
    : folder_(folder.empty() ? users_cache() / "switchyard-kernels" : fs::path(folder)) {}

fs::path ObjectCache::find_or_make(const std::string& key, const Make& make) const {
  make_private(folder_);
  const std::string hash = hash_of(key);
  for (int attempt = 0;; ++attempt) {  // other keys may have the same hash
    const fs::path object = folder_ / (hash + "-" + std::to_string(attempt) + ".so");
    const fs::path key_file = fs::path(object).replace_extension(".key");
    const bool known = fs::exists(key_file);
    if (known && read_file(key_file) != key) continue;
    if (known && fs::exists(object)) return object;
    const std::string suffix = unique_suffix();
    const TemporaryFile new_object(object.string() + suffix);
    const TemporaryFile new_key(key_file.string() + suffix);
    make(new_object.path());
    write_file(new_key.path(), key);
    fs::rename(new_object.path(), object);
    fs::rename(new_key.path(), key_file);
    return object;
  }
}

}  // namespace mps::software
