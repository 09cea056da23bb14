#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "config/config.hpp"
#include "config/setting.hpp"

namespace switchyard::config {

enum class ValueType { boolean, integer, number, string, string_list, byte_size, any };

/// Whether a configuration that is read again may have another value for the key, while the program
/// runs.
enum class Reload { live, fixed };

/// What is wrong with a value, or with one item of it; worded to follow "key 'x'".
struct ValueProblem {
  std::string text;
  const ConfigValue* item = nullptr;  // null: the value as a whole
};

/// One key of the configuration: all that the reader, the checks, `--set`, the suggestions and the
/// printed configuration know of it. In `key`, PLUGIN and OP stand for any one name, and ANY for
/// one or more names of the plugin's own.
struct KeyRow {
  std::string_view key;
  ValueType type;
  std::span<const std::string_view> allowed;  // empty: any value of the type
  std::string_view default_text;  // TOML, PLUGIN standing for the plugin's name; "": no default
  std::string_view environment;   // the variable that overrides it; "": none
  Reload reload;
  std::optional<ValueProblem> (*check)(
      const ConfigValue&);                                // null: nothing beyond type and allowed
  void (*apply)(const Setting& setting, Config& config);  // sets what the setting means
  std::string_view summary;                               // what it is, for people, in one line
};

/// All rows, in the order in which they are printed.
std::span<const KeyRow> schema();

}  // namespace switchyard::config
