#pragma once

#include <string>
#include <vector>

namespace switchyard::cli {

enum class Health { ok, warn, fail };

/// "ok", "warn", "FAIL"
std::string_view word_for(Health health);

/// One thing that `doctor` looked at.
struct HealthCheck {
  std::string subject;  // "configuration", "plugin NAME", "routing", "program"
  std::string name;     // what of it: "library", "trust", "order", ...
  Health health = Health::ok;
  std::string finding;  // a clause
  std::string remedy;   // how to fix it, a sentence; "" if all is well, or if the finding says it
};

using HealthChecks = std::vector<HealthCheck>;

/// True if nothing that is required is broken.
bool is_healthy(const HealthChecks& checks);

}  // namespace switchyard::cli
