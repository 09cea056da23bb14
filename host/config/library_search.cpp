#include "config/library_search.hpp"

#include <filesystem>

namespace switchyard {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() > ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

std::vector<std::string> file_names(const std::string& library) {
  if (ends_with(library, ".so") || ends_with(library, ".dylib")) return {library};
#if defined(__APPLE__)
  return {"lib" + library + ".dylib", "lib" + library + ".so"};
#else
  return {"lib" + library + ".so"};
#endif
}

std::vector<std::string> candidates_of(const Config& config, const std::string& library,
                                       const std::vector<std::string>& plugin_folders) {
  if (library.find('/') != std::string::npos) {
    return {(fs::path(config.folder) / library).lexically_normal().string()};
  }
  std::vector<std::string> folders = plugin_folders;
  if (!config.folder.empty()) folders.insert(folders.begin(), config.folder);
  std::vector<std::string> result;
  for (const std::string& folder : folders) {
    for (const std::string& name : file_names(library)) {
      result.push_back((fs::path(folder) / name).lexically_normal().string());
    }
  }
  return result;
}

}  // namespace

LibrarySearch find_library(const Config& config, const PluginConfig& plugin,
                           const std::vector<std::string>& plugin_folders) {
  LibrarySearch search{candidates_of(config, plugin.library, plugin_folders), ""};
  for (const std::string& candidate : search.candidates) {
    std::error_code ignored;
    if (fs::exists(candidate, ignored) && !fs::is_directory(candidate, ignored)) {
      search.found = candidate;
      break;
    }
  }
  return search;
}

}  // namespace switchyard
