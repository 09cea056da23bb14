// The plugin's library without anything that the host's loader does for it.
#pragma once

#include <switchyard/plugin.h>

#include <memory>
#include <string>

#include "cli/conform/plugin/plugin_under_test.hpp"
#include "plugin_loader/plugin_services.hpp"

namespace switchyard::cli::conform {

/// Opens it and finds its entry. Throws CaseFailed with the dynamic loader's words.
sy_plugin_entry bare_entry(const PluginUnderTest& plugin);

/// Services with the plugin's options, kept for ever, as a plugin may keep them.
const sy_host& services_for(const PluginUnderTest& plugin, const std::string& name);

/// The args of an entry that offers these versions.
sy_entry_args entry_args(const sy_host& host, std::uint32_t min_version, std::uint32_t max_version);

}  // namespace switchyard::cli::conform
