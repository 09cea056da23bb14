#include "cli/doctor/health_check.hpp"

#include <algorithm>

namespace switchyard::cli {

std::string_view word_for(Health health) {
  switch (health) {
    case Health::ok: return "ok";
    case Health::warn: return "warn";
    case Health::fail: break;
  }
  return "FAIL";
}

bool is_healthy(const HealthChecks& checks) {
  return std::none_of(checks.begin(), checks.end(),
                      [](const HealthCheck& check) { return check.health == Health::fail; });
}

}  // namespace switchyard::cli
