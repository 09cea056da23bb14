#include "cli/doctor/examination.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cli/doctor/device_checks.hpp"
#include "cli/doctor/inspection.hpp"
#include "cli/doctor/plugin_checks.hpp"
#include "cli/doctor/routing_checks.hpp"
#include "config/environment.hpp"
#include "device/plugin_report.hpp"
#include "plugin_loader/own_location.hpp"

namespace switchyard::cli {
namespace {

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

}  // namespace

void check_all(const DoctorRequest& wanted, TellStage stage, Findings& findings) {
  const ConfigRequest request = request_of(wanted.configuration);
  findings.add(check_environment());
  findings.add(check_probe_program());
  const Config config = load_config(request);
  findings.add(HealthCheck{"configuration", "file", Health::ok, config_choice(request), ""});
  if (!wanted.device.empty()) only_on(config, wanted.device);  // a wrong name is told at once
  stage("loading the plugins");
  const Runtime inspected = inspect(config);
  Engine& engine = *inspected.engine();
  for (const std::shared_ptr<const DeviceRegistry::Entry>& entry : engine.registry.entries()) {
    stage("checking plugin " + entry->config.name);
    findings.add(check_plugin(*entry));
    if (!entry->result.plugin) continue;
    findings.add(Report{"plugin " + entry->config.name, plugin_report(*entry->result.plugin)});
  }
  stage("checking how ops are routed");
  findings.add(check_routing(engine));
  if (wanted.device.empty()) return;
  stage("trying device " + wanted.device);
  DeviceExamination examination = examine_device(engine, wanted.device);
  findings.add(std::move(examination.checks));
  findings.add(Report{"device " + wanted.device, std::move(examination.report)});
}

}  // namespace switchyard::cli
