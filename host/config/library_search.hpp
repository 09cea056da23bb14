#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"

namespace switchyard {

/// Where a plugin's library may be, and where it is.
struct LibrarySearch {
  std::vector<std::string> candidates;  // absolute paths, in the order in which they count
  std::string found;                    // the first that exists; "": none does
};

/// Looks for the library that `plugin.library` names. A name (`switchyard_x`) is looked for as
/// `libswitchyard_x.so` (on macOS as .dylib first), a name that ends in .so or .dylib as it stands:
/// first in the configuration's folder, then in the plugin folders in their order. A name with a
/// `/` is a path, relative to the configuration's folder. The working directory never counts.
LibrarySearch find_library(const Config& config, const PluginConfig& plugin,
                           const std::vector<std::string>& plugin_folders);

}  // namespace switchyard
