#include "cli/conform/plugin/late_failures.hpp"

namespace switchyard::cli::conform {

std::vector<std::string>& late_failures() {
  static std::vector<std::string> failures;
  return failures;
}

}  // namespace switchyard::cli::conform
