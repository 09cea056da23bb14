#include "config/config.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/commands/subcommand.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/terminal.hpp"
#include "config/library_search.hpp"

namespace switchyard::cli {
namespace {

Json to_json(const ConfigValue& value) {
  if (const auto* list = std::get_if<ConfigValue::List>(&value.data)) {
    Json items = Json::array();
    for (const ConfigValue& item : *list) items.push_back(to_json(item));
    return items;
  }
  return std::visit(
      [](const auto& data) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(data)>, ConfigValue::List>) {
          return nullptr;
        } else {
          return data;
        }
      },
      value.data);
}

Json to_json(const Config& config) {
  Json settings = Json::array();
  for (const Setting& setting : config.settings) {
    settings.push_back({{"key", to_text(setting.path)},
                        {"value", to_json(setting.value)},
                        {"origin", describe_origin(setting)}});
  }
  return {{"file", config.source}, {"settings", std::move(settings)}};
}

/// With the libraries that lie beside the file, or are named from there, by absolute path: what is
/// printed is a configuration wherever it is put.
Config with_absolute_libraries(Config config) {
  for (Setting& setting : config.settings) {
    const bool is_library =
        setting.path.size() == 3 && setting.path[0] == "plugins" && setting.path[2] == "library";
    const PluginConfig* plugin = is_library ? config.find_plugin(setting.path[1]) : nullptr;
    if (!plugin) continue;
    const LibrarySearch search = find_library(config, *plugin, {});
    const bool is_path = plugin->library.find('/') != std::string::npos;
    if (!search.found.empty() || is_path) {
      setting.value.data = search.found.empty() ? search.candidates.front() : search.found;
    }
  }
  return config;
}

int show_config(const ConfigurationOptions& options) {
  const Config config = with_absolute_libraries(read_configuration(options));
  if (options.json) {
    print_json(to_json(config));
  } else {
    print(to_text(config));
  }
  return kSuccess;
}

Action declare_config(CLI::App& arguments) {
  auto options = std::make_shared<ConfigurationOptions>();
  add_configuration_options(arguments, *options);
  return [options] { return show_config(*options); };
}

}  // namespace

const Subcommand config_command = {
    "config", "Prints the effective configuration, each value with its origin",
    "  switchyard config\n"
    "  switchyard config --order cpu --set plugins.cpu.options.threads=2\n"
    "What it prints is a configuration itself.",
    declare_config};

}  // namespace switchyard::cli
