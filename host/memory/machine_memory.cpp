#include "memory/machine_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "files/regular_file.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = UINT64_MAX;

/// A small file of the system; empty if there is none.
std::string text_in(const fs::path& path) {
  constexpr std::size_t kMost = std::size_t{1} << 16;
  try {
    return RegularFile::to_read(path).read(kMost);
  } catch (const std::system_error&) {
    return {};
  }
}

/// The number that a file begins with; "max", and no file, are no limit.
std::uint64_t limit_in(const fs::path& path) {
  const std::string text = text_in(path);
  std::uint64_t bytes = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return result.ec == std::errc() ? bytes : kNoLimit;
}

/// The limits of a group and of all that it lies in. A container sees its own group as the root.
std::uint64_t least_limit(const fs::path& root, const fs::path& group, const char* file) {
  std::uint64_t least = limit_in(root / file);
  fs::path folder = root;
  for (const fs::path& part : group.relative_path()) {
    if (part == "..") break;  // of a group outside of what is seen
    folder /= part;
    least = std::min(least, limit_in(folder / file));
  }
  return least;
}

std::uint64_t physical_memory() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return kNoLimit;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace

std::uint64_t group_memory(const fs::path& membership, const fs::path& root) {
  std::uint64_t least = kNoLimit;
  const std::string text = text_in(membership);
  std::string_view rest = text;
  while (!rest.empty()) {  // lines "NUMBER:CONTROLLERS:GROUP", of version 2 "0::GROUP"
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const fs::path group(line.substr(second + 1));
    if (controllers.empty()) {
      least = std::min(least, least_limit(root, group, "memory.max"));
    } else if (controllers == "memory") {
      least = std::min(least, least_limit(root / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

std::uint64_t machine_memory() {
  return std::min(physical_memory(), group_memory("/proc/self/cgroup", "/sys/fs/cgroup"));
}

}  // namespace switchyard
