#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "cli/arguments/empty_values.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/process/interruptible_work.hpp"
#include "cli/process/process_state.hpp"
#include "cli/terminal/terminal.hpp"
#include "config/suggestion.hpp"

namespace switchyard::cli {
namespace {

constexpr std::array kSubcommands = {&devices_command, &ops_command,       &doctor_command,
                                     &config_command,  &run_command,       &verify_command,
                                     &explain_command, &bench_command,     &train_command,
                                     &conform_command, &new_plugin_command};

constexpr char kDescription[] =
    "Runs and trains models on the devices of plugins that a TOML file chooses, and shows what\n"
    "ran where and why.";

constexpr char kFooter[] =
    "Exit codes: 0 success; 1 a wrong result or a broken requirement; 2 the command line, the\n"
    "configuration or the model; 130 interrupted. `switchyard SUBCOMMAND --help` shows each with\n"
    "examples.";

using Actions = std::map<const CLI::App*, Action>;

/// CLI11 2.5 and newer would break lines anew, those of examples too.
template <typename Formatter>
void keep_lines([[maybe_unused]] Formatter& formatter) {
  if constexpr (requires { formatter.enable_footer_formatting(false); }) {
    formatter.enable_description_formatting(false);
    formatter.enable_footer_formatting(false);
  }
}

void declare(CLI::App& program, Actions& actions) {
  keep_lines(*program.get_formatter());
  program.name("switchyard");
  program.footer(kFooter);
  program.set_version_flag("--version", "switchyard " SWITCHYARD_VERSION);
  program.require_subcommand(1);
  for (const Subcommand* subcommand : kSubcommands) {
    CLI::App* arguments =
        program.add_subcommand(std::string(subcommand->name), std::string(subcommand->summary));
    arguments->footer("Examples:\n" + std::string(subcommand->examples));
    actions.emplace(arguments, subcommand->declare(*arguments));
    refuse_empty_values(*arguments);
  }
}

std::string first_word(int argc, char** argv) {
  return argc > 1 && argv[1][0] != '-' ? argv[1] : "";
}

bool is_subcommand(const std::string& word) {
  return std::any_of(kSubcommands.begin(), kSubcommands.end(),
                     [&](const Subcommand* subcommand) { return subcommand->name == word; });
}

/// What is wrong with the command line, where, and whom to ask.
std::string usage_error(const CLI::ParseError& error, const std::string& word) {
  if (is_subcommand(word)) {
    return fmt::format("{}: {}; see `switchyard {} --help`", word, error.what(), word);
  }
  if (word.empty()) return fmt::format("{}; see `switchyard --help`", error.what());
  std::vector<std::string> names;
  for (const Subcommand* subcommand : kSubcommands) names.emplace_back(subcommand->name);
  return fmt::format("there is no subcommand '{}'{}; see `switchyard --help`", word,
                     config::did_you_mean(word, names, "'"));
}

int run(const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) {
      print_message("switchyard: interrupted\n");
    } else {
      print_error(error.what());
    }
    return exit_code_for(error.kind());
  } catch (const std::bad_alloc&) {
    print_error("the memory of this machine does not suffice; free some, or take a smaller input");
  } catch (const std::exception& error) {
    print_error(fmt::format("unexpected: {}; please report it", error.what()));
  }
  return kFailure;
}

/// Prints what --help and --version ask for.
int answer(const CLI::App& program, const CLI::ParseError& request) {
  std::ostringstream text;
  const int exit_code = program.exit(request, text, text);
  std::fputs(text.str().c_str(), program_output());
  return exit_code;
}

/// A full disk or a closed pipe must not pass for success.
int flush_output(int exit_code) {
  std::FILE* output = program_output();
  if (std::fflush(output) == 0 && std::ferror(output) == 0) return exit_code;
  print_error("not all output could be written; see to the disk or pipe that standard output is");
  return exit_code == kSuccess ? int{kFailure} : exit_code;
}

int main_of(int argc, char** argv) {
  prepare_process();
  program_output();
  handle_interrupts();
  CLI::App program(kDescription);
  Actions actions;
  declare(program, actions);
  try {
    std::vector<std::string> words = words_of(argc, argv);
    std::reverse(words.begin(), words.end());  // as the parser takes them
    program.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return flush_output(answer(program, error));
    print_error(usage_error(error, first_word(argc, argv)));
    return kUsage;
  }
  return flush_output(run(actions.at(program.get_subcommands().front())));
}

}  // namespace
}  // namespace switchyard::cli

int main(int argc, char** argv) { return switchyard::cli::main_of(argc, argv); }
