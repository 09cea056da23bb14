#include "config/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "config/device_name.hpp"
#include "config/key_match.hpp"
#include "config/value_check.hpp"

namespace switchyard::config {
namespace {

bool is_of_plugin(const KeyPath& path) { return path.size() > 1 && path[0] == "plugins"; }

Error key_error(const Entry& entry, const Origin& origin, std::string_view problem) {
  return setting_error({entry.path, ConfigValue{{}, entry.key_position}, origin}, problem);
}

const KeyRow& known_row(const Entry& entry, const Origin& origin, const Match& found) {
  if (found.is_table) {
    throw setting_error({entry.path, *entry.value, origin},
                        fmt::format("is {}; it is a table, which takes {}", type_name(*entry.value),
                                    known_below(entry.path)));
  }
  return *found.row;
}

bool contains(const std::vector<Setting>& settings, const KeyPath& path) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.path == path; });
}

// A default is TOML like everything else; PLUGIN in it stands for the plugin's name.
ConfigValue default_value(const KeyRow& row, const std::string& plugin) {
  std::string text(row.default_text);
  const std::size_t stand_in = text.find("PLUGIN");
  if (stand_in != std::string::npos) text.replace(stand_in, 6, plugin);
  ConfigValue value = *read_toml("value = " + text).entries.at(0).value;
  value.position = {};
  return value;
}

void add_defaults(std::vector<Setting>& settings, bool of_plugin, const std::string& plugin) {
  for (const KeyRow& row : schema()) {
    KeyPath path = path_of(row, plugin);
    if (row.default_text.empty() || is_of_plugin(path) != of_plugin) continue;
    if (!contains(settings, path)) {
      settings.push_back({std::move(path), default_value(row, plugin), Origin{}});
    }
  }
}

// Without an order, the plugins as the file has them: the host knows no device by name.
void add_default_order(std::vector<Setting>& settings, const std::vector<std::string>& plugins) {
  const KeyPath path = {"routing", "order"};
  if (contains(settings, path)) return;
  ConfigValue::List names;
  for (const std::string& name : plugins) names.push_back(ConfigValue{name, {}});
  settings.push_back({path, ConfigValue{std::move(names), {}}, Origin{}});
}

}  // namespace

void Layers::lay(const std::vector<Entry>& entries, const Origin& origin) {
  for (const Entry& entry : entries) {
    const Match found = match(entry.path);
    if (found.row == nullptr && !found.is_table) {
      throw key_error(entry, origin, "is not known" + unknown_key_advice(entry.path));
    }
    note_plugin(entry, origin);
    if (entry.value) {
      Setting setting{entry.path, *entry.value, origin};
      check_value(known_row(entry, origin, found), setting);
      put(std::move(setting));
    } else if (found.row != nullptr && found.row->type != ValueType::any) {
      throw key_error(entry, origin,
                      fmt::format("is a table; it takes {}: {}", expected_type(*found.row),
                                  found.row->summary));
    }
  }
}

void Layers::note_plugin(const Entry& entry, const Origin& origin) {
  if (!is_of_plugin(entry.path)) return;
  const std::string& name = entry.path[1];
  if (!is_plugin_name(name)) {
    throw key_error(entry, origin,
                    fmt::format("has a name that no plugin can have; use letters, digits, '_' and "
                                "'-', at most {}",
                                kMostPluginNameBytes));
  }
  if (std::find(plugins_.begin(), plugins_.end(), name) == plugins_.end()) {
    plugins_.push_back(name);
  }
}

void Layers::put(Setting setting) {
  const auto known = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const Setting& other) { return other.path == setting.path; });
  if (known != settings_.end()) {
    *known = std::move(setting);
  } else {
    settings_.push_back(std::move(setting));
  }
}

std::vector<Setting> Layers::settle() const {
  std::vector<Setting> settings = settings_;
  add_defaults(settings, false, "");
  for (const std::string& plugin : plugins_) add_defaults(settings, true, plugin);
  add_default_order(settings, plugins_);

  const auto position = [this](const Setting& setting) {
    const std::ptrdiff_t row = match(setting.path).row - schema().data();
    if (!is_of_plugin(setting.path)) return std::tuple(std::ptrdiff_t{-1}, row);
    const auto plugin = std::find(plugins_.begin(), plugins_.end(), setting.path[1]);
    return std::tuple(plugin - plugins_.begin(), row);
  };
  std::stable_sort(settings.begin(), settings.end(),
                   [&](const Setting& a, const Setting& b) { return position(a) < position(b); });
  return settings;
}

}  // namespace switchyard::config
