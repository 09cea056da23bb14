#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/doctor/device_checks.hpp"
#include "cli/doctor/health_check.hpp"
#include "cli/doctor/inspection.hpp"
#include "cli/doctor/plugin_checks.hpp"
#include "cli/doctor/routing_checks.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/reports/report.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/terminal.hpp"
#include "device/plugin_report.hpp"
#include "plugin_loader/own_location.hpp"

namespace switchyard::cli {
namespace {

struct DoctorOptions {
  ConfigurationOptions configuration;
  std::string device;  // "": none is tried out
};

/// All that `doctor` found.
struct Findings {
  HealthChecks checks;
  std::vector<Report> reports;
};

void add(HealthChecks& checks, HealthChecks more) {
  std::move(more.begin(), more.end(), std::back_inserter(checks));
}

/// Which file is read, and who chose it.
std::string config_choice(const ConfigRequest& request) {
  if (!request.file.empty()) return request.file + ", by --config";
  const auto variable = request.environment.find(config_file_variable);
  if (variable != request.environment.end()) {
    return fmt::format("{}, by ${}", variable->second, config_file_variable);
  }
  return request.installed_file + ", the installed default";
}

HealthCheck check_probe_program() {
  const std::filesystem::path program = installed_probe_program();
  if (!program.empty()) return {"program", "trial", Health::ok, program.string(), ""};
  return {"program", "trial", Health::warn,
          "switchyard-probe is not there, so a plugin that crashes takes this program with it",
          "Install Switchyard again, as a whole."};
}

HealthCheck check_environment() {
  if (!is_elevated_process()) {
    return {"program", "rights", Health::ok, "those of its user", ""};
  }
  return {"program", "rights", Health::warn,
          "more than its user's, so the environment variables are ignored",
          "Name the configuration with --config."};
}

Colour colour_of(Health health) {
  if (health == Health::ok) return Colour::green;
  return health == Health::warn ? Colour::yellow : Colour::red;
}

void print_as_text(const Findings& findings) {
  std::string subject;
  for (const HealthCheck& check : findings.checks) {
    if (check.subject != subject) print(paint(Colour::bold, check.subject) + "\n");
    subject = check.subject;
    print(fmt::format("  {}{}  {}: {}\n", paint(colour_of(check.health), word_for(check.health)),
                      check.health == Health::ok ? "  " : "", check.name, check.finding));
    if (!check.remedy.empty()) print(fmt::format("        {}\n", check.remedy));
  }
  print(text_of(findings.reports));
  print(is_healthy(findings.checks) ? "All that is required works.\n"
                                    : "Something that is required is broken: see FAIL.\n");
}

void print_as_json(const Findings& findings) {
  Json list = Json::array();
  for (const HealthCheck& check : findings.checks) {
    list.push_back({{"subject", check.subject},
                    {"check", check.name},
                    {"status", check.health == Health::fail ? "fail" : word_for(check.health)},
                    {"finding", check.finding},
                    {"remedy", check.remedy}});
  }
  print_json({{"healthy", is_healthy(findings.checks)},
              {"checks", std::move(list)},
              {"reports", json_of(findings.reports)}});
}

void add_report(Findings& findings, std::string subject, std::string text) {
  if (!text.empty()) findings.reports.push_back({std::move(subject), std::move(text)});
}

void check_all(const DoctorOptions& options, Findings& findings) {
  HealthChecks& checks = findings.checks;
  const ConfigRequest request = request_of(options.configuration);
  checks.push_back(check_environment());
  checks.push_back(check_probe_program());
  const Config config = load_config(request);
  checks.push_back({"configuration", "file", Health::ok, config_choice(request), ""});
  if (!options.device.empty()) only_on(config, options.device);  // a wrong name is told at once
  const Runtime inspected = inspect(config);
  Engine& engine = *inspected.engine();
  for (const DeviceRegistry::Entry& entry : engine.registry.entries()) {
    add(checks, check_plugin(entry));
    if (!entry.result.plugin) continue;
    add_report(findings, "plugin " + entry.config.name, plugin_report(*entry.result.plugin));
  }
  add(checks, check_routing(engine));
  if (options.device.empty()) return;
  DeviceExamination examination = examine_device(engine, options.device);
  add(checks, std::move(examination.checks));
  add_report(findings, "device " + options.device, std::move(examination.report));
}

int examine(const DoctorOptions& options) {
  Findings findings;
  const auto show = [&] {
    options.configuration.json ? print_as_json(findings) : print_as_text(findings);
  };
  try {
    check_all(options, findings);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::invalid_argument) throw;
    // What was found so far is shown; the error itself ends the program as it does everywhere.
    findings.checks.push_back({"configuration", "file", Health::fail, error.what(), ""});
    show();
    throw;
  }
  show();
  return is_healthy(findings.checks) ? kSuccess : kFailure;
}

Action declare_doctor(CLI::App& arguments) {
  auto options = std::make_shared<DoctorOptions>();
  add_configuration_options(arguments, options->configuration);
  arguments
      .add_option("--device", options->device,
                  "Tries this device out too, and shows what it says of itself")
      ->type_name("NAME");
  return [options] { return examine(*options); };
}

}  // namespace

const Subcommand doctor_command = {
    "doctor", "Checks the configuration and every plugin, and says how to fix what is wrong",
    "  switchyard doctor\n"
    "  switchyard doctor --config my.toml --json\n"
    "  switchyard doctor --device mps --set plugins.mps.options.profile=true\n"
    "Exits with 1 if anything required is broken, with 2 if the configuration cannot be read.",
    declare_doctor};

}  // namespace switchyard::cli
