#pragma once

#include <map>
#include <string>

namespace switchyard {

/// The environment variables that the configuration knows, by name; those not set are absent.
using Environment = std::map<std::string, std::string>;

/// Names the configuration file where no --config does.
inline constexpr char config_file_variable[] = "SWITCHYARD_CONFIG";

/// True where this process has more rights than the user who started it (setuid and the like):
/// that user's environment must then not choose which libraries are opened.
bool is_elevated_process();

/// Reads the variables of this process; empty variables count as not set. Empty if elevated.
Environment read_environment(bool elevated = is_elevated_process());

}  // namespace switchyard
