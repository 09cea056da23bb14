#include "cli/conform/plugin/plugin_under_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <system_error>
#include <thread>

#include "cli/conform/case.hpp"
#include "plugin_loader/load.hpp"

namespace switchyard::cli::conform {
namespace {

/// A path as a string of TOML.
std::string quoted(const std::string& path) {
  std::string text = "\"";
  for (const char letter : path) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + '"';
}

}  // namespace

PluginUnderTest plugin_under_test(const std::string& library,
                                  const std::vector<std::string>& options) {
  std::error_code failed;
  PluginUnderTest plugin;
  plugin.library = std::filesystem::canonical(library, failed);
  if (failed) {
    throw Error(ErrorKind::not_found,
                fmt::format("{}: {}; name the file of a plugin", library, failed.message()));
  }
  std::vector<ConfigFlag> flags;
  for (const std::string& option : options) {
    flags.push_back({ConfigFlag::Kind::set, "plugins.tried.options." + option});
  }
  plugin.config = parse_config(fmt::format("[routing]\norder = [\"tried\"]\n"
                                           "[plugins.tried]\nlibrary = {}\n",
                                           quoted(plugin.library.string())),
                               "conform", flags, {});
  plugin.threads = std::max(std::thread::hardware_concurrency(), 1u);
  return plugin;
}

std::shared_ptr<const Plugin> load(const PluginUnderTest& plugin) {
  LoadContext context;
  context.thread_limit = plugin.threads;
  LoadResult result = load_plugin(plugin.config, plugin.entry(), context);
  if (result.failure)
    fail("it does not load: {}. {}", result.failure->reason, result.failure->remedy);
  return std::move(result.plugin);
}

const sy_device_info& device_info(const Plugin& plugin, std::uint32_t index) {
  if (!plugin.available()) skip("no device is available: {}", plugin.message());
  if (index >= plugin.devices().size()) {
    fail("it lists {} devices, and none of index {}", plugin.devices().size(), index);
  }
  const sy_device_info& info = plugin.devices()[index].info;
  if (!info.available) skip("device {} is not available: {}", index, info.message);
  return info;
}

}  // namespace switchyard::cli::conform
