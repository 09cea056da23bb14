#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <switchyard/runtime.hpp>

#include "cli/verify/backend_case.hpp"
#include "cli/verify/tolerance.hpp"

namespace switchyard::cli {

enum class CaseStatus { pass, fail, skip };

/// "pass", "fail", "skip"
std::string_view word_for(CaseStatus status);

/// What came of one case.
struct CaseResult {
  std::string name;
  CaseStatus status = CaseStatus::pass;
  std::string reason;    // why not passed; "" if passed
  double max_error = 0;  // the largest difference from an expected output
  std::filesystem::path model;
  std::set<std::pair<std::string, std::string>> ran;  // ops, and the devices that they ran on
};

/// Runs all data sets of a case and compares their outputs. Throws
/// Error(cancelled) if the user interrupts it, and nothing for what the case is:
///   skip  its model is refused, or no device supports an op of it; its inputs do not fit the
///         model; it has nothing to run; or elements of an output differ and an op is random
///   fail  an output is wrong, or the run ends in any other error
CaseResult verify_case(const Runtime& runtime, const BackendCase& test, ToleranceOptions tolerance);

}  // namespace switchyard::cli
