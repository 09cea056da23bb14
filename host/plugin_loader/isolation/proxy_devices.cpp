#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>

#include "plugin_loader/entered_as.hpp"
#include "plugin_loader/isolation/deliveries.hpp"
#include "plugin_loader/isolation/proxy_call.hpp"
#include "plugin_loader/isolation/proxy_table.hpp"

namespace switchyard::isolation {

namespace proxy {
namespace {

/// The plugin's process cannot be started again for now.
sy_status refuse_start(sy_error* error, const std::exception& failure) {
  return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE,
                fmt::format("its process cannot be started again: {}", failure.what()));
}

}  // namespace

sy_status probe(sy_probe_args* args, sy_error* error) try {
  IsolatedPlugin* const plugin = IsolatedPlugin::find(args->host);
  if (plugin == nullptr) return refuse(error, SY_BUG, SY_REASON_NONE, "nobody serves this plugin");
  return plugin->probe(*args, error);
} catch (const std::exception& failure) {
  return refuse_start(error, failure);
}

sy_status open_device(sy_open_device_args* args, sy_error* error) try {
  IsolatedPlugin* const plugin = IsolatedPlugin::find(args->host);
  if (plugin == nullptr) return refuse(error, SY_BUG, SY_REASON_NONE, "nobody serves this plugin");
  std::unique_ptr<ProxyDevice> device = plugin->new_device(args->index);
  if (!device) return refuse(error, SY_INVALID, SY_REASON_NONE, "there is no such device");
  const sy_status status = plugin->open(*device, plugin->living_child(), error);
  if (status == SY_OK && device->current.load() != nullptr) {
    args->device = reinterpret_cast<sy_device>(device.release());
  }
  return status;
} catch (const std::exception& failure) {
  return refuse_start(error, failure);
}

sy_status close_device(sy_device_args* args, sy_error* error) {
  const std::unique_ptr<ProxyDevice> device(&device_of(args->device));
  return call_to_end<Call::close_device>(*device->current.load(), args, error);
}

// A device whose process has ended is opened again in one that lives: another device of the plugin
// may have had it started. Once this returns the host takes all work of a lost device for over.
sy_status recover(sy_device_args* args, sy_error* error) try {
  ProxyDevice& device = device_of(args->device);
  Child& before = child_of(device);
  Child& living = device.plugin.living_child();
  if (&before != &living || before.told_loss()) abandon_streams(device);
  if (&before == &living) return living.call(Call::recover, *args, error);
  return device.plugin.open(device, living, error);
} catch (const std::exception& failure) {
  return refuse_start(error, failure);
}

sy_status report(sy_report_args* args, sy_error* error) {
  IsolatedPlugin* const plugin = args->device != nullptr
                                     ? &device_of(args->device).plugin
                                     : IsolatedPlugin::find(entered_as(args->extensions));
  if (plugin == nullptr) return SY_OK;
  Child& child = args->device != nullptr ? child_of(device_of(args->device)) : plugin->child();
  if (args->device == nullptr) {
    const std::string text = fmt::format("runs in a process of its own, {}\n", child.process_id());
    const sy_status status = args->writer->write(args->writer->context, text.data(), text.size());
    if (status != SY_OK) return status;
  }
  return child.call(Call::report, *args, error, CallContext{.writer = args->writer});
}

}  // namespace proxy
}  // namespace switchyard::isolation
