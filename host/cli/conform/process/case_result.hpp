#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/conform/case.hpp"
#include "cli/terminal/json.hpp"

namespace switchyard::cli::conform {

enum class CaseStatus { passed, failed, crashed, hung, skipped };

/// "passed"
std::string_view word_for(CaseStatus status);

/// What came of a case.
struct CaseResult {
  std::string name;
  std::string proves;
  CaseStatus status = CaseStatus::skipped;
  std::string reason;
  std::uint64_t device_work = 0;
  std::uint64_t kernel_runs = 0;
  std::vector<Accuracy> accuracy;
  std::vector<std::string> left_out;
  double seconds = 0;
};

/// As the child writes it, a line, and as the report has it.
Json to_json(const CaseResult& result);
/// What a child wrote.
CaseResult result_of(const Json& json);

}  // namespace switchyard::cli::conform
