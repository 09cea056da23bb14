#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/number.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/doctor/claimed_ops.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/interruptible_work.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/progress_bar.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/verify/backend_case.hpp"
#include "cli/verify/case_result.hpp"
#include "cli/verify/skip_list.hpp"

namespace switchyard::cli {
namespace {

struct VerifyOptions {
  ConfigurationOptions configuration;
  std::vector<std::string> folders;
  ToleranceOptions tolerance;
  std::string model;
  std::string device;  // --only
  std::string skips;
  bool allows_unused_skips = false;
  std::optional<std::size_t> most_skips;
  bool lists_passes = false;
};

/// All results, counted, and what is wrong beside them.
struct Totals {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  std::vector<CaseResult> cases;
  std::vector<std::string> errors;
  std::vector<std::string> not_run;  // ops that the device of --only claims and no passed case ran

  void add(CaseResult result) {
    std::size_t& count = result.status == CaseStatus::pass   ? passed
                         : result.status == CaseStatus::fail ? failed
                                                             : skipped;
    ++count;
    cases.push_back(std::move(result));
  }
  bool is_success() const { return failed == 0 && passed > 0 && errors.empty(); }
};

std::vector<BackendCase> collect_cases(const VerifyOptions& options) {
  std::vector<BackendCase> cases;
  for (const std::string& folder : options.folders) {
    for (BackendCase& found : find_cases(folder)) cases.push_back(std::move(found));
  }
  if (options.model.empty()) return cases;
  if (cases.size() != 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--model: gives one case its model, and {} were "
                            "found; name the folder of one",
                            cases.size()));
  }
  cases.front().model = options.model;
  return cases;
}

Runtime runtime_for(const VerifyOptions& options) {
  Config config = read_configuration(options.configuration);
  return start_runtime(options.device.empty() ? std::move(config)
                                              : only_on(std::move(config), options.device));
}

Colour colour_of(CaseStatus status) {
  if (status == CaseStatus::pass) return Colour::green;
  return status == CaseStatus::fail ? Colour::red : Colour::yellow;
}

std::string case_line(const CaseResult& result) {
  std::string line =
      fmt::format("{}  {}", paint(colour_of(result.status), word_for(result.status)), result.name);
  if (!result.reason.empty()) line += ": " + result.reason;
  if (result.max_error > 0)
    line += fmt::format(" (largest error {})", number_text(result.max_error));
  return line + "\n";
}

Totals verify_all(const Runtime& runtime, const std::vector<BackendCase>& cases,
                  const VerifyOptions& options, SkipList* skips) {
  Totals totals;
  const InterruptibleWork work;
  ProgressBar bar(cases.size(), !options.configuration.json);
  for (const BackendCase& test : cases) {
    bar.show(totals.cases.size(), test.name);
    CaseResult result = verify_case(runtime, test, options.tolerance);
    if (skips) skips->judge(result);
    if (!options.configuration.json &&
        (options.lists_passes || result.status != CaseStatus::pass)) {
      bar.clear();
      print(case_line(result));
    }
    totals.add(std::move(result));
  }
  return totals;
}

Json to_json(const Totals& totals) {
  Json cases = Json::array();
  for (const CaseResult& result : totals.cases) {
    cases.push_back({{"name", result.name},
                     {"status", word_for(result.status)},
                     {"reason", result.reason},
                     {"max_error", result.max_error}});
  }
  return {{"passed", totals.passed},   {"failed", totals.failed}, {"skipped", totals.skipped},
          {"cases", std::move(cases)}, {"errors", totals.errors}, {"not_run", totals.not_run}};
}

/// A claim that no case has shown to hold is a promise and no more.
std::vector<std::string> claims_not_run(const Runtime& runtime, const std::string& name,
                                        const std::vector<CaseResult>& cases) {
  const Device device = runtime.device(name);
  std::set<std::string> ops = claimed_ops(device);
  for (const CaseResult& result : cases) {
    if (result.status != CaseStatus::pass) continue;
    for (const auto& [op, where] : result.ran) {
      if (where == device.name()) ops.erase(op);
    }
  }
  return {ops.begin(), ops.end()};
}

void note_errors(const VerifyOptions& options, const SkipList* skips, Totals& totals) {
  if (skips && !options.allows_unused_skips) totals.errors = skips->unused();
  if (options.most_skips && totals.skipped > *options.most_skips) {
    totals.errors.push_back(fmt::format("{} cases were skipped, and --max-skips allows {}",
                                        totals.skipped, *options.most_skips));
  }
  if (totals.cases.empty()) {
    totals.errors.push_back("nothing ran: there is no model.onnx beside test_data_set_* in " +
                            fmt::format("{}", fmt::join(options.folders, ", ")));
  } else if (totals.passed + totals.failed == 0) {
    totals.errors.push_back("nothing ran: every case was skipped");
  }
}

int verify(const VerifyOptions& options) {
  std::optional<SkipList> skips;
  if (!options.skips.empty()) skips = SkipList::read(options.skips);
  const std::vector<BackendCase> cases = collect_cases(options);
  const Runtime runtime = runtime_for(options);
  Totals totals = verify_all(runtime, cases, options, skips ? &*skips : nullptr);
  note_errors(options, skips ? &*skips : nullptr, totals);
  if (!options.device.empty()) {
    totals.not_run = claims_not_run(runtime, options.device, totals.cases);
  }
  if (options.configuration.json) {
    print_json(to_json(totals));
  } else {
    print(fmt::format("{} passed, {} failed, {} skipped of {}\n", totals.passed, totals.failed,
                      totals.skipped, totals.cases.size()));
  }
  for (const std::string& error : totals.errors) print_error(error);
  return totals.is_success() ? kSuccess : kFailure;
}

void add_tolerance_options(CLI::App& arguments, ToleranceOptions& tolerance) {
  add_number(arguments, "--rtol", tolerance.relative, {}, "Allowed error relative to each element")
      ->type_name("X");
  add_number(arguments, "--atol", tolerance.absolute, {}, "Allowed absolute error")->type_name("X");
  add_number(arguments, "--ptol", tolerance.peak, {},
             "Allowed error relative to the output's largest element; without --rtol, the\n"
             "default relative error then does not count")
      ->type_name("X");
  add_number(arguments, "--quantization-steps", tolerance.quantization_steps, {0, 255},
             "By how much int8 and uint8 elements may differ");
}

Action declare_verify(CLI::App& arguments) {
  auto options = std::make_shared<VerifyOptions>();
  add_configuration_options(arguments, options->configuration);
  arguments
      .add_option("folders", options->folders,
                  "Folders with model.onnx and test_data_set_*, or folders of such folders")
      ->type_name("DIR")
      ->required();
  add_tolerance_options(arguments, options->tolerance);
  arguments.add_option("--model", options->model, "The model of the one case in DIR")
      ->type_name("FILE");
  arguments.add_option("--only", options->device, "Runs all on this device, without fallback")
      ->type_name("DEVICE");
  arguments
      .add_option("--skips", options->skips,
                  "What may be skipped: lines `OP: reason` or `case PATTERN: reason`. Other skips\n"
                  "fail, and so do lines that explain none")
      ->type_name("FILE");
  arguments.add_flag("--allow-unused-skips", options->allows_unused_skips,
                     "Lines of --skips may explain none: the list is for other cases too");
  add_number(arguments, "--max-skips", options->most_skips, {}, "Fails if more cases are skipped");
  arguments.add_flag("--list", options->lists_passes, "Lists the cases that pass, too");
  return [options] { return verify(*options); };
}

}  // namespace

const Subcommand verify_command = {
    "verify", "Runs test cases in ONNX's layout and compares their outputs",
    "  switchyard verify /usr/share/libonnx-testdata/data/node\n"
    "  switchyard verify /usr/share/libonnx-testdata/data/node/test_relu --only cpu --list\n"
    "  switchyard verify my-case --model my-model.onnx --ptol 1e-4 --atol 1e-5\n"
    "Without tolerances float32, float64 and complex elements may differ by 1e-3 relative and "
    "1e-7\n"
    "absolute, float16 by 1e-2 and 1e-3, bfloat16 by 2e-2 and 1e-2; all others must be equal.\n"
    "Exits with 1 if a case fails, or if none passes.",
    declare_verify};

}  // namespace switchyard::cli
