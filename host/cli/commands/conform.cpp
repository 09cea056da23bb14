#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>
#include <thread>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/number.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/conform/allocations/failing_allocations.hpp"
#include "cli/conform/process/case_processes.hpp"
#include "cli/conform/process/child.hpp"
#include "cli/conform/process/name_pattern.hpp"
#include "cli/conform/report/conformance.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/interruptible_work.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/progress_bar.hpp"
#include "cli/terminal/terminal.hpp"
#include "error/plain_text.hpp"
#include "files/file_replacement.hpp"
#include "plugin_loader/own_location.hpp"

namespace switchyard::cli {
namespace {

struct ConformOptions {
  ConfigurationOptions configuration;
  std::string library;
  std::vector<std::string> options;
  std::uint32_t device = 0;
  std::vector<std::string> only;
  std::string junit;
  bool lists = false;
  unsigned timeout_seconds = 60;
  std::uint32_t jobs = 0;                     // 0: as many as there are processors
  std::vector<std::string> cases_in_process;  // of a child
  bool lists_in_process = false;
};

conform::PluginUnderTest plugin_of(const ConformOptions& options) {
  conform::PluginUnderTest plugin = conform::plugin_under_test(options.library, options.options);
  plugin.device = options.device;
  plugin.reference = options.configuration;
  return plugin;
}

/// The words that have a child try the same plugin beside the same reference.
conform::ChildCommand child_of(const ConformOptions& options,
                               const conform::PluginUnderTest& plugin) {
  conform::ChildCommand command;
  command.limit = std::chrono::seconds(options.timeout_seconds);
  command.words = {own_program().string(), "conform", plugin.library.string(),
                   "--device-index=" + std::to_string(options.device),
                   "--timeout=" + std::to_string(options.timeout_seconds)};
  for (const std::string& option : options.options) command.words.push_back("--option=" + option);
  for (std::string& word : words_of(options.configuration)) {
    command.words.push_back(std::move(word));
  }
  return command;
}

void print_list(const std::vector<conform::ListedCase>& cases, bool as_json) {
  Json list = Json::array();
  for (const conform::ListedCase& one : cases) {
    list.push_back({{"name", one.name}, {"proves", one.proves}});
    if (!as_json) print(plain_line(fmt::format("{}: {}", one.name, one.proves)) + "\n");
  }
  if (as_json) print_json({{"cases", std::move(list)}});
}

conform::Conformance try_all(const ConformOptions& options, const conform::ChildCommand& command,
                             const std::vector<conform::ListedCase>& cases) {
  const InterruptibleWork work;
  ProgressBar bar(cases.size(), !options.configuration.json);
  std::size_t finished = 0;
  const auto done = [&](const conform::CaseResult& result) {
    bar.show(++finished, result.name);
    const std::string line = conform::line_of(result);
    if (line.empty() || options.configuration.json) return;
    bar.clear();
    print(line);
  };
  const std::size_t jobs =
      options.jobs != 0 ? options.jobs : std::max(std::thread::hardware_concurrency(), 1u);
  conform::Conformance conformance;
  conformance.results =
      conform::run_cases(command, cases, jobs, done, [&] { return work.is_interrupted(); });
  if (work.is_interrupted()) throw Error(ErrorKind::cancelled, "interrupted");
  return conformance;
}

int conform_all(const ConformOptions& options) {
  const conform::PluginUnderTest plugin = plugin_of(options);
  if (options.lists_in_process) conform::list_cases_and_exit(plugin, 2 * options.timeout_seconds);
  if (!options.cases_in_process.empty()) {
    if (conform::needs_failing_allocations(options.cases_in_process.front())) {
      std::vector<std::string> words = child_of(options, plugin).words;
      for (const std::string& name : options.cases_in_process) {
        words.insert(words.end(), {conform::kCaseOption, name});
      }
      conform::restart_with_failing_allocations(words);
    }
    conform::run_cases_and_exit(plugin, options.cases_in_process, 2 * options.timeout_seconds);
  }
  const conform::ChildCommand command = child_of(options, plugin);
  std::vector<conform::ListedCase> cases = conform::list_cases(command);
  std::erase_if(cases, [&](const conform::ListedCase& one) {
    return !options.only.empty() &&
           std::none_of(options.only.begin(), options.only.end(), [&](const std::string& pattern) {
             return conform::matches(pattern, one.name);
           });
  });
  if (options.lists) {
    print_list(cases, options.configuration.json);
    return kSuccess;
  }
  if (!options.junit.empty()) check_replaceable(options.junit);
  conform::Conformance conformance = try_all(options, command, cases);
  conformance.library = plugin.library.string();
  conformance.sha256 = conform::sha256_of(plugin.library);
  conformance.device = options.device;
  conform::judge(conformance);
  if (!options.junit.empty()) {
    FileReplacement file(options.junit);
    file.write(conform::to_junit(conformance));
    file.commit();
  }
  if (options.configuration.json) {
    print_json(conform::to_json(conformance));
  } else {
    print(conform::summary_of(conformance));
  }
  for (const std::string& error : conformance.errors) print_error(error);
  return conformance.conforms() ? kSuccess : kFailure;
}

void add_own_options(CLI::App& arguments, ConformOptions& options) {
  arguments.add_option("PLUGIN", options.library, "The file of the plugin")->required();
  arguments
      .add_option("--option", options.options,
                  "An option of the plugin, as [plugins.NAME.options] has it; may be given often")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_number(arguments, "--device-index", options.device, {},
             "Which of its devices is tried; the first, 0, if left out");
  arguments
      .add_option("--only", options.only,
                  "Runs the cases whose names match: * stands for any text; may be given often")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  arguments.add_flag("--list", options.lists,
                     "Lists the cases and what each of them proves, and runs none");
  arguments.add_option("--junit", options.junit, "Writes the results there too, as JUnit's XML")
      ->type_name("FILE");
  add_number(arguments, "--timeout", options.timeout_seconds, {1, 86400},
             "Seconds that a case may take before it counts as hung; 60 if left out");
  add_number(arguments, "--jobs", options.jobs, {1, 1024},
             "Cases that run at once; as many as there are processors if left out");
  arguments.add_option(conform::kCaseOption, options.cases_in_process)
      ->allow_extra_args(false)
      ->group("");
  arguments.add_flag(conform::kListOption, options.lists_in_process)->group("");
}

Action declare_conform(CLI::App& arguments) {
  auto options = std::make_shared<ConformOptions>();
  add_own_options(arguments, *options);
  add_configuration_options(arguments, options->configuration);
  return [options] { return conform_all(*options); };
}

}  // namespace

const Subcommand conform_command = {
    "conform", "Tries what plugin.h promises on one plugin, in processes of their own",
    "  switchyard conform build/plugins/libswitchyard_mine.so\n"
    "  switchyard conform libswitchyard_mps.so --option device=software --only 'kernels/Add/*'\n"
    "  switchyard conform libswitchyard_mine.so --json --junit conform.xml\n"
    "What is expected is computed by the first device of the configuration (--config, --order,\n"
    "--set) whose memory has addresses. Exits with 1 if a case fails, crashes or hangs, or if the\n"
    "device has run nothing.",
    declare_conform};

}  // namespace switchyard::cli
