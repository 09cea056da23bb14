// All that came of trying a plugin, and what a script reads from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/conform/plugin/plugin_under_test.hpp"
#include "cli/conform/process/case_result.hpp"

namespace switchyard::cli::conform {

struct Conformance {
  std::string library;
  std::string sha256;  // of its file
  std::uint32_t device = 0;
  std::vector<CaseResult> results;
  std::vector<std::string> errors;  // what is wrong beside the cases

  std::size_t count(CaseStatus status) const;
  /// Nothing failed, crashed or hung, and `errors` is empty.
  bool conforms() const;
};

/// Fills `errors` in: a plugin of which nothing was tried conforms to nothing, and neither does one
/// that claims ops and has run none of them, where these were to be tried.
void judge(Conformance& conformance);

/// The SHA-256 of a file. Throws Error.
std::string sha256_of(const std::filesystem::path& file);

/// A line for people, for a case that did not pass; "" for others. It stays one line, whatever the
/// plugin said.
std::string line_of(const CaseResult& result);

/// The end of the report for people: what was skipped, by reason, and the counts.
std::string summary_of(const Conformance& conformance);

Json to_json(const Conformance& conformance);

/// JUnit's XML, as servers of continuous integration read it.
std::string to_junit(const Conformance& conformance);

}  // namespace switchyard::cli::conform
