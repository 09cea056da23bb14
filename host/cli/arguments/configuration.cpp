#include "cli/arguments/configuration.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "plugin_loader/own_location.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli {
namespace {

/// A flag that may be given often, each time recorded in the order of the command line.
void add_flag_option(CLI::App& arguments, ConfigurationOptions& options, ConfigFlag::Kind kind,
                     const std::string& name, const std::string& value, const std::string& help) {
  arguments
      .add_option_function<std::string>(
          name,
          [&options, kind](const std::string& text) {
            options.flags.push_back({kind, text});
          },
          help)
      ->type_name(value)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->trigger_on_parse();
}

}  // namespace

void add_override_options(CLI::App& arguments, ConfigurationOptions& options) {
  add_flag_option(arguments, options, ConfigFlag::Kind::order, "--order", "A,B",
                  "Devices in the order in which they are asked, instead of routing.order");
  add_flag_option(arguments, options, ConfigFlag::Kind::set, "--set", "KEY=VALUE",
                  "Sets any key of the configuration; the value is TOML or a plain word");
  arguments.add_flag("--json", options.json, "Prints JSON; host/cli/JSON.md documents the keys");
}

void add_configuration_options(CLI::App& arguments, ConfigurationOptions& options) {
  arguments
      .add_option("--config", options.file,
                  "The configuration; without it $SWITCHYARD_CONFIG, else the installed default")
      ->type_name("FILE");
  add_override_options(arguments, options);
}

std::vector<std::string> words_of(const ConfigurationOptions& options) {
  std::vector<std::string> words;
  if (!options.file.empty()) words.push_back("--config=" + options.file);
  for (const ConfigFlag& flag : options.flags) {
    words.push_back((flag.kind == ConfigFlag::Kind::set ? "--set=" : "--order=") + flag.text);
  }
  return words;
}

ConfigRequest request_of(const ConfigurationOptions& options) {
  ConfigRequest request;
  request.file = options.file;
  request.installed_file = installed_config_file().string();
  request.flags = options.flags;
  return request;
}

Config read_configuration(const ConfigurationOptions& options) {
  return load_config(request_of(options));
}

Runtime start_runtime(const ConfigurationOptions& options) {
  return start_runtime(read_configuration(options));
}

Config only_on(Config config, std::string_view device) {
  const std::optional<DeviceName> name = parse_device_name(device);
  if (!name) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' names no device; write PLUGIN or PLUGIN:INDEX", device));
  }
  if (!config.find_plugin(name->plugin)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: the configuration has no [plugins.{}]; see `switchyard devices`",
                            to_text(*name), name->plugin));
  }
  config.routing.order = {*name};
  config.routing.pins.clear();
  config.routing.fallback = FallbackPolicy::deny;
  config.routing.fallback_by_plugin.clear();
  config.routing.fallback_by_op.clear();
  return config;
}

Runtime start_runtime(Config config) { return Runtime(Engine::start(std::move(config))); }

}  // namespace switchyard::cli
