#include "cli/conform/plugin/late_failures.hpp"

#include <mutex>
#include <utility>

namespace switchyard::cli::conform {
namespace {

struct Failures {
  std::mutex guard;
  std::vector<std::string> told;
};

Failures& failures() {
  static auto& all = *new Failures;
  return all;
}

}  // namespace

std::vector<std::string> late_failures() {
  const std::lock_guard lock(failures().guard);
  return failures().told;
}

void add_late_failure(std::string failure) {
  const std::lock_guard lock(failures().guard);
  failures().told.push_back(std::move(failure));
}

}  // namespace switchyard::cli::conform
