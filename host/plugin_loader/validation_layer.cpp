#include "plugin_loader/validation_layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <switchyard/layer.h>

#include "config/library_search.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/library_file.hpp"
#include "plugin_loader/plugin_services.hpp"
#include "plugin_loader/shared_library.hpp"

namespace switchyard {
namespace {

std::vector<PluginOption> options_of(const ValidationConfig& config) {
  return {{"on_violation", {config.on_violation, {}}},
          {"seed", {config.seed, {}}},
          {"delay_microseconds", {config.delay_microseconds, {}}}};
}

std::string find_layer(const PluginConfig& plugin, const std::vector<std::string>& folders) {
  PluginConfig layer;
  layer.library = "switchyard_validation";
  const LibrarySearch search = find_library(Config(), layer, folders);
  if (!search.found.empty()) return search.found;
  throw LoadError(LoadProblem::not_found,
                  fmt::format("the validation layer is not there; looked for {}",
                              fmt::join(search.candidates, ", ")),
                  fmt::format("Install it, or set plugins.{}.validate to false.", plugin.name));
}

}  // namespace

ValidationLayer open_validation_layer(const PluginConfig& plugin,
                                      const std::vector<std::string>& plugin_folders) {
  const LibraryFile file(find_layer(plugin, plugin_folders));
  file.check_trust();
  file.check_format();
  ValidationLayer layer{open_library(file.path()), options_of(plugin.validation)};
  file.check_unchanged();
  return layer;
}

PluginTable enter_through(const ValidationLayer& layer, sy_plugin_entry entry,
                          const sy_host& host) {
  // The layer reads its options during the entry alone.
  const PluginServices own("validation", host.library_path, layer.options, host.thread_limit);
  sy_layer link = {};
  link.link.struct_size = sizeof(link);
  link.link.kind = SY_EXTENSION_LAYER;
  link.entry = entry;
  link.options = own.host().options;
  link.option_count = own.host().option_count;
  return enter_plugin(layer.entry, host, &link.link);
}

}  // namespace switchyard
