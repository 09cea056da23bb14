#include "plugin_loader/trial.hpp"

#include <fmt/format.h>
#include <switchyard/plugin.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "plugin_loader/failure.hpp"
#include "plugin_loader/option_text.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "plugin_loader/trial_process.hpp"
#include "plugin_loader/trial_record.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

/// When a trial ends by itself, in case that this process has gone meanwhile.
std::chrono::seconds own_limit(std::chrono::milliseconds limit) {
  return std::chrono::ceil<std::chrono::seconds>(2 * limit) + std::chrono::seconds(1);
}

/// What the outcome of a trial depends on, besides the files.
std::string circumstances_of(const EntryTerms& terms) {
  return version_text(SY_ABI_VERSION) + "\n" + terms.text();
}

/// From what the trial wrote.
std::vector<std::string> dependencies_in(std::string_view output) {
  constexpr std::string_view kUses = "uses ";
  std::vector<std::string> files;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    if (line.rfind(kUses, 0) == 0) files.emplace_back(line.substr(kUses.size()));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
  }
  return files;
}

/// Whether an earlier trial says enough. Throws if that one hung: to wait for the same build again
/// would delay each start by as much.
bool was_tried(const TrialRecord& record, const LibraryFile& file, const std::string& hung,
               const std::string& circumstances, const LoadMarks& marks) {
  if (record.has(file, hung)) {
    const std::string library = file.path().string();
    throw LoadError(LoadProblem::crashed,
                    fmt::format("{} took too long in an earlier trial", library),
                    fmt::format("Install another build of it; to have this one tried again, run: "
                                "touch '{}'",
                                library));
  }
  if (!record.has(file, circumstances)) return false;
  if (!marks.one_was_left()) return true;
  trace::warn("{} is tried again: a process ended while it loaded it", file.path().string());
  return false;
}

}  // namespace

LoadMarks load_marks(const LibraryFile& file, const EntryTerms& terms, const LoadContext& context) {
  if (context.trial_record.empty()) return {};
  return {context.trial_record.parent_path() / "loading", trial_key(file, circumstances_of(terms))};
}

void survive_trial(const LibraryFile& file, const EntryTerms& terms, const LoadContext& context) {
  const std::string library = file.path().string();
  if (context.probe_program.empty()) {
    trace::debug("{} is loaded without a trial: switchyard-probe is not installed", library);
    return;
  }
  const TrialRecord record(context.trial_record);
  const std::string circumstances = circumstances_of(terms);
  const std::string hung = circumstances + "\nhung";
  const LoadMarks marks = load_marks(file, terms, context);
  if (was_tried(record, file, hung, circumstances, marks)) return;
  const TrialOutcome outcome =
      run_trial({context.probe_program.string(), library, std::to_string(terms.thread_limit),
                 std::to_string(own_limit(context.trial_limit).count())},
                to_text(terms.options), context.trial_limit);
  switch (outcome.kind) {
    case TrialOutcome::Kind::survived:
      record.add(file, circumstances, dependencies_in(outcome.output));
      marks.clear();
      return;
    case TrialOutcome::Kind::no_trial:
      trace::warn("{} is loaded without a trial: {} did not start: {}", library,
                  context.probe_program.string(), outcome.reason);
      return;
    case TrialOutcome::Kind::died:
      if (outcome.hung) record.add(file, hung, {});
      throw LoadError(
          LoadProblem::crashed, fmt::format("{} {}", library, outcome.reason),
          fmt::format("Install another build of it; to see the crash, run: {} {} </dev/null",
                      context.probe_program.string(), library));
  }
}

}  // namespace switchyard
