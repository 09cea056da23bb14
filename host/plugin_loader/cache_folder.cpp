#include "plugin_loader/cache_folder.hpp"

#include <cstdlib>

#include "config/environment.hpp"

namespace switchyard {

std::filesystem::path cache_folder() {
  if (is_elevated_process()) return {};
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (cache != nullptr) folder = cache;
  if (!folder.is_absolute() && home != nullptr) folder = std::filesystem::path(home) / ".cache";
  return folder.is_absolute() ? folder / "switchyard" : std::filesystem::path();
}

}  // namespace switchyard
