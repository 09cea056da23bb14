// The probe, devices from open to close, and what the layer tells in reports.
#include "call.hpp"
#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/writer.hpp"

namespace validation {
namespace {

// Those that `args` lists, as far as this header knows them.
std::vector<sy_device_info> listed(const sy_probe_args& args) {
  std::vector<sy_device_info> devices;
  for (uint32_t i = 0; i < args.device_count && args.devices != nullptr; ++i) {
    const auto& given = *SY_AT(sy_device_info, args.devices, i);
    devices.push_back(given.struct_size == 0 ? sy_device_info{} : copy_of(given));
    devices.back().struct_size = given.struct_size;
  }
  return devices;
}

void check_nothing_lives(Call& call, const Device& device) {
  const auto check = [&](uint64_t count, const char* kind) {
    if (count != 0) call.violation(Rule::close, count, " ", kind, " of the device are alive");
  };
  check(device.storages, "storages");
  check(device.streams, "streams");
  check(device.events, "events");
  check(device.kernels, "kernels");
  check(device.constants.size(), "packed constants");
  check(device.own_host_memory.size(), "blocks of host memory");
  check(device.registered_host_memory.size(), "registered blocks of host memory");
}

// What the plugin tells the host of a device that fails while nobody calls it.
void hear_of_loss(void* context, const char* message) {
  Device& device = *static_cast<Device*>(context);
  {
    const std::lock_guard lock(device.plugin->guard);
    note_loss(*device.plugin, device);
  }
  device.listener->lost(device.listener->context, message);
}

}  // namespace

sy_status probe(Plugin& plugin, sy_probe_args* args, sy_error* error) {
  Call call(plugin, "probe", *args, error);
  const auto entered = call.find(args->host);
  if (!call.may_pass()) return call.refuse();
  // The host checks what the plugin says, as if there were no layer.
  const sy_status status = call.pass_on(plugin.inner.probe, *args);
  if (status == SY_OK) entered->devices = listed(*args);
  return status;
}

sy_status open_device(Plugin& plugin, sy_open_device_args* args, sy_error* error) {
  Call call(plugin, "open_device", *args, error);
  const auto entered = call.find(args->host);
  if (entered && args->index >= entered->devices.size()) {
    call.violation(Rule::open, "device ", args->index, " of ", entered->devices.size(),
                   " that the probe has listed");
    call.stop();
  }
  if (call.check_given(args->listener, "the listener")) {
    call.check_reserved(args->listener->reserved);
  }
  if (!call.may_pass()) return call.refuse();
  const auto device = std::make_shared<Device>();
  device->entered = entered;
  device->info = entered->devices[args->index];
  device->plugin = &plugin;
  device->listener = args->listener;
  device->own_listener = {sizeof(sy_device_listener), 0, device.get(), hear_of_loss};
  sy_open_device_args inner = copy_of(*args);
  inner.listener = &device->own_listener;
  const sy_status status = call.pass_on(plugin.inner.open_device, inner);
  if (status != SY_OK) return status;
  args->device = nullptr;
  if (inner.device == nullptr) return status;
  device->inner = inner.device;
  args->device = plugin.devices.keep(device, plugin.numbers.next());
  return status;
}

sy_status close_device(Plugin& plugin, sy_device_args* args, sy_error* error) {
  Call call(plugin, "close_device", *args, error, Handling::lets_go);
  const auto device = call.find(args->device);
  if (device) {
    check_nothing_lives(call, *device);
    call.check_unused_by_calls(*device, "device");
  }
  if (!call.may_pass()) return call.refuse();
  plugin.devices.drop(args->device);
  sy_device_args inner = copy_of(*args);
  inner.device = device->inner;
  return call.pass_on(plugin.inner.close_device, inner);
}

sy_status recover(Plugin& plugin, sy_device_args* args, sy_error* error) {
  Call call(plugin, "recover", *args, error);
  const auto device = call.find(args->device);
  if (!call.may_pass()) return call.refuse();
  const bool was_lost = std::exchange(device->is_lost, false);
  sy_status status = SY_OK;
  if (plugin.inner.recover != nullptr) {
    sy_device_args inner = copy_of(*args);
    inner.device = device->inner;
    status = call.pass_on(plugin.inner.recover, inner);
  }
  if (!was_lost) return status;
  see_all(plugin, *device);
  if (status == SY_OK) call.note_recovery(*device);
  return status;
}

sy_status leave(Plugin& plugin, sy_leave_args* args, sy_error* error) {
  Call call(plugin, "leave", *args, error, Handling::lets_go);
  const auto entered = call.find(args->host);
  for (const auto& [number, device] : plugin.devices.living()) {
    if (!entered || device->entered != entered) continue;
    call.violation(Rule::close, "device ", device->id, " of the host is open");
  }
  if (!call.may_pass()) return call.refuse();
  plugin.entered.erase(args->host);
  if (plugin.inner.leave == nullptr) return SY_OK;
  sy_leave_args inner = copy_of(*args);
  return call.pass_on(plugin.inner.leave, inner);
}

sy_status report(Plugin& plugin, sy_report_args* args, sy_error* error) {
  Call call(plugin, "report", *args, error, Handling::lets_go);
  if (call.check_given(args->writer, "the writer")) call.check_reserved(args->writer->reserved);
  sy_report_args inner = copy_of(*args);
  if (args->device != nullptr) {
    if (const auto device = call.find(args->device)) inner.device = device->inner;
  }
  if (!call.may_pass()) return call.refuse();
  const sy_status status =
      plugin.inner.report == nullptr ? SY_OK : call.pass_on(plugin.inner.report, inner);
  if (status != SY_OK || args->device != nullptr) return status;
  const std::string own = plugin.record.report();
  return args->writer->write(args->writer->context, own.data(), own.size());
}

}  // namespace validation
