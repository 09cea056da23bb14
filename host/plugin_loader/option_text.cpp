#include "plugin_loader/option_text.hpp"

#include <switchyard/error.hpp>
#include <utility>

#include "config/toml_reader.hpp"

namespace switchyard {

std::string to_text(const std::vector<PluginOption>& options) {
  std::string text;
  for (const PluginOption& option : options) {
    text += to_text(KeyPath{option.key}) + " = " + to_text(option.value) + "\n";
  }
  return text;
}

std::vector<PluginOption> parse_options(std::string_view text) {
  config::TomlText read = config::read_toml(text);
  if (read.problem) throw Error(ErrorKind::config, "options: " + read.problem->description);
  std::vector<PluginOption> options;
  for (config::Entry& entry : read.entries) {
    if (entry.value) options.push_back({entry.path.front(), std::move(*entry.value)});
  }
  return options;
}

}  // namespace switchyard
