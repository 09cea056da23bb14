#include "cli/conform/process/child.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

#include "cli/bench/stopwatch.hpp"
#include "cli/conform/case_list.hpp"
#include "cli/conform/plugin/late_failures.hpp"
#include "cli/conform/process/case_result.hpp"
#include "cli/process/trial_child.hpp"
#include "trace/log.hpp"

namespace switchyard::cli::conform {
namespace {

const Case* find(const std::vector<Case>& cases, const std::string& name) {
  for (const Case& one : cases) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

/// Runs it, and puts what is thrown into the result.
void run_into(const Case& one, CaseRun& run, CaseResult& result) {
  try {
    one.run(run);
    result.status = CaseStatus::passed;
  } catch (const CaseFailed& failure) {
    result.status = CaseStatus::failed;
    result.reason = failure.what();
  } catch (const CaseSkipped& skipped) {
    result.status = CaseStatus::skipped;
    result.reason = skipped.what();
  } catch (const std::exception& error) {
    result.status = CaseStatus::failed;
    result.reason = fmt::format("the case could not be run: {}", error.what());
  }
  if (result.status != CaseStatus::failed && !late_failures().empty()) {
    result.status = CaseStatus::failed;
    result.reason = late_failures().front();
  }
}

/// All cases if one of these is of an op that the plugin claims; those of the tables load it as
/// they like.
std::vector<Case> cases_with(const std::vector<std::string>& names, const PluginUnderTest& plugin) {
  std::vector<Case> cases = table_cases();
  const bool are_all_there = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return find(cases, name) != nullptr;
  });
  return are_all_there ? cases : all_cases(plugin);
}

/// Runs it, or says that there is none; `name` is what the parent asked for.
CaseResult run_one(const Case* one, const std::string& name, const PluginUnderTest& plugin) {
  const Stopwatch watch;
  CaseResult result;
  result.name = name;
  if (one == nullptr) {
    result.status = CaseStatus::failed;
    result.reason = "there is no such case when the plugin is loaded again";
    return result;
  }
  result.proves = one->proves;
  CaseRun run{plugin};
  write_line("running");
  run_into(*one, run, result);
  result.device_work = run.device_work;
  result.kernel_runs = run.kernel_runs;
  result.accuracy = std::move(run.accuracy);
  result.left_out = std::move(run.left_out);
  result.seconds = watch.milliseconds() / 1000;
  return result;
}

}  // namespace

void run_cases_and_exit(const PluginUnderTest& plugin, const std::vector<std::string>& names,
                        unsigned seconds) {
  prepare_to_die(seconds);
  trace::set_level(trace::Level::off);
  write_line("loading the plugin");
  const std::vector<Case> cases = cases_with(names, plugin);
  tell_failure = [](const std::string& reason) {
    write_json_line({{"failed", reason}});
    write_line("leaving the case");  // the stage, from here on
  };
  for (const std::string& name : names) {
    const CaseResult result = run_one(find(cases, name), name, plugin);
    write_json_line(to_json(result));
    if (result.status == CaseStatus::failed) break;  // what it leaves behind is nobody else's
  }
  end_as_survivor();
}

void list_cases_and_exit(const PluginUnderTest& plugin, unsigned seconds) {
  prepare_to_die(seconds);
  trace::set_level(trace::Level::off);
  write_line("loading the plugin to list what it claims");
  for (const Case& one : all_cases(plugin)) {
    write_json_line({{"name", one.name}, {"proves", one.proves}});
  }
  end_as_survivor();
}

}  // namespace switchyard::cli::conform
