/// @file
/// How much memory this process may use: what the machine has, or what its control group allows if
/// that is less, as in a container.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace sy {
namespace detail {

// The number that a small file of the system begins with; "max", and no file, are not a limit.
inline uint64_t limit_in(const std::filesystem::path& path) {
  std::string text;
  std::getline(std::ifstream(path), text);
  uint64_t bytes = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return result.ec == std::errc() ? bytes : UINT64_MAX;
}

// The limits of a group and of all that it lies in. A container sees its own group as the root.
inline uint64_t least_limit(const std::filesystem::path& root, const std::filesystem::path& group,
                            const char* file) {
  uint64_t least = limit_in(root / file);
  std::filesystem::path folder = root;
  for (const std::filesystem::path& part : group.relative_path()) {
    if (part == "..") break;  // of a group outside of what is seen
    folder /= part;
    least = std::min(least, limit_in(folder / file));
  }
  return least;
}

}  // namespace detail

/// What the machine has; UINT64_MAX where the system does not tell.
inline uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return UINT64_MAX;
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
}

/// The least that a process's control groups allow, of version 1 or 2: `membership` is what
/// /proc/self/cgroup holds, and the groups' files lie below `root`, /sys/fs/cgroup. UINT64_MAX
/// where none sets a limit.
inline uint64_t group_memory_bytes(const std::filesystem::path& membership,
                                   const std::filesystem::path& root) {
  uint64_t least = UINT64_MAX;
  std::ifstream lines(membership);
  for (std::string line; std::getline(lines, line);) {  // "NUMBER:CONTROLLERS:GROUP"
    const std::size_t first = line.find(':');
    const std::size_t second =
        first == std::string::npos ? std::string::npos : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::filesystem::path group(line.substr(second + 1));
    if (controllers.empty()) {  // version 2
      least = std::min(least, detail::least_limit(root, group, "memory.max"));
    } else if (controllers == "memory") {
      least = std::min(least, detail::least_limit(root / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

/// The lesser of both; UINT64_MAX if neither is told.
inline uint64_t machine_memory_bytes() {
  return std::min(physical_memory_bytes(),
                  group_memory_bytes("/proc/self/cgroup", "/sys/fs/cgroup"));
}

}  // namespace sy
