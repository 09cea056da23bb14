#include "config/flags.hpp"

#include <fmt/format.h>

#include "config/key_match.hpp"

namespace switchyard::config {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<Entry> read_order(std::string_view text) {
  ConfigValue::List names;
  while (true) {
    const std::size_t comma = text.find(',');
    names.push_back(ConfigValue{std::string(trimmed(text.substr(0, comma))), {}});
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return {Entry{{"routing", "order"}, {}, ConfigValue{std::move(names), {}}}};
}

// The `=` that ends the key: the first outside quotes.
std::size_t find_equals(std::string_view text) {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote == '\0' && text[i] == '=') return i;
    if (quote == '\0' && (text[i] == '"' || text[i] == '\'')) {
      quote = text[i];
    } else if (text[i] == quote) {
      quote = '\0';
    }
  }
  return std::string_view::npos;
}

KeyPath read_key(const std::string& key, const std::string& flag_text) {
  const TomlText probe = read_toml(key + " = 0");
  if (key.empty() || probe.problem || probe.entries.empty()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("flag --set: '{}' has no valid key before '='; write "
                            "key=value, such as --set routing.fallback=deny",
                            flag_text));
  }
  return probe.entries.back().path;
}

bool opens_bracket_or_quote(std::string_view text) {
  return !text.empty() && std::string_view("[{\"'").find(text.front()) != std::string_view::npos;
}

/// An integer that TOML does not read is one that it does not have, and no plain word.
bool is_integer(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<Entry> read_value(const std::string& key, const KeyPath& path, std::string_view text) {
  const std::vector<Entry> as_word = {Entry{path, {}, ConfigValue{std::string(text), {}}}};
  const KeyRow* row = match(path).row;
  const bool wants_string = row != nullptr && row->type == ValueType::string;
  if (text.empty() || (wants_string && !opens_bracket_or_quote(text))) return as_word;

  const TomlText toml = read_toml(fmt::format("{} = {}", key, text));
  if (!toml.problem) return toml.entries;
  if (!opens_bracket_or_quote(text) && !is_integer(text)) return as_word;
  throw Error(ErrorKind::config, fmt::format("flag --set: key '{}': value {} is {}", to_text(path),
                                             text, toml.problem->description));
}

std::vector<Entry> read_set(const std::string& text) {
  const std::size_t equals = find_equals(text);
  if (equals == std::string::npos || text.find_first_of("\r\n") != std::string::npos) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("flag --set: '{}' is not key=value; write it on one "
                            "line, such as --set routing.fallback=deny",
                            text));
  }
  const std::string key(trimmed(text.substr(0, equals)));
  const KeyPath path = read_key(key, text);
  return read_value(key, path, trimmed(std::string_view(text).substr(equals + 1)));
}

}  // namespace

std::string flag_name(ConfigFlag::Kind kind) {
  return kind == ConfigFlag::Kind::order ? "--order" : "--set";
}

std::vector<Entry> read_flag(const ConfigFlag& flag) {
  return flag.kind == ConfigFlag::Kind::order ? read_order(flag.text) : read_set(flag.text);
}

std::vector<VariableEntries> read_variables(const Environment& environment) {
  std::vector<VariableEntries> result;
  for (const KeyRow& row : schema()) {
    const auto found = environment.find(std::string(row.environment));
    if (row.environment.empty() || found == environment.end()) continue;
    const KeyPath path = path_of(row);
    result.push_back({found->first, read_value(to_text(path), path, found->second)});
  }
  return result;
}

}  // namespace switchyard::config
