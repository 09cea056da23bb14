// The validation layer: between the host and any plugin, it holds the host to plugin.h.
#include <switchyard/layer.h>

#include "plugin.hpp"
#include "settings.hpp"
#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/extension.hpp"

namespace validation {
namespace {

// Enters the plugin below, as if there were no layer.
sy_status enter_below(const sy_layer& layer, sy_entry_args& args, sy_error* error) {
  const sy_extension* const own = args.extensions;
  args.extensions = layer.link.next;
  const sy_status status = layer.entry(&args, error);
  args.extensions = own;
  return status;
}

sy_status enter(sy_entry_args& args, sy_error* error) {
  const auto* layer = sy::find_extension<sy_layer>(args.extensions, SY_EXTENSION_LAYER);
  if (layer == nullptr) {
    throw sy::invalid("this library is the validation layer, which wraps plugins: set "
                      "plugins.NAME.validate = true in the section of the plugin to validate");
  }
  sy::negotiate_version(args);
  const Settings settings = read_settings(*layer);
  const sy_status status = enter_below(*layer, args, error);
  if (status != SY_OK || args.plugin == nullptr) return status;
  Plugin& plugin = wrap(*args.plugin);
  const std::lock_guard lock(plugin.guard);
  auto& entered = plugin.entered[args.host];
  if (!entered) entered = std::make_shared<Entered>();
  entered->host = args.host;
  entered->settings = settings;
  plugin.entered_last = entered;
  args.plugin = &plugin.table;
  return SY_OK;
}

}  // namespace
}  // namespace validation

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  sy_status status = SY_OK;
  const sy_status own = sy::guard(error, [&] { status = validation::enter(*args, error); });
  return own == SY_OK ? status : own;
}
