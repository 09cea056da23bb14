#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace switchyard {

/// Where in its text something stands, counted from 1; 0:0 where there is no text.
struct Position {
  int line = 0;
  int column = 0;
};

/// One value as the configuration gives it. Tables are never values: they are flattened into keys.
struct ConfigValue {
  using List = std::vector<ConfigValue>;

  std::variant<bool, std::int64_t, double, std::string, List> data = false;
  Position position;

  /// Compares what is said, not where.
  friend bool operator==(const ConfigValue& a, const ConfigValue& b) { return a.data == b.data; }
};

/// The names of a key from the outside in: {"plugins", "b", "library"}.
using KeyPath = std::vector<std::string>;

/// The value as TOML writes it; parsing the text gives the same value again.
std::string to_text(const ConfigValue& value);

/// The dotted key as TOML writes it, with quotes round the names that need them.
std::string to_text(const KeyPath& path);

/// "a boolean", "a list": what to call the value's type in an error.
std::string_view type_name(const ConfigValue& value);

}  // namespace switchyard
