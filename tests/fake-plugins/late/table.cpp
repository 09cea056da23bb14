// The entry, the probe and the devices.
#include <switchyard/plugin.h>

#include <cstdlib>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels.hpp"
#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/devices.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/entry.hpp"

namespace late {
namespace {

// What is said of a device is valid as long as the library is loaded.
std::vector<sy_claim>& claims_of(const Settings& settings) {
  static std::list<std::vector<sy_claim>> said;
  std::vector<sy_claim>& claims = said.emplace_back();
  const sy_device_info& device = kernels_device();
  for (uint32_t i = 0; i < device.claim_count; ++i) {
    sy_claim claim = *SY_AT(sy_claim, device.claims, i);
    const bool is_onnx = claim.domain == nullptr || *claim.domain == '\0';
    if (settings.only_onnx && !is_onnx) continue;
    if (!settings.has_integers) claim.input_dtypes &= ~sy::integer_dtypes;
    if (claim.input_dtypes != 0) claims.push_back(claim);
  }
  return claims;
}

sy_device_info describe(const Settings& settings) {
  sy_device_info info = {};
  info.struct_size = sizeof(info);
  info.flags = SY_DEVICE_PEER_COPY;
  if (settings.synchronous) info.flags |= SY_DEVICE_SYNCHRONOUS;
  if (settings.caches_memory) info.flags |= SY_DEVICE_CACHES_MEMORY;
  if (settings.imports_host_memory) info.flags |= SY_DEVICE_IMPORTS_HOST_MEMORY;
  info.name = "a device whose work is late";
  info.built = 1;
  info.available = 1;
  info.memory_kind = settings.memory;
  info.message = "";
  info.memory_bytes = uint64_t{1} << 30U;
  info.alignment = 64;
  info.offset_alignment = 1;
  info.max_program_nodes = 1;
  const std::vector<sy_claim>& claims = claims_of(settings);
  info.claims = claims.data();
  info.claim_count = static_cast<uint32_t>(claims.size());
  return info;
}

sy_status probe(sy_probe_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const Settings settings = read_settings(*args->host);
    const std::lock_guard lock(everything());
    sy::set_devices(*args, std::vector<sy_device_info>(settings.devices, describe(settings)));
  });
}

sy_status open_device(sy_open_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    auto device = std::make_unique<Device>();
    device->settings = read_settings(*args->host);
    device->dice.seed(device->settings.seed * 7919 + args->index);
    sy_open_device_args inner{sizeof(inner), 0, nullptr, &kernels_host(), args->listener, nullptr};
    if (kernels().open_device(&inner, error) != SY_OK) throw sy::bug("the kernels' device");
    device->inner = inner.device;
    args->device = reinterpret_cast<sy_device>(device.release());
  });
}

sy_status close_device(sy_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::unique_ptr<Device> device(&object(args->device));
    for (const auto& [position, bytes] : device->free) std::free(bytes);
    sy_device_args inner{sizeof(inner), 0, nullptr, device->inner};
    kernels().close_device(&inner, error);
  });
}

sy_plugin make_table(bool has_events, bool has_collectives) {
  sy_plugin table = {};
  table.struct_size = sizeof(table);
  table.abi_version = SY_ABI_VERSION;
  table.name = "late";
  table.version = "0.1.0";
  table.build = "for the tests";
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = close_device;
  set_memory_slots(table);
  set_copy_slot(table);
  set_stream_slots(table);
  if (has_events) set_event_slots(table);
  set_program_slots(table);
  set_run_slot(table);
  if (has_collectives) set_collectives(table);
  return table;
}

}  // namespace
}  // namespace late

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  using namespace late;
  return sy::guard(error, [&] {
    sy::negotiate_version(*args);
    const Settings settings = read_settings(*args->host);
    const std::lock_guard lock(everything());
    load_kernels(settings.kernels);
    static const sy_plugin tables[2][2] = {{make_table(false, false), make_table(false, true)},
                                           {make_table(true, false), make_table(true, true)}};
    args->plugin = &tables[settings.has_events ? 1 : 0][settings.collectives ? 1 : 0];
  });
}
