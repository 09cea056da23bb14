#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/doctor/inspection.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/quantity.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/terminal/text_table.hpp"
#include "io/runtime_json.hpp"

namespace switchyard::cli {
namespace {

std::string state_text(bool built, bool available) {
  if (available) return paint(Colour::green, "available");
  return paint(Colour::yellow, built ? "built, not available" : "not built");
}

std::string plugin_line(const PluginInfo& plugin) {
  const std::string name = paint(Colour::bold, plugin.name);
  if (!plugin.loaded) {
    return fmt::format("{}  {}{}  {}\n", name, paint(Colour::red, "failed"),
                       plugin.required ? ", required" : "", plugin.library);
  }
  return fmt::format("{}  {}, ABI {}{}  {}\n", name,
                     plugin.version.empty() ? "no version" : plugin.version, plugin.abi,
                     plugin.required ? ", required" : "", plugin.library);
}

std::string device_lines(const std::vector<DeviceInfo>& devices) {
  TextTable table({{"device"}, {"state"}, {"memory", true}, {"what"}});
  for (const DeviceInfo& device : devices) {
    table.add({device.id, state_text(device.built, device.available),
               device.memory_bytes == 0 ? "-" : bytes_text(device.memory_bytes),
               device.description});
  }
  std::string text = table.text();
  for (const DeviceInfo& device : devices) {
    if (!device.reason.empty()) text += fmt::format("  {}: {}\n", device.id, device.reason);
  }
  return text;
}

std::string plugin_text(const PluginInfo& plugin) {
  std::string text = plugin_line(plugin);
  if (!plugin.devices.empty()) return text + device_lines(plugin.devices);
  if (plugin.loaded) text += fmt::format("  {}\n", state_text(plugin.built, plugin.available));
  return text + fmt::format("  {}\n", plugin.reason);
}

int list_devices(const ConfigurationOptions& options) {
  const Runtime inspected = inspect(read_configuration(options));
  const std::vector<PluginInfo> plugins = inspected.plugins();
  if (options.json) {
    print_json({{"plugins", json_of(plugins)}});
  } else {
    for (const PluginInfo& plugin : plugins) print(plugin_text(plugin));
  }
  check_required(inspected);
  return kSuccess;
}

Action declare_devices(CLI::App& arguments) {
  auto options = std::make_shared<ConfigurationOptions>();
  add_configuration_options(arguments, *options);
  return [options] { return list_devices(*options); };
}

}  // namespace

const Subcommand devices_command = {"devices",
                                    "Lists the plugins of the configuration and their devices",
                                    "  switchyard devices\n"
                                    "  switchyard devices --order cpu --json\n"
                                    "Exits with 1 if a required plugin is broken.",
                                    declare_devices};

}  // namespace switchyard::cli
