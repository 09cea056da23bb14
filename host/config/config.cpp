#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "config/checks.hpp"
#include "config/flags.hpp"
#include "config/key_match.hpp"
#include "config/layers.hpp"
#include "config/toml_reader.hpp"
#include "config/trusted_file.hpp"

namespace switchyard {
namespace {

struct Source {
  std::string name;
  std::string folder;
};

void lay_text(config::Layers& layers, std::string_view text, const std::string& name) {
  const config::TomlText toml = config::read_toml(text);
  const Origin origin{Origin::Kind::file, name};
  if (toml.problem) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", describe(origin, toml.problem->position),
                                               toml.problem->description));
  }
  layers.lay(toml.entries, origin);
}

Config assemble_within_memory(std::string_view text, const Source& source,
                              const std::vector<ConfigFlag>& flags,
                              const Environment& environment) {
  config::Layers layers;
  lay_text(layers, text, source.name);
  for (const config::VariableEntries& set : config::read_variables(environment)) {
    layers.lay(set.entries, {Origin::Kind::environment, set.variable});
  }
  for (const ConfigFlag& flag : flags) {
    layers.lay(config::read_flag(flag), {Origin::Kind::flag, config::flag_name(flag.kind)});
  }

  Config config;
  config.source = source.name;
  config.folder = source.folder;
  config.settings = layers.settle();
  for (const Setting& setting : config.settings) {
    config::match(setting.path).row->apply(setting, config);
  }
  config::check_whole(config);
  return config;
}

Config assemble(std::string_view text, const Source& source, const std::vector<ConfigFlag>& flags,
                const Environment& environment) try {
  return assemble_within_memory(text, source, flags, environment);
} catch (const std::bad_alloc&) {
  throw Error(ErrorKind::out_of_memory,
              fmt::format("{}: reading it takes more memory than there is", source.name));
}

std::string chosen_file(const ConfigRequest& request) {
  if (!request.file.empty()) return request.file;
  const auto named = request.environment.find(config_file_variable);
  if (named != request.environment.end()) return named->second;
  std::error_code ignored;
  const auto found = std::filesystem::status(request.installed_file, ignored).type();
  // One that cannot be looked at is there, for all that is known; reading it says what is wrong.
  const bool is_absent =
      request.installed_file.empty() || found == std::filesystem::file_type::not_found;
  if (!is_absent) return request.installed_file;
  const std::string missing = request.installed_file.empty()
                                  ? ""
                                  : fmt::format(", and {} does not exist", request.installed_file);
  throw Error(ErrorKind::config,
              fmt::format("no configuration is named{}; name one with --config FILE or {}=FILE",
                          missing, config_file_variable));
}

}  // namespace

const PluginConfig* Config::find_plugin(std::string_view name) const {
  const auto found = std::find_if(plugins.begin(), plugins.end(),
                                  [&](const PluginConfig& plugin) { return plugin.name == name; });
  return found == plugins.end() ? nullptr : &*found;
}

const Setting* Config::find_setting(std::string_view key) const {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) {
    return to_text(setting.path) == key;
  });
  return found == settings.end() ? nullptr : &*found;
}

Config load_config(const ConfigRequest& request) {
  const std::string file = chosen_file(request);
  const std::string text = read_trusted_file(file);
  const Source source{file, std::filesystem::absolute(file).lexically_normal().parent_path()};
  return assemble(text, source, request.flags, request.environment);
}

Config parse_config(std::string_view text, const std::string& name,
                    const std::vector<ConfigFlag>& flags, const Environment& environment) {
  return assemble(text, {name, ""}, flags, environment);
}

std::string to_text(const Config& config) {
  constexpr std::size_t widest_aligned = 48;
  std::string text;
  for (const Setting& setting : config.settings) {
    const std::string line = fmt::format("{} = {}", to_text(setting.path), to_text(setting.value));
    text += fmt::format("{:<{}}  # {}\n", line, widest_aligned, describe_origin(setting));
  }
  return text;
}

}  // namespace switchyard
