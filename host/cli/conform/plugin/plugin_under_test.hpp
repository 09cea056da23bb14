// The plugin that is tried: its file, its options, and which of its devices.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments/configuration.hpp"
#include "config/config.hpp"
#include "plugin_loader/plugin.hpp"

namespace switchyard::cli::conform {

struct PluginUnderTest {
  std::filesystem::path library;   // absolute
  Config config;                   // of this plugin alone, as "tried"
  ConfigurationOptions reference;  // the configuration whose devices compute what is expected
  std::uint32_t device = 0;        // its index
  std::uint32_t threads = 1;       // that the plugin may keep busy

  const PluginConfig& entry() const { return config.plugins.front(); }
};

/// Of the file at `library`, with options in the form `key=value` as `--set` takes them. Throws
/// Error(invalid_argument) for an option that is not of this form, Error(not_found) for a file that
/// is not there.
PluginUnderTest plugin_under_test(const std::string& library,
                                  const std::vector<std::string>& options);

/// Loads it as the host does, but for the trial: this process is one. Throws CaseFailed with the
/// loader's words.
std::shared_ptr<const Plugin> load(const PluginUnderTest& plugin);

/// What it says of the device of that index. Throws CaseFailed if it lists none, and CaseSkipped,
/// with its own words, if the device is not available.
const sy_device_info& device_info(const Plugin& plugin, std::uint32_t index);

}  // namespace switchyard::cli::conform
