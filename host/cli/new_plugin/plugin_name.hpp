#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace switchyard::cli {

/// Checks the name of a plugin to be made: letters, digits and underscores, which targets, files
/// and configurations can all have, and that of no library in `plugin_folders`, upper and lower
/// case being the same. Throws Error(invalid_argument), with a name that would do where there is
/// one.
void check_new_plugin_name(const std::string& name, const std::vector<std::string>& plugin_folders);

/// The file in which a plugin of that name is built: "libswitchyard_NAME.so", or as this system has
/// it.
std::string plugin_file_name(std::string_view name);

}  // namespace switchyard::cli
