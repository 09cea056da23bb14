// From a plugin's name in the configuration to the plugin.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin.hpp"

namespace switchyard {

// What loading depends on besides the configuration.
struct LoadContext {
  std::vector<std::string> plugin_folders;  // see installed_plugin_folders
  std::filesystem::path probe_program;  // tries libraries; empty: they are loaded without a trial
  std::filesystem::path trial_record;   // see trial_record.hpp; empty: every load makes a trial
  std::chrono::milliseconds trial_limit{20000};  // a library that takes longer counts as crashed
  std::uint32_t thread_limit = 1;                // for the plugins, each
};

// That of this program as it is installed: all threads that it may use.
LoadContext installed_context();

// Either a plugin or the failure.
struct LoadResult {
  std::shared_ptr<const Plugin> plugin;
  std::optional<LoadFailure> failure;
};

// Finds the library that `plugin` names, judges its file, tries it in a process of its own unless
// this build of it has survived that before, opens it, enters it, and probes it. Only this one file
// is opened. Never throws for what a library is or does; `plugin.required` tells the caller whether
// a failure matters. Any thread may call it.
LoadResult load_plugin(const Config& config, const PluginConfig& plugin,
                       const LoadContext& context);

// The failure as one line: "plugin 'x' was not loaded: REASON. REMEDY"
std::string to_text(const LoadFailure& failure, const std::string& plugin);

}  // namespace switchyard
