#include "exchange.hpp"

#include <algorithm>

#include "behaviour.hpp"
#include "device.hpp"
#include "switchyard/plugin/guard.hpp"

namespace fake {
namespace {

constexpr int32_t dlpack_external_device = 12;

sy_status import_memory(sy_import_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (args->kind != SY_EXTERNAL_DEVICE && !lies(Lie::imports_any_kind)) {
      throw sy::unsupported(SY_REASON_MEMORY, "the fake takes memory of devices alone");
    }
    if (args->ready_event != 0 && !lies(Lie::ignores_ready_event)) {
      reinterpret_cast<Stream*>(args->stream)
          ->wait_for(*reinterpret_cast<const sy::Event*>(args->ready_event));
    }
    Device& device = *reinterpret_cast<Device*>(args->device);
    args->storage = device.memory.adopt(args->pointer, args->size_bytes);
    ++device.imports;
  });
}

sy_status export_memory(sy_export_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (lies(Lie::exports_nothing) && args->storage == 0) return;
    Memory& memory = reinterpret_cast<Device*>(args->device)->memory;
    args->pointer =
        lies(Lie::exports_copies) ? memory.copy_of(args->storage) : memory.at(args->storage, 0, 0);
    args->ready_event = reinterpret_cast<uint64_t>(args->event);
  });
}

}  // namespace

void set_exchange_slots(sy_plugin& table) {
  table.import_memory = import_memory;
  table.export_memory = export_memory;
}

void describe_exchange(sy_device_info& info) {
  info.dlpack_device_type = dlpack_external_device;
  std::fill_n(info.uuid, sizeof(info.uuid), uint8_t{0x5a});
  info.architecture = "fake_1";
  info.pci_address = "0000:07:00.0";
}

}  // namespace fake
