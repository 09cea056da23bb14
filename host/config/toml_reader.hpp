#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value.hpp"

namespace switchyard::config {

/// One key of a TOML text: a value, or the mention of a table, which has none.
struct Entry {
  KeyPath path;
  Position key_position;
  std::optional<ConfigValue> value;
};

struct TextProblem {
  Position position;
  std::string description;
};

/// What a TOML text says, in the order in which it says it, tables flattened into dotted keys and
/// each mentioned before what is in it; or where the text goes wrong.
struct TomlText {
  std::vector<Entry> entries;
  std::optional<TextProblem> problem;
};

/// Reads TOML 1.0. Dates, and tables within lists, are problems: no key of ours takes them.
TomlText read_toml(std::string_view text);

}  // namespace switchyard::config
