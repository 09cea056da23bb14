#include "memory.hpp"

#include <fmt/format.h>
#if defined(__linux__)
#include <malloc.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <fstream>

namespace switchyard::soak {
namespace {

constexpr bool keeps_freed_memory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

}  // namespace

std::size_t Samples::of_third(std::size_t third) const {
  const std::size_t length = all_.size() / 3;
  if (length == 0) return 0;
  const auto first = all_.begin() + static_cast<std::ptrdiff_t>(third * length);
  std::vector<std::size_t> part(first, first + static_cast<std::ptrdiff_t>(length));
  std::sort(part.begin(), part.end());
  return part[part.size() / 2];
}

std::string Samples::growth(const std::string& name, std::size_t slack) const {
  const std::size_t first = of_third(0), last = of_third(2);
  const std::size_t allowed = first + first / 10 + slack;
  if (last <= allowed) return "";
  return fmt::format("{}: {} bytes in the first third, {} in the last, where {} are allowed", name,
                     first, last, allowed);
}

std::size_t resident_bytes() {
  if (keeps_freed_memory()) return 0;
#if defined(__linux__)
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}

}  // namespace switchyard::soak
