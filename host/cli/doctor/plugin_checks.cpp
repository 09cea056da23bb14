#include "cli/doctor/plugin_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/quantity.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "tensor/plugin_ops.hpp"

namespace switchyard::cli {
namespace {

/// A step of loading: the problems that it may end in, and what it says when it went well.
struct LoadStep {
  const char* name;
  std::vector<LoadProblem> problems;
  std::string (*finding)(const DeviceRegistry::Entry& entry);  // "": nothing worth a line
};

std::string library_finding(const DeviceRegistry::Entry& entry) {
  return entry.result.plugin ? entry.result.plugin->library().string()
                             : entry.result.failure->library.string();
}

std::string trust_finding(const DeviceRegistry::Entry&) {
  return "neither it nor its folders can be written by others";
}

std::string format_finding(const DeviceRegistry::Entry&) {
  return "a whole shared library for this machine";
}

std::string sha256_finding(const DeviceRegistry::Entry& entry) {
  return entry.config.sha256.empty() ? "not pinned" : "the pinned one";
}

std::string loading_finding(const DeviceRegistry::Entry&) {
  return "opens, and finds all libraries that it needs";
}

// What fails later is not a plugin any more: its versions are not known.
std::string abi_finding(const DeviceRegistry::Entry& entry) {
  if (!entry.result.plugin) return "speaks an ABI that this host takes";
  const Plugin& plugin = *entry.result.plugin;
  return fmt::format("speaks ABI {}; its own version is {}", version_text(plugin.abi_version()),
                     plugin.version().empty() ? "not told" : plugin.version());
}

std::string probe_finding(const DeviceRegistry::Entry& entry) {
  const std::size_t count = entry.result.plugin->devices().size();
  return fmt::format("lists {} device{}", count, count == 1 ? "" : "s");
}

std::string ops_finding(const DeviceRegistry::Entry& entry) {
  if (!entry.result.plugin) return "";
  const std::size_t count = count_ops_of(*entry.result.plugin);
  if (count == 0) return "";
  return fmt::format("brings {} op{} of its own", count, count == 1 ? "" : "s");
}

/// In the order in which they can be judged: what fails is not a plugin any more.
const std::vector<LoadStep>& load_steps() {
  static const auto& steps = *new std::vector<LoadStep>{
      {"library", {LoadProblem::not_found}, library_finding},
      {"trust", {LoadProblem::not_trusted}, trust_finding},
      {"format", {LoadProblem::not_loadable}, format_finding},
      {"sha256", {LoadProblem::wrong_sha256}, sha256_finding},
      {"loading",
       {LoadProblem::crashed, LoadProblem::not_opened, LoadProblem::no_entry},
       loading_finding},
      {"abi",
       {LoadProblem::wrong_version, LoadProblem::entry_failed, LoadProblem::incomplete},
       abi_finding},
      {"ops", {LoadProblem::wrong_ops}, ops_finding},
      {"probe", {LoadProblem::probe_failed}, probe_finding},
  };
  return steps;
}

bool can_end_in(const LoadStep& step, LoadProblem problem) {
  return std::find(step.problems.begin(), step.problems.end(), problem) != step.problems.end();
}

HealthCheck device_check(const std::string& subject, const std::string& plugin, std::size_t index,
                         const sy_device_info& info) {
  HealthCheck check{subject, fmt::format("{}:{}", plugin, index), Health::ok, "", ""};
  if (info.available) {
    check.finding = fmt::format("available: {}", info.name);
    if (info.memory_bytes > 0) check.finding += ", " + bytes_text(info.memory_bytes);
    for (const char* more : {info.architecture, info.pci_address}) {
      if (more != nullptr) check.finding += fmt::format(", {}", more);
    }
    return check;
  }
  check.health = Health::warn;
  check.finding =
      fmt::format("{}: {}", info.built ? "built, not available" : "not built", info.message);
  return check;
}

void check_devices(const DeviceRegistry::Entry& entry, const std::string& subject,
                   HealthChecks& checks) {
  const Plugin& plugin = *entry.result.plugin;
  if (!plugin.available()) {
    checks.push_back({subject, "devices", entry.config.required ? Health::fail : Health::warn,
                      fmt::format("{}: {}", plugin.built() ? "built, not available" : "not built",
                                  plugin.message()),
                      ""});
    return;
  }
  for (std::size_t i = 0; i < plugin.devices().size(); ++i) {
    checks.push_back(device_check(subject, plugin.name(), i, plugin.devices()[i].info));
  }
}

}  // namespace

HealthChecks check_plugin(const DeviceRegistry::Entry& entry) {
  const std::string subject = "plugin " + entry.config.name;
  const auto& failure = entry.result.failure;
  HealthChecks checks;
  for (const LoadStep& step : load_steps()) {
    if (failure && can_end_in(step, failure->problem)) {
      checks.push_back({subject, step.name, entry.config.required ? Health::fail : Health::warn,
                        failure->reason, failure->remedy});
      return checks;
    }
    std::string finding = step.finding(entry);
    if (!finding.empty()) checks.push_back({subject, step.name, Health::ok, finding, ""});
  }
  check_devices(entry, subject, checks);
  return checks;
}

}  // namespace switchyard::cli
