#pragma once

#include <cstddef>
#include <string>

#include "config/schema.hpp"
#include "config/value.hpp"

namespace switchyard::config {

/// What a path is: a key (then with its row), a table that holds keys, or unknown.
struct Match {
  const KeyRow* row = nullptr;
  bool is_table = false;
};
Match match(const KeyPath& path);

/// The path of a row whose key has no stand-ins, or whose PLUGIN is the given name.
KeyPath path_of(const KeyRow& row, const std::string& plugin = "");

/// What to say after "key 'x' is not known": the nearest known key, or else the keys known there.
std::string unknown_key_advice(const KeyPath& path);

/// The names that may follow a table's path, separated by commas.
std::string known_below(const KeyPath& table);

}  // namespace switchyard::config
