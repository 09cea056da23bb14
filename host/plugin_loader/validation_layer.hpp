// The layer between the host and a plugin whose section says `validate = true`. It is a library of
// its own, so that the host has no check of this kind, and none is made where it is not asked for.
#pragma once

#include <switchyard/plugin.h>

#include <string>
#include <vector>

#include "config/config.hpp"
#include "plugin_loader/plugin_table.hpp"

namespace switchyard {

// The layer's entry, in this process, and its own options.
struct ValidationLayer {
  sy_plugin_entry entry = nullptr;
  std::vector<PluginOption> options;
};

// Finds the layer's library in the plugin folders, judges its file and opens it. Throws LoadError,
// which names the plugin that asks for it.
ValidationLayer open_validation_layer(const PluginConfig& plugin,
                                      const std::vector<std::string>& plugin_folders);

// Enters a plugin as enter_plugin does, through the layer, whose table is the result.
PluginTable enter_through(const ValidationLayer& layer, sy_plugin_entry entry, const sy_host& host);

}  // namespace switchyard
