#include "cli/conform/process/case_processes.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <sstream>
#include <switchyard/error.hpp>
#include <thread>

#include "cli/bench/stopwatch.hpp"
#include "cli/conform/case_list.hpp"
#include "plugin_loader/trial_process.hpp"

namespace switchyard::cli::conform {
namespace {

TrialOutcome run_child(const ChildCommand& command, std::vector<std::string> more) {
  std::vector<std::string> words = command.words;
  words.insert(words.end(), more.begin(), more.end());
  TrialOutcome outcome = run_trial(words, "", command.limit);
  if (outcome.kind == TrialOutcome::Kind::no_trial) {
    throw Error(ErrorKind::io, fmt::format("{} did not start: {}", words.front(), outcome.reason));
  }
  return outcome;
}

/// The lines of JSON among what a child wrote; a plugin's own output does not come here.
std::vector<Json> json_lines(const std::string& output) {
  std::vector<Json> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("{")) lines.push_back(Json::parse(line, nullptr, false));
  }
  std::erase_if(lines, [](const Json& line) { return line.is_discarded(); });
  return lines;
}

CaseResult run_case(const ChildCommand& command, const ListedCase& listed) {
  const Stopwatch watch;
  const TrialOutcome outcome = run_child(command, {kCaseOption, listed.name});
  const std::vector<Json> lines = json_lines(outcome.output);
  CaseResult result;
  if (outcome.kind == TrialOutcome::Kind::survived && !lines.empty()) {
    result = result_of(lines.back());
  } else {
    result.status = outcome.hung ? CaseStatus::hung : CaseStatus::crashed;
    result.reason = outcome.reason.empty() ? "the child said nothing" : outcome.reason;
    if (!lines.empty() && lines.back().contains("failed")) {
      result.status = CaseStatus::failed;
      result.reason = fmt::format("{}; and then it {}",
                                  lines.back().at("failed").get<std::string>(), result.reason);
    }
  }
  result.name = listed.name;
  result.proves = listed.proves;
  result.seconds = watch.milliseconds() / 1000;
  return result;
}

}  // namespace

std::vector<ListedCase> list_cases(const ChildCommand& command) {
  std::vector<ListedCase> listed;
  for (const Json& line : json_lines(run_child(command, {kListOption}).output)) {
    listed.push_back({line.at("name").get<std::string>(), line.at("proves").get<std::string>()});
  }
  if (!listed.empty()) return listed;
  for (const Case& one : table_cases()) listed.push_back({one.name, one.proves});
  return listed;
}

std::vector<CaseResult> run_cases(const ChildCommand& command, const std::vector<ListedCase>& cases,
                                  std::size_t jobs,
                                  const std::function<void(const CaseResult&)>& done,
                                  const std::function<bool()>& stops) {
  std::vector<std::optional<CaseResult>> results(cases.size());
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size() && !stops(); i = next++) {
      try {
        CaseResult result = run_case(command, cases[i]);
        const std::lock_guard lock(guard);
        done(result);
        results[i] = std::move(result);
      } catch (...) {
        const std::lock_guard lock(guard);
        failure = std::current_exception();
        return;
      }
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t k = 1; k < std::min(jobs, cases.size()); ++k) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
  std::vector<CaseResult> finished;
  for (std::optional<CaseResult>& result : results) {
    if (result) finished.push_back(std::move(*result));
  }
  return finished;
}

}  // namespace switchyard::cli::conform
