#pragma once

#include <optional>
#include <string>
#include <vector>

#include <switchyard/error.hpp>

#include "cli/doctor/health_check.hpp"
#include "cli/reports/report.hpp"
#include "cli/terminal/json.hpp"

namespace switchyard::cli {

/// What `doctor` has found, and whom it tells of each thing as it is found.
class Findings {
 public:
  /// Gets a line of JSON for each finding, which `read_line` understands; null: nobody is told.
  using Tell = void (*)(const Json& line);
  explicit Findings(Tell tell = nullptr) : tell_(tell) {}

  void add(HealthCheck check);
  void add(HealthChecks checks);
  /// A report without text is none.
  void add(Report report);
  /// The error that ended the search.
  void end_with(const Error& error);
  /// Takes in what another process's findings told.
  void read_line(const Json& line);

  const HealthChecks& checks() const { return checks_; }
  const std::vector<Report>& reports() const { return reports_; }
  const std::optional<Error>& error() const { return error_; }
  bool healthy() const { return is_healthy(checks_); }

 private:
  void tell(const char* what, Json finding) const;

  Tell tell_;
  HealthChecks checks_;
  std::vector<Report> reports_;
  std::optional<Error> error_;
};

/// As `doctor --json` prints it.
Json to_json(const HealthCheck& check);

}  // namespace switchyard::cli
