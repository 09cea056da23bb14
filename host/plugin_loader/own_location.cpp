#include "plugin_loader/own_location.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <cerrno>
#include <optional>
#include <system_error>

#include "config/trusted_path.hpp"
#include "trace/log.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

fs::path program_folder() { return own_program().parent_path(); }

// Of the shared host library; of the program where the host is linked into it.
fs::path find_library_folder() {
  std::error_code failed;
  const fs::path library = boost::dll::symbol_location(installed_plugin_folders, failed);
  if (failed || !library.has_parent_path()) return program_folder();
  const fs::path resolved = fs::canonical(library, failed);
  if (!failed) return resolved.parent_path();
  return library.is_absolute() ? library.parent_path() : program_folder();
}

const fs::path& library_folder() {
  static const fs::path& folder = *new fs::path(find_library_folder());
  return folder;
}

// Asked while the library is being loaded: it may be loaded by a path that counts from the working
// directory, which changes later.
[[maybe_unused]] const bool asked_early = !library_folder().empty();

std::vector<fs::path> join_all(std::initializer_list<std::pair<fs::path, const char*>> parts) {
  std::vector<fs::path> paths;
  for (const auto& [base, relative] : parts) {
    if (base.empty()) continue;
    const fs::path path = (base / relative).lexically_normal();
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  return paths;
}

}  // namespace

fs::path own_program() {
  std::error_code failed;
  const fs::path program = boost::dll::program_location(failed);
  return failed ? fs::path() : program;
}

std::vector<std::string> installed_plugin_folders() {
  const fs::path library = library_folder();
  const fs::path program = program_folder();
  std::vector<std::string> folders;
  for (const fs::path& folder : join_all({{library, SWITCHYARD_LIBRARY_PLUGIN_FOLDER},
                                          {program, SWITCHYARD_PLUGIN_FOLDER},
                                          {library, SWITCHYARD_BUILD_PLUGIN_FOLDER},
                                          {program, SWITCHYARD_BUILD_PLUGIN_FOLDER}})) {
    folders.push_back(folder.string());
  }
  return folders;
}

fs::path installed_config_file() {
  const fs::path library = library_folder();
  const fs::path program = program_folder();
  fs::path unreadable;  // who reads it says why
  for (const fs::path& folder : join_all({{library, SWITCHYARD_LIBRARY_CONFIG_FOLDER},
                                          {program, SWITCHYARD_CONFIG_FOLDER},
                                          {library, SWITCHYARD_BUILD_CONFIG_FOLDER},
                                          {program, SWITCHYARD_BUILD_CONFIG_FOLDER}})) {
    const fs::path file = folder / "default.toml";
    if (::access(file.c_str(), R_OK) == 0) return file;
    if (errno != ENOENT && errno != ENOTDIR && unreadable.empty()) unreadable = file;
  }
  return unreadable;
}

fs::path installed_probe_program() {
  const fs::path library = library_folder();
  const fs::path program = program_folder();
  for (const fs::path& folder : join_all({{library, SWITCHYARD_LIBRARY_PROBE_FOLDER},
                                          {program, SWITCHYARD_PROBE_FOLDER},
                                          {library, "../bin"},
                                          {program, "."}})) {
    const fs::path path = folder / "switchyard-probe";
    if (::access(path.c_str(), X_OK) != 0) continue;
    const std::optional<std::string> problem = why_untrusted(path.string());
    if (!problem) return path;
    trace::warn("plugins are loaded without a trial: {}", *problem);
  }
  return {};
}

}  // namespace switchyard
