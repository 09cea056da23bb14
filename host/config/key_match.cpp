#include "config/key_match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "config/suggestion.hpp"

namespace switchyard::config {
namespace {

bool is_stand_in(std::string_view name) {
  return name == "PLUGIN" || name == "OP" || name == "ANY";
}

KeyPath names_of(std::string_view key) {
  KeyPath names;
  while (true) {
    const std::size_t dot = key.find('.');
    names.emplace_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return names;
    key.remove_prefix(dot + 1);
  }
}

enum class Fit { none, inside, exact };

// Whether the path is the pattern's key, or a table on the way to it.
Fit fit(const KeyPath& pattern, const KeyPath& path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i == pattern.size()) return Fit::none;
    if (pattern[i] == "ANY") return Fit::exact;
    if (!is_stand_in(pattern[i]) && pattern[i] != path[i]) return Fit::none;
  }
  return path.size() == pattern.size() ? Fit::exact : Fit::inside;
}

// The pattern with its stand-ins filled from the path, cut before the first that cannot be.
KeyPath filled(const KeyPath& pattern, const KeyPath& path) {
  KeyPath result;
  for (std::size_t i = 0; i < pattern.size() && pattern[i] != "ANY"; ++i) {
    if (is_stand_in(pattern[i]) && i >= path.size()) break;
    result.push_back(is_stand_in(pattern[i]) ? path[i] : pattern[i]);
  }
  return result;
}

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

Match match(const KeyPath& path) {
  Match result;
  for (const KeyRow& row : schema()) {
    const Fit found = fit(names_of(row.key), path);
    if (found == Fit::exact) return {&row, false};
    if (found == Fit::inside) result.is_table = true;
  }
  return result;
}

KeyPath path_of(const KeyRow& row, const std::string& plugin) {
  KeyPath path = names_of(row.key);
  std::replace(path.begin(), path.end(), std::string("PLUGIN"), plugin);
  return path;
}

std::string known_below(const KeyPath& table) {
  std::vector<std::string> names;
  for (const KeyRow& row : schema()) {
    const KeyPath pattern = names_of(row.key);
    if (fit(pattern, table) == Fit::inside) add_once(names, pattern[table.size()]);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string unknown_key_advice(const KeyPath& path) {
  std::vector<std::string> candidates;
  for (const KeyRow& row : schema()) {
    // The right name in the wrong table is the likeliest slip of all.
    const KeyPath pattern = names_of(row.key);
    const KeyPath key = filled(pattern, path);
    if (key.size() == pattern.size() && pattern.back() == path.back()) {
      return fmt::format("; did you mean '{}'?", to_text(key));
    }
    KeyPath prefix;
    for (const std::string& name : key) {
      prefix.push_back(name);
      if (prefix.size() == path.size()) add_once(candidates, to_text(prefix));
    }
  }
  if (std::string advice = did_you_mean(to_text(path), candidates, "'"); !advice.empty()) {
    return advice;
  }
  KeyPath table = path;
  do {
    table.pop_back();
  } while (!table.empty() && !match(table).is_table);
  if (table.empty()) return "; the tables are " + known_below(table);
  return fmt::format("; [{}] takes {}", to_text(table), known_below(table));
}

}  // namespace switchyard::config
