// The mps plugin as of version 0.1: it lists its device, says why that is not available, and
// refuses to open it. It claims no op, so the rest of the table is never reached.
#include <switchyard/plugin.h>

#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/options.hpp"

namespace mps {
namespace {

#if defined(__APPLE__)
constexpr const char* refusal =
    "version 0.1 of the mps plugin does not drive Metal yet; list another device in routing.order";
#elif defined(__linux__)
constexpr const char* refusal =
    "no Metal device: this is Linux; Metal needs a Mac with macOS 12.3 or later, so list another "
    "device in routing.order too";
#else
constexpr const char* refusal =
    "no Metal device: this is not macOS; Metal needs a Mac with macOS 12.3 or later, so list "
    "another "
    "device in routing.order too";
#endif

constexpr int32_t dlpack_metal = 8;

sy_device_info make_device_info() {
  sy_device_info info = {};
  info.struct_size = sizeof(info);
  info.name = "Metal device 0";
  info.built = 1;
  info.available = 0;
  info.reason = SY_REASON_OS;
  info.sentence = refusal;
  info.memory_kind = SY_MEMORY_MAPPABLE;
  info.alignment = 256;
  info.offset_alignment = 1;
  info.dlpack_device_type = dlpack_metal;
  return info;
}

sy_status probe(sy_probe_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    static const sy_device_info device = make_device_info();
    args->built = device.built;
    args->available = device.available;
    args->reason = device.reason;
    args->sentence = device.sentence;
    args->devices = &device;
    args->device_count = 1;
  });
}

sy_status open_device(sy_open_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (args->index != 0) throw sy::invalid("no device mps:", args->index, "; there is one, mps:0");
    throw sy::unsupported(SY_REASON_OS, refusal);
  });
}

// Fills a slot that needs an open device: there is none.
template <typename Args>
sy_status refuse(Args*, sy_error* error) {
  return sy::report(error, SY_INVALID, SY_REASON_NONE, "no device of the mps plugin is open");
}

sy_plugin make_table() {
  sy_plugin table = {};
  table.struct_size = sizeof(table);
  table.abi_version = SY_ABI_VERSION;
  table.name = "mps";
  table.version = "0.1.0";
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = refuse;
  table.allocate = refuse;
  table.release = refuse;
  table.map = refuse;
  table.unmap = refuse;
  table.copy = refuse;
  table.create_stream = refuse;
  table.destroy_stream = refuse;
  table.completed = refuse;
  table.wait = refuse;
  table.prepare = refuse;
  table.destroy_kernel = refuse;
  table.run = refuse;
  return table;
}

}  // namespace
}  // namespace mps

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    static const sy_plugin table = mps::make_table();
    sy::agree_on_version(*args);
    sy::Options(*args->host).refuse_others({"device"});
    args->plugin = &table;
  });
}
