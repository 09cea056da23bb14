// Where this program and this library lie, and so what was installed with them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace switchyard {

// The folders in which plugins are installed, absolute, in the order in which they count: that of
// the host library before that of the program. They need not exist.
std::vector<std::string> installed_plugin_folders();

// The program `switchyard-probe` that was installed or built with this host; empty if it is not
// there, or if others can write it.
std::filesystem::path installed_probe_program();

// The file of the program that runs, absolute; empty if that cannot be told.
std::filesystem::path own_program();

// The installed default.toml, beside the worked configurations; empty if there is none.
std::filesystem::path installed_config_file();

}  // namespace switchyard
