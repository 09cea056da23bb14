#include "machine/processors.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "machine/machine.hpp"

#if defined(__linux__)
#include <sched.h>
#endif

namespace cpu {
namespace {

// 0 if the system does not say.
int processors_of_mask() {
#if defined(__linux__)
  for (int most = 1024; most <= 1024 * 1024; most *= 4) {
    cpu_set_t* mask = CPU_ALLOC(most);
    if (mask == nullptr) return 0;
    const size_t bytes = CPU_ALLOC_SIZE(most);
    const bool known = sched_getaffinity(0, bytes, mask) == 0;
    const int count = known ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (known) return count;
  }
#endif
  return 0;
}

// Microseconds of processor time in a period; quota is "max" or -1 for no limit.
int processors_of(const std::string& quota, const std::string& period) {
  const long long time = std::strtoll(quota.c_str(), nullptr, 10);
  const long long of = std::strtoll(period.c_str(), nullptr, 10);
  if (time <= 0 || of <= 0) return 0;
  return static_cast<int>(std::clamp<long long>(time / of, 1, 1 << 20));
}

std::string first_word(const std::string& path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

// Of version 2 the folder has cpu.max, of version 1 two files.
int quota_of_folder(const std::string& folder) {
  std::string quota, period;
  std::ifstream(folder + "/cpu.max") >> quota >> period;
  if (quota.empty()) {
    quota = first_word(folder + "/cpu.cfs_quota_us");
    period = first_word(folder + "/cpu.cfs_period_us");
  }
  return processors_of(quota, period);
}

int smaller_limit(int one, int other) {
  if (one == 0 || other == 0) return std::max(one, other);
  return std::min(one, other);
}

// A group's limit holds for the groups in it, so all folders up to the mount count.
int quota_of_group(const std::string& mount, std::string group) {
  int limit = quota_of_folder(mount);
  while (group.size() > 1) {
    limit = smaller_limit(limit, quota_of_folder(mount + group));
    group.resize(group.rfind('/'));
  }
  return limit;
}

bool lists(const std::string& controllers, std::string_view wanted) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == wanted) return true;
  }
  return false;
}

}  // namespace

int quota_processors(const std::string& root) {
  const std::string mounts = root + "/sys/fs/cgroup";
  std::ifstream groups(root + "/proc/self/cgroup");
  int limit = 0;
  // "0::/group" of version 2, "4:cpu,cpuacct:/group" of version 1
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (group.empty() || group[0] != '/') continue;
    if (controllers.empty()) limit = smaller_limit(limit, quota_of_group(mounts, group));
    if (!lists(controllers, "cpu")) continue;
    limit = smaller_limit(limit, quota_of_group(mounts + "/" + controllers, group));
  }
  return limit;
}

int usable_processors() {
  const int mask = smaller_limit(processor_count(), processors_of_mask());
  return std::max(1, smaller_limit(mask, quota_processors("")));
}

}  // namespace cpu
