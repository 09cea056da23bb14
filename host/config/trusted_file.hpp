#pragma once

#include <string>

namespace switchyard {

/// The text of a configuration file. Throws Error(config) if it is not trusted (see
/// trusted_path.hpp), not a regular file, too large to be a configuration, or cannot be read.
std::string read_trusted_file(const std::string& path);

}  // namespace switchyard
