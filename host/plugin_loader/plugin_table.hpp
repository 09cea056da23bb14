// From a plugin's entry to the host's own table of its functions.
#pragma once

#include <switchyard/plugin.h>

#include <string>

namespace switchyard {

// "0.2"
std::string version_text(std::uint32_t abi_version);

// A plugin's functions as the host calls them: every slot is set.
struct PluginTable {
  sy_plugin slots = {};
  const sy_host* host = nullptr;      // what its entry was given; lives as long as the process
  bool has_map = false;               // map and unmap are the plugin's, not refusals
  bool has_events = false;            // likewise all five of the events
  bool has_release_constant = false;  // likewise
  bool has_elapsed_time = false;      // likewise
  bool has_workspace = false;         // likewise
};

// Calls the entry, offers it this host's ABI version, and copies the table that it gives. Throws
// LoadError if it fails or throws, if no version is agreed on, or if a required slot is missing.
// `host` lives as long as the process; `extensions` are for the entry, and may be null.
PluginTable enter_plugin(sy_plugin_entry entry, const sy_host& host,
                         const sy_extension* extensions = nullptr);

// The copying and checking alone.
PluginTable copy_table(const sy_plugin& given);

}  // namespace switchyard
