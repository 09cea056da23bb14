#include "config/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "config/suggestion.hpp"

namespace switchyard::config {
namespace {

std::vector<std::string> plugin_names(const Config& config) {
  std::vector<std::string> names;
  for (const PluginConfig& plugin : config.plugins) names.push_back(plugin.name);
  return names;
}

std::string no_section(const Config& config, const std::string& written,
                       const std::string& plugin) {
  return fmt::format("names \"{}\", but there is no [plugins.{}]{}", written, plugin,
                     did_you_mean(plugin, plugin_names(config)));
}

void check_device(const Config& config, const Setting& setting, const ConfigValue& item) {
  const auto& written = std::get<std::string>(item.data);
  if (written.empty()) return;
  const DeviceName device = *parse_device_name(written);
  if (config.find_plugin(device.plugin) != nullptr) return;
  throw setting_error(setting, item, no_section(config, written, device.plugin));
}

void check_order(const Config& config, const Setting& setting) {
  std::set<std::string> seen;
  for (const ConfigValue& item : std::get<ConfigValue::List>(setting.value.data)) {
    check_device(config, setting, item);
    const std::string device = to_text(*parse_device_name(std::get<std::string>(item.data)));
    if (!seen.insert(device).second) {
      throw setting_error(setting, item, fmt::format("names \"{}\" twice; drop one", device));
    }
  }
}

void check_fallback_plugin(const Config& config, const Setting& setting) {
  const std::string& name = setting.path[2];
  if (config.find_plugin(name) != nullptr) return;
  throw setting_error(setting, no_section(config, name, name));
}

void check_library(const Config& config, const Setting& setting) {
  const auto& library = std::get<std::string>(setting.value.data);
  const bool relative_path = library.find('/') != std::string::npos && library.front() != '/';
  if (!relative_path || !config.folder.empty()) return;
  throw setting_error(setting, fmt::format("is \"{}\", a path relative to the configuration's "
                                           "folder, but the configuration is a text without one; "
                                           "write an absolute path",
                                           library));
}

// Two spellings of one option would reach the plugin under one name.
void check_options_differ(const Config& config) {
  std::set<std::string> seen;
  for (const Setting& setting : config.settings) {
    if (setting.path.size() < 4 || setting.path[0] != "plugins") continue;
    if (setting.path[2] != "options") continue;
    const std::string name = fmt::format(
        "{}.{}", setting.path[1], fmt::join(setting.path.begin() + 3, setting.path.end(), "."));
    if (!seen.insert(name).second) {
      throw setting_error(setting,
                          "is given twice, once as a quoted name with dots and once as "
                          "names joined by dots; drop one");
    }
  }
}

void check_setting(const Config& config, const Setting& setting) {
  const KeyPath& path = setting.path;
  if (path[0] == "plugins") {
    if (path[2] == "library") check_library(config, setting);
  } else if (path[0] == "routing") {
    if (path[1] == "order") check_order(config, setting);
    if (path[1] == "host_device" || path[1] == "pins") {
      check_device(config, setting, setting.value);
    }
    if (path[1] == "fallback_by_plugin") check_fallback_plugin(config, setting);
  }
}

}  // namespace

void check_whole(const Config& config) {
  if (config.plugins.empty()) {
    throw Error(ErrorKind::config,
                fmt::format("{}: no plugin is named, so nothing can run; add a section "
                            "[plugins.NAME] for each plugin to load",
                            config.source));
  }
  for (const Setting& setting : config.settings) check_setting(config, setting);
  check_options_differ(config);
}

}  // namespace switchyard::config
