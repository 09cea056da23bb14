#include "cli/conform/process/name_pattern.hpp"

namespace switchyard::cli::conform {

bool matches(std::string_view pattern, std::string_view name) {
  while (!pattern.empty() && pattern.front() != '*') {
    if (name.empty() || name.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    name.remove_prefix(1);
  }
  if (pattern.empty()) return name.empty();
  pattern.remove_prefix(1);
  for (std::size_t start = 0; start <= name.size(); ++start) {
    if (matches(pattern, name.substr(start))) return true;
  }
  return false;
}

}  // namespace switchyard::cli::conform
