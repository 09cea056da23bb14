// The boundary: the entries of the table, each a line or two over device.hpp and ops.hpp.
// CMakeLists.txt gives PLUGIN_NAME.
#include <switchyard/plugin.h>

#include "device.hpp"
#include "ops.hpp"
#include "switchyard/plugin/devices.hpp"
#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/stream_entries.hpp"
#include "switchyard/plugin/verdict.hpp"
#include "switchyard/plugin/writer.hpp"

namespace example {
namespace {

Device& device_of(sy_device handle) { return *reinterpret_cast<Device*>(handle); }
Stream& stream_of(sy_stream handle) { return *reinterpret_cast<Stream*>(handle); }
Kernel& kernel_of(sy_kernel handle) { return *reinterpret_cast<Kernel*>(handle); }

sy_device_info describe_device(const Settings& settings) {
  static const auto& claims = *new sy::ClaimTable(make_claims());
  sy_device_info info =
      sy::available_device(PLUGIN_NAME ": a small device with memory of its own", claims);
  info.flags = SY_DEVICE_PEER_COPY;
  info.memory_kind = SY_MEMORY_OPAQUE;  // no map, no import: the host has `copy` alone
  info.memory_bytes = static_cast<uint64_t>(settings.memory_bytes);
  info.alignment = alignof(std::max_align_t);
  info.offset_alignment = 1;
  info.max_program_nodes = 1;
  return info;
}

sy_status probe(sy_probe_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const Settings settings = read_settings(sy::Options(*args->host));
    sy::set_devices(*args, std::vector<sy_device_info>(static_cast<size_t>(settings.devices),
                                                       describe_device(settings)));
  });
}

sy_status open_device(sy_open_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const Settings settings = read_settings(sy::Options(*args->host));
    if (args->index >= settings.devices) throw sy::invalid("there is no device ", args->index);
    args->device = reinterpret_cast<sy_device>(new Device(settings));
  });
}

sy_status close_device(sy_device_args* args, sy_error* error) {
  return sy::guard(error, [&] { delete &device_of(args->device); });
}

sy_status report(sy_report_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (args->device == nullptr) return;
    const uint64_t used = device_of(args->device).used_bytes();
    sy::write(*args->writer, sy::text("storages hold ", used, " bytes\n"));
  });
}

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return sy::guard(error,
                   [&] { args->storage = device_of(args->device).allocate(args->size_bytes); });
}

sy_status release(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] { device_of(args->device).release(args->storage); });
}

sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const Device& device = device_of(args->device);
    args->used_bytes = device.used_bytes();
    args->cached_bytes = 0;
    args->free_bytes = static_cast<uint64_t>(device.settings.memory_bytes) - args->used_bytes;
  });
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return sy::guard(error, [&] { args->sequence = stream_of(args->stream).copy(*args); });
}

sy_status supports(sy_supports_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    for (uint32_t i = 0; i < args->program->node_count; ++i) {
      sy::judge(sy::verdict_at(args->verdicts, i), [&] { op_of(sy::Node(*args->program, i)); });
    }
  });
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return sy::guard(
      error, [&] { args->kernel = reinterpret_cast<sy_kernel>(prepare_kernel(*args).release()); });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error* error) {
  return sy::guard(error, [&] { delete &kernel_of(args->kernel); });
}

sy_status run(sy_run_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    Stream& stream = stream_of(args->stream);
    args->sequence = stream.enqueue(bind(stream.device, kernel_of(args->kernel), *args));
  });
}

// Slots that are not set are null, which means the default that plugin.h names.
sy_plugin make_table() {
  sy_plugin table = sy::new_table(PLUGIN_NAME, "0.1.0");
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = close_device;
  table.report = report;
  table.allocate = allocate;
  table.release = release;
  table.memory_statistics = memory_statistics;
  table.copy = copy;
  sy::use_asynchronous_streams<Stream, Device>(table);
  table.supports = supports;
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  table.run = run;
  return table;
}

void check_options(const sy_host& host) { read_settings(sy::Options(host)); }

}  // namespace
}  // namespace example

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  return sy::guard(error, [&] { sy::enter<example::make_table, example::check_options>(*args); });
}
