#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/configuration.hpp"
#include "cli/exit_code.hpp"
#include "cli/health_check.hpp"
#include "cli/inspection.hpp"
#include "cli/json.hpp"
#include "cli/plugin_checks.hpp"
#include "cli/routing_checks.hpp"
#include "cli/subcommand.hpp"
#include "cli/terminal.hpp"
#include "loader/own_location.hpp"

namespace switchyard::cli {
namespace {

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

void print_as_text(const HealthChecks& checks) {
  std::string subject;
  for (const HealthCheck& check : checks) {
    if (check.subject != subject) print(paint(Colour::bold, check.subject) + "\n");
    subject = check.subject;
    print(fmt::format("  {}{}  {}: {}\n", paint(colour_of(check.health), word_for(check.health)),
                      check.health == Health::ok ? "  " : "", check.name, check.finding));
    if (!check.remedy.empty()) print(fmt::format("        {}\n", check.remedy));
  }
  print(is_healthy(checks) ? "All that is required works.\n"
                           : "Something that is required is broken: see FAIL.\n");
}

void print_as_json(const HealthChecks& checks) {
  Json list = Json::array();
  for (const HealthCheck& check : checks) {
    list.push_back({{"subject", check.subject},
                    {"check", check.name},
                    {"status", check.health == Health::fail ? "fail" : word_for(check.health)},
                    {"finding", check.finding},
                    {"remedy", check.remedy}});
  }
  print_json({{"healthy", is_healthy(checks)}, {"checks", std::move(list)}});
}

void check_all(const ConfigRequest& request, HealthChecks& checks) {
  checks.push_back(check_environment());
  checks.push_back(check_probe_program());
  const Config config = load_config(request);
  checks.push_back({"configuration", "file", Health::ok, config_choice(request), ""});
  const Runtime inspected = inspect(config);
  Engine& engine = *inspected.engine();
  for (const DeviceRegistry::Entry& entry : engine.registry.entries()) {
    add(checks, check_plugin(entry));
  }
  add(checks, check_routing(engine));
}

int examine(const ConfigurationOptions& options) {
  const ConfigRequest request = request_of(options);
  HealthChecks checks;
  const auto show = [&] { options.json ? print_as_json(checks) : print_as_text(checks); };
  try {
    check_all(request, checks);
  } catch (const Error& error) {
    // What was found so far is shown; the error itself ends the program as it does everywhere.
    checks.push_back({"configuration", "file", Health::fail, error.what(), ""});
    show();
    throw;
  }
  show();
  return is_healthy(checks) ? kSuccess : kFailure;
}

Action declare_doctor(CLI::App& arguments) {
  auto options = std::make_shared<ConfigurationOptions>();
  add_configuration_options(arguments, *options);
  return [options] { return examine(*options); };
}

}  // namespace

const Subcommand doctor_command = {
    "doctor", "Checks the configuration and every plugin, and says how to mend what is wrong",
    "  switchyard doctor\n"
    "  switchyard doctor --config my.toml --json\n"
    "Exits with 1 if anything required is broken, with 2 if the configuration cannot be read.",
    declare_doctor};

}  // namespace switchyard::cli
