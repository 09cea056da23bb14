// Cases in child processes: each in one of its own, several at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/conform/process/case_result.hpp"

namespace switchyard::cli::conform {

/// How children are started: this program, with these words, and one of the two options of
/// commands/conform.cpp that nobody else gives.
struct ChildCommand {
  std::vector<std::string> words;  // the first is the program
  std::chrono::seconds limit{60};  // of each case
};

inline constexpr const char* kCaseOption = "--in-this-process";
inline constexpr const char* kListOption = "--list-in-this-process";

/// A case as it is listed.
struct ListedCase {
  std::string name;
  std::string proves;
};

/// The cases for the plugin. Where listing them kills the child, those of the tables, which then
/// say what is wrong.
std::vector<ListedCase> list_cases(const ChildCommand& command);

/// Runs all, `jobs` at once, and returns what came of them in their order. `done` is called as each
/// ends, by one thread at a time. Stops early, with what there is, once `stops` says so.
std::vector<CaseResult> run_cases(const ChildCommand& command, const std::vector<ListedCase>& cases,
                                  std::size_t jobs,
                                  const std::function<void(const CaseResult&)>& done,
                                  const std::function<bool()>& stops);

}  // namespace switchyard::cli::conform
