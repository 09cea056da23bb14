#include "cli/doctor/examination_process.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/process/trial_child.hpp"
#include "plugin_loader/own_location.hpp"
#include "plugin_loader/trial_process.hpp"

namespace switchyard::cli {
namespace {

std::vector<std::string> words_for_child(const DoctorRequest& wanted, std::chrono::seconds limit) {
  std::vector<std::string> words = {own_program().string(), "doctor", kExamineOption,
                                    fmt::format("--timeout={}", limit.count())};
  if (!wanted.device.empty()) words.push_back("--device=" + wanted.device);
  for (std::string& word : words_of(wanted.configuration)) words.push_back(std::move(word));
  return words;
}

}  // namespace

Findings examine_in_child(const DoctorRequest& wanted, std::chrono::seconds limit) {
  Findings findings;
  const TrialOutcome outcome = run_trial(words_for_child(wanted, limit), "", limit);
  std::fputs(outcome.complaints.c_str(), stderr);
  for (const Json& line : json_lines(outcome.output)) findings.read_line(line);
  if (outcome.kind == TrialOutcome::Kind::survived) return findings;
  if (outcome.kind == TrialOutcome::Kind::no_trial) {
    findings.end_with(Error(ErrorKind::io, fmt::format("{} did not start again: {}",
                                                       own_program().string(), outcome.reason)));
    return findings;
  }
  findings.add(HealthCheck{
      "program", "survival", Health::fail,
      fmt::format("a process that looked at this {}", outcome.reason),
      outcome.hung ? "Give it longer with --timeout, or do not use what it was looking at."
                   : "Do not use what it was looking at, and tell its author."});
  return findings;
}

void examine_for_parent(const DoctorRequest& wanted, unsigned seconds) {
  prepare_to_die(seconds);
  Findings findings(write_json_line);
  try {
    check_all(wanted, write_line, findings);
  } catch (const Error& error) {
    findings.end_with(error);
  }
  end_as_survivor();
}

}  // namespace switchyard::cli
