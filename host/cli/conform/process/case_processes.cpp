#include "cli/conform/process/case_processes.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <mutex>
#include <switchyard/error.hpp>
#include <thread>

#include "cli/bench/stopwatch.hpp"
#include "cli/conform/case_list.hpp"
#include "cli/process/trial_child.hpp"
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

/// What came of the case at which the child has ended. `failure`: what it had told by then, or "".
CaseResult end_of(const TrialOutcome& outcome, const std::string& failure, const Stopwatch& watch) {
  CaseResult result;
  result.status = outcome.hung ? CaseStatus::hung : CaseStatus::crashed;
  result.reason = outcome.reason.empty() ? "the child said nothing" : outcome.reason;
  result.seconds = watch.milliseconds() / 1000;
  if (failure.empty()) return result;
  result.status = CaseStatus::failed;
  result.reason = fmt::format("{}; and then it {}", failure, result.reason);
  return result;
}

/// What came of the first of the cases, and of those after it that the same child has run.
std::vector<CaseResult> run_in_one_child(const ChildCommand& command, Cases cases) {
  std::vector<std::string> words;
  for (const ListedCase& one : cases) words.insert(words.end(), {kCaseOption, one.name});
  const Stopwatch watch;
  const TrialOutcome outcome = run_child(command, std::move(words));
  std::vector<CaseResult> results;
  std::string failure;  // that the case now running has told of
  for (const Json& line : json_lines(outcome.output)) {
    if (line.contains("failed")) {
      failure = line.at("failed").get<std::string>();
    } else if (results.size() < cases.size()) {
      results.push_back(result_of(line));
      failure.clear();
    }
  }
  const bool ended_well = outcome.kind == TrialOutcome::Kind::survived && !results.empty();
  if (ended_well) return results;
  results.resize(std::min(results.size(), cases.size() - 1));
  // The limit is that of a case: one that shared its child is tried once more, by itself.
  const std::size_t ended_at = results.size();
  const bool is_alone = cases.size() == 1;
  results.push_back(outcome.hung && !is_alone
                        ? run_in_one_child(command, cases.subspan(ended_at, 1)).front()
                        : end_of(outcome, failure, watch));
  return results;
}

/// What came of each group, and whose turn is next.
class GroupRuns {
 public:
  GroupRuns(const ChildCommand& command, Cases cases,
            const std::function<void(const CaseResult&)>& done, const std::function<bool()>& stops)
      : command_(command),
        groups_(groups_of(cases)),
        results_(groups_.size()),
        done_(done),
        stops_(stops) {}

  std::size_t size() const { return groups_.size(); }

  /// Runs groups until none is left, beside other threads that do. What is thrown ends all of them,
  /// and comes out of `results`.
  void work() {
    try {
      for (std::size_t i = next_++; i < groups_.size(); i = next_++) run(i);
    } catch (...) {
      next_ = groups_.size();
      const std::lock_guard lock(guard_);
      failure_ = std::current_exception();
    }
  }

  /// In the order of the cases, once nobody works any more.
  std::vector<CaseResult> results() {
    if (failure_) std::rethrow_exception(failure_);
    std::vector<CaseResult> all;
    for (std::vector<CaseResult>& of_group : results_) {
      std::move(of_group.begin(), of_group.end(), std::back_inserter(all));
    }
    return all;
  }

 private:
  void run(std::size_t group) {
    Cases left = groups_[group];
    while (!left.empty() && !stops_()) {
      std::vector<CaseResult> some = run_in_one_child(command_, left);
      const std::lock_guard lock(guard_);
      for (std::size_t i = 0; i < some.size(); ++i) {
        some[i].name = left[i].name;
        some[i].proves = left[i].proves;
        done_(some[i]);
        results_[group].push_back(std::move(some[i]));
      }
      left = left.subspan(some.size());
    }
  }

  const ChildCommand& command_;
  const std::vector<Cases> groups_;
  std::vector<std::vector<CaseResult>> results_;  // by group
  const std::function<void(const CaseResult&)>& done_;
  const std::function<bool()>& stops_;
  std::atomic<std::size_t> next_{0};
  std::mutex guard_;
  std::exception_ptr failure_;
};

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
  GroupRuns runs(command, cases, done, stops);
  std::vector<std::thread> workers;
  for (std::size_t k = 1; k < std::min(jobs, runs.size()); ++k) {
    workers.emplace_back([&runs] { runs.work(); });
  }
  runs.work();
  for (std::thread& worker : workers) worker.join();
  return runs.results();
}

}  // namespace switchyard::cli::conform
