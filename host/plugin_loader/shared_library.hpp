// A shared object in this process. It is never unloaded: tables, kernels and threads of a plugin
// may outlive whoever asked for it.
#pragma once

#include <switchyard/plugin.h>

#include <filesystem>

namespace switchyard {

// Opens the library with all its symbols bound, and none of them shown to others, and returns its
// entry. Throws LoadError with the dynamic loader's own words.
sy_plugin_entry open_library(const std::filesystem::path& path);

}  // namespace switchyard
