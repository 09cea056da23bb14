// Where this user's processes keep what saves them work.
#pragma once

#include <filesystem>

namespace switchyard {

// $XDG_CACHE_HOME/switchyard, or that of ~/.cache; it may not exist. Empty if neither is known, or
// in an elevated process.
std::filesystem::path cache_folder();

}  // namespace switchyard
