#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard {

/// A device by name: `plugin:index`, or the plugin's name alone for its device 0.
struct DeviceName {
  std::string plugin;
  int index = 0;

  friend bool operator==(const DeviceName& a, const DeviceName& b) {
    return a.plugin == b.plugin && a.index == b.index;
  }
};

/// "plugin:index", always with the index.
std::string to_text(const DeviceName& device);

/// Reads `plugin` or `plugin:index`; nothing if the text is neither.
std::optional<DeviceName> parse_device_name(std::string_view text);

constexpr std::size_t kMostPluginNameBytes = 64;

/// Letters, digits, `_` and `-`, at least one and at most kMostPluginNameBytes: such a name is safe
/// within a file name, and a key of each option of its plugin can be written.
bool is_plugin_name(std::string_view text);

}  // namespace switchyard
