#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "config/toml_reader.hpp"

namespace switchyard::config {

/// "--order" or "--set".
std::string flag_name(ConfigFlag::Kind kind);

/// What one flag sets. The value of `--set key=value` is TOML; what is not is taken as a string, as
/// is any plain word for a key that takes strings. Throws Error(invalid_argument) without key and
/// `=`, and Error(config) for a value that opens a string, list or table and goes wrong within.
std::vector<Entry> read_flag(const ConfigFlag& flag);

/// What the environment sets, one group for each variable.
struct VariableEntries {
  std::string variable;
  std::vector<Entry> entries;
};
std::vector<VariableEntries> read_variables(const Environment& environment);

}  // namespace switchyard::config
