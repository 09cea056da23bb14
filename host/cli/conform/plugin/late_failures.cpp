#include "cli/conform/plugin/late_failures.hpp"

#include <mutex>
#include <utility>

namespace switchyard::cli::conform {
namespace {

std::mutex guard;
std::vector<std::string> failures;

}  // namespace

std::vector<std::string> late_failures() {
  const std::lock_guard lock(guard);
  return failures;
}

void add_late_failure(std::string failure) {
  const std::lock_guard lock(guard);
  failures.push_back(std::move(failure));
}

}  // namespace switchyard::cli::conform
