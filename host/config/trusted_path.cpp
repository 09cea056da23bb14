#include "config/trusted_path.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <string_view>
#include <vector>

namespace switchyard {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as the system follows

std::string user_name(uid_t user) {
  std::array<char, 4096> memory;
  passwd entry = {};
  passwd* found = nullptr;
  const bool is_known =
      getpwuid_r(user, &entry, memory.data(), memory.size(), &found) == 0 && found != nullptr;
  return is_known ? found->pw_name : "";
}

/// True for a group named after its user in which nobody else is: such users' files are often
/// writable by their group.
bool is_private_group(gid_t number) {
  std::vector<char> memory(std::size_t{1} << 16);
  group entry = {};
  group* found = nullptr;
  if (getgrgid_r(number, &entry, memory.data(), memory.size(), &found) != 0 || !found) return false;
  const std::string user = user_name(geteuid());
  if (user.empty() || user != found->gr_name) return false;
  for (char** member = found->gr_mem; *member; ++member) {
    if (user != *member) return false;
  }
  return true;
}

bool is_trusted_group(gid_t number) {
#ifdef __APPLE__
  constexpr gid_t kAdministrators = 80;  // may become root anyway
  if (number == kAdministrators) return true;
#endif
  return is_private_group(number);
}

/// Who else may write there, as chmod's letters.
std::string_view writers(const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return "";  // its folder says who may replace it
  if (S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0) return "";
  const bool others = (status.st_mode & S_IWOTH) != 0;
  const bool group = (status.st_mode & S_IWGRP) != 0 && !is_trusted_group(status.st_gid);
  return group && others ? "go" : group ? "g" : others ? "o" : "";
}

std::optional<std::string> problem_of(const fs::path& path, const struct stat& status) {
  const std::string_view what = S_ISDIR(status.st_mode)   ? "the folder"
                                : S_ISLNK(status.st_mode) ? "the link"
                                                          : "the file";
  if (status.st_uid != 0 && status.st_uid != geteuid()) {
    return fmt::format("{} {} belongs to another user, of number {}; run: chown -h {} '{}'", what,
                       path.string(), status.st_uid, geteuid(), path.string());
  }
  const std::string_view who = writers(status);
  if (who.empty()) return std::nullopt;
  return fmt::format("{} {} can be written to by others; run: chmod {}-w '{}'", what, path.string(),
                     who, path.string());
}

/// Goes to a file as the system does, name by name, and judges each.
class Walk {
 public:
  explicit Walk(const fs::path& path) : open_(path.begin(), path.end()) {}

  std::optional<std::string> find_problem() {
    while (!open_.empty()) {
      const fs::path name = open_.front();
      open_.pop_front();
      if (name == "..") {
        here_ = here_.parent_path();
        continue;
      }
      const fs::path next = name.is_absolute() ? name : here_ / name;
      struct stat status = {};
      if (name == "." || name.empty()) continue;
      if (lstat(next.c_str(), &status) != 0) return std::nullopt;
      if (auto problem = problem_of(next, status)) return problem;
      if (!S_ISLNK(status.st_mode)) {
        here_ = next;
      } else if (!follow(next)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  bool follow(const fs::path& link) {
    std::error_code failed;
    const fs::path target = fs::read_symlink(link, failed);
    if (failed || ++links_ > kMostLinks) return false;
    open_.insert(open_.begin(), target.begin(), target.end());
    return true;
  }

  std::deque<fs::path> open_;  // the names still to go
  fs::path here_;              // all on the way to it has been judged
  int links_ = 0;
};

}  // namespace

std::optional<std::string> why_untrusted(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  return failed ? std::nullopt : Walk(whole).find_problem();
}

}  // namespace switchyard
