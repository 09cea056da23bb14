// Cases in child processes, several at once. Cases of one op share a child as long as they pass,
// as most of a case's time is the start of its process; all others have one of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/conform/process/case_groups.hpp"
#include "cli/conform/process/case_result.hpp"

namespace switchyard::cli::conform {

/// How children are started: this program, with these words, and the options of
/// commands/conform.cpp that say what is done in the child.
struct ChildCommand {
  std::vector<std::string> words;  // the first is the program
  std::chrono::seconds limit{60};  // of each case
};

inline constexpr const char* kCaseOption = "--in-this-process";
inline constexpr const char* kListOption = "--list-in-this-process";

/// The cases for the plugin. Where listing them kills the child, those of the tables, which then
/// say what is wrong.
std::vector<ListedCase> list_cases(const ChildCommand& command);

/// Runs all, in `jobs` children at once, and returns what came of them in their order. A case that
/// fails or crashes ends its child, and the next begins in a new one; one that hangs has had a
/// child and the whole limit for itself. `done` is called as each ends, by one thread at a time.
/// Stops early, with what there is, once `stops` says so.
std::vector<CaseResult> run_cases(const ChildCommand& command, const std::vector<ListedCase>& cases,
                                  std::size_t jobs,
                                  const std::function<void(const CaseResult&)>& done,
                                  const std::function<bool()>& stops);

}  // namespace switchyard::cli::conform
