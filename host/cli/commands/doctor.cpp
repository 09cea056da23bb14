#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/arguments/number.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/doctor/examination_process.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/terminal.hpp"

namespace switchyard::cli {
namespace {

struct DoctorOptions {
  DoctorRequest wanted;
  unsigned timeout_seconds = 600;
  bool in_this_process = false;
};

Colour colour_of(Health health) {
  if (health == Health::ok) return Colour::green;
  return health == Health::warn ? Colour::yellow : Colour::red;
}

void print_as_text(const Findings& findings) {
  std::string subject;
  for (const HealthCheck& check : findings.checks()) {
    if (check.subject != subject) print(paint(Colour::bold, check.subject) + "\n");
    subject = check.subject;
    print(fmt::format("  {}{}  {}: {}\n", paint(colour_of(check.health), word_for(check.health)),
                      check.health == Health::ok ? "  " : "", check.name, check.finding));
    if (!check.remedy.empty()) print(fmt::format("        {}\n", check.remedy));
  }
  print(text_of(findings.reports()));
  print(findings.healthy() ? "All that is required works.\n"
                           : "Something that is required is broken: see FAIL.\n");
}

void print_as_json(const Findings& findings) {
  Json list = Json::array();
  for (const HealthCheck& check : findings.checks()) list.push_back(to_json(check));
  print_json({{"healthy", findings.healthy()},
              {"checks", std::move(list)},
              {"reports", json_of(findings.reports())}});
}

int examine(const DoctorOptions& options) {
  if (options.in_this_process) {
    examine_for_parent(options.wanted, 2 * options.timeout_seconds);
  }
  Findings findings =
      examine_in_child(options.wanted, std::chrono::seconds(options.timeout_seconds));
  const std::optional<Error> error = findings.error();
  if (error && error->kind() == ErrorKind::invalid_argument) throw Error(*error);
  // What was found so far is shown; the error itself ends the program as it does everywhere.
  if (error) {
    findings.add(HealthCheck{"configuration", "file", Health::fail, error->what(), ""});
  }
  options.wanted.configuration.json ? print_as_json(findings) : print_as_text(findings);
  if (error) throw Error(*error);
  return findings.healthy() ? kSuccess : kFailure;
}

Action declare_doctor(CLI::App& arguments) {
  auto options = std::make_shared<DoctorOptions>();
  add_configuration_options(arguments, options->wanted.configuration);
  arguments
      .add_option("--device", options->wanted.device,
                  "Tries this device out too, and shows what it says of itself")
      ->type_name("NAME");
  add_number(arguments, "--timeout", options->timeout_seconds, {1, 86400},
             "Seconds after which a plugin counts as hung; 600 if left out");
  arguments.add_flag(kExamineOption, options->in_this_process)->group("");
  return [options] { return examine(*options); };
}

}  // namespace

const Subcommand doctor_command = {
    "doctor", "Checks the configuration and every plugin, and says how to fix what is wrong",
    "  switchyard doctor\n"
    "  switchyard doctor --config my.toml --json\n"
    "  switchyard doctor --device mps --set plugins.mps.options.profile=true\n"
    "Looks from a process of its own, so that a plugin which crashes or hangs is a finding.\n"
    "Exits with 1 if anything required is broken, with 2 if the configuration cannot be read.",
    declare_doctor};

}  // namespace switchyard::cli
