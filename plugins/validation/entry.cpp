// The validation layer: between the host and any plugin, it holds the host to plugin.h.
#include <switchyard/layer.h>

#include "plugin.hpp"
#include "settings.hpp"
#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/extension.hpp"

namespace validation {
namespace {

// What the layer itself is asked for: the plugin below, and settings.
struct Request {
  const sy_layer* layer = nullptr;
  Settings settings;
};

Request read(const sy_entry_args& args) {
  Request request;
  request.layer = sy::find_extension<sy_layer>(args.extensions, SY_EXTENSION_LAYER);
  if (request.layer == nullptr) {
    throw sy::invalid(
        "this library is the validation layer, which wraps plugins: set "
        "plugins.NAME.validate = true in the section of the plugin to validate");
  }
  sy::negotiate_version(args);
  request.settings = read_settings(*request.layer);
  return request;
}

// As if there were no layer: what the plugin throws, the host tells.
sy_status enter_below(const sy_layer& layer, sy_entry_args& args, sy_error* error) {
  const sy_extension* const own = args.extensions;
  args.extensions = layer.link.next;
  const sy_status status = layer.entry(&args, error);
  args.extensions = own;
  return status;
}

const sy_plugin& wrap_for(const sy_entry_args& args, const Settings& settings) {
  Plugin& plugin = wrap(*args.plugin);
  const std::lock_guard lock(plugin.guard);
  auto& entered = plugin.entered[args.host];
  if (!entered) entered = std::make_shared<Entered>();
  entered->host = args.host;
  entered->settings = settings;
  plugin.entered_last = entered;
  return plugin.table;
}

}  // namespace
}  // namespace validation

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  using namespace validation;
  Request request;
  sy_status status = sy::guard(error, [&] { request = read(*args); });
  if (status != SY_OK) return status;
  status = enter_below(*request.layer, *args, error);
  if (status != SY_OK || args->plugin == nullptr) return status;
  status = sy::guard(error, [&] { args->plugin = &wrap_for(*args, request.settings); });
  if (status != SY_OK) args->plugin = nullptr;  // nobody takes it for one that is checked
  return status;
}
