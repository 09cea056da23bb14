#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace switchyard::cli {

/// Splits "NAME=VALUE" at the first "=", as file names may hold more. Throws
/// Error(invalid_argument) that names the flag if there is none, or nothing before or after it.
std::pair<std::string, std::string> read_assignment(const std::string& flag,
                                                    const std::string& text);

/// `--dim NAME=N`, each: extents by name. Throws Error(invalid_argument), also for a name given
/// twice.
std::map<std::string, std::int64_t> read_dims(const std::vector<std::string>& texts);

}  // namespace switchyard::cli
