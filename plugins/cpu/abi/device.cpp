#include "abi/device.hpp"

#include <string>

#include "abi/memory.hpp"
#include "kernels/selection.hpp"
#include "loops/copy.hpp"
#include "machine/machine.hpp"
#include "machine/thread_supply.hpp"
#include "switchyard/plugin/address.hpp"
#include "switchyard/plugin/copy_check.hpp"
#include "switchyard/plugin/devices.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/writer.hpp"

namespace cpu {
namespace {

sy_device_info describe_device() {
  static const auto& name =
      *new std::string(sy::text(processor_name(), ", ", processor_count(), " logical processors"));
  sy_device_info info = sy::available_device(name.c_str(), all_claims());
  info.flags = SY_DEVICE_SYNCHRONOUS | SY_DEVICE_IMPORTS_HOST_MEMORY | SY_DEVICE_THREAD_SAFE_RUN;
  info.memory_kind = SY_MEMORY_ADDRESS;
  info.memory_bytes = memory_bytes();
  info.alignment = storage_alignment;
  info.offset_alignment = 1;
  info.max_program_nodes = 1;
  info.dlpack_device_type = 1;  // kDLCPU
  return info;
}

char* address_of(const sy_region& region) {
  if (region.kind == SY_REGION_PEER) {
    throw sy::unsupported(SY_REASON_NONE, "the cpu plugin has one device, so no peer to copy with");
  }
  return sy::address_of(region);
}

// Facts of an open device, or nothing.
std::string threads_of(sy_device device) {
  if (device == nullptr) return "";
  return sy::text("threads: ", device_of(device).options.threads, "\n",
                  lacks_threads() ? "lacking: the system makes fewer threads\n" : "");
}

}  // namespace

sy_status probe(sy_probe_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    static const sy_device_info info = describe_device();
    sy::set_devices(*args, {&info, 1});
  });
}

sy_status open_device(sy_open_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (args->index != 0) {
      throw sy::invalid("there is no device ", args->index, "; the cpu plugin has device 0 alone");
    }
    args->device = reinterpret_cast<sy_device>(new Device{read_options(*args->host)});
  });
}

sy_status close_device(sy_device_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    delete &device_of(args->device);
    stop_threads();
  });
}

sy_status report(sy_report_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const MemoryStatistics memory = storage_statistics();
    sy::write(*args->writer,
              sy::text(threads_of(args->device), "storages: ", memory.count, ", ", memory.bytes,
                       " bytes\nfree memory: ", free_memory_bytes(), " bytes\n"));
  });
}

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    args->storage = reinterpret_cast<uintptr_t>(allocate_storage(args->size_bytes));
  });
}

sy_status release(sy_storage_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    release_storage(reinterpret_cast<void*>(static_cast<uintptr_t>(args->storage)));
  });
}

sy_status import_memory(sy_import_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    // DLPack calls the host's memory this device's own.
    if (args->kind != SY_EXTERNAL_HOST && args->kind != SY_EXTERNAL_DEVICE) {
      throw sy::unsupported(SY_REASON_MEMORY, "memory of kind ", args->kind);
    }
    import_storage(args->pointer);
    args->storage = reinterpret_cast<uintptr_t>(args->pointer);
  });
}

sy_status trim(sy_trim_args* args, sy_error* error) {
  return sy::guard(error, [&] { args->freed_bytes = trim_memory(); });
}

sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    args->used_bytes = storage_statistics().bytes;
    args->cached_bytes = 0;
    args->free_bytes = free_memory_bytes();
  });
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    sy::require_known(*args);
    Stream& stream = stream_of(args->stream);
    stream.device.enter();
    copy_strided(args->dtype, {args->shape, args->rank}, address_of(*args->source),
                 args->source->strides, address_of(*args->destination), args->destination->strides);
    args->sequence = stream.complete_next();
  });
}

}  // namespace cpu
