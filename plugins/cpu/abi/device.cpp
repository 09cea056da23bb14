#include "abi/device.hpp"

#include <array>
#include <atomic>
#include <string>

#include "abi/memory.hpp"
#include "abi/options.hpp"
#include "kernels/selection.hpp"
#include "loops/copy.hpp"
#include "machine/machine.hpp"
#include "machine/parallel.hpp"
#include "machine/thread_supply.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

struct Device {
  const Options options;
};

// All work completes inside of its call, so one counter is both the last given and the last
// completed.
struct Stream {
  const Device& device;
  std::atomic<uint64_t> completed{0};
};
static_assert(sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));

Stream& stream_of(sy_stream handle) { return *reinterpret_cast<Stream*>(handle); }

Device& device_of(sy_device handle) { return *reinterpret_cast<Device*>(handle); }

sy_device_info describe_device() {
  static const auto& name =
      *new std::string(sy::text(processor_name(), ", ", processor_count(), " logical processors"));
  const auto claims = all_claims();
  sy_device_info info{};
  info.struct_size = sizeof(info);
  info.flags = SY_DEVICE_SYNCHRONOUS | SY_DEVICE_IMPORTS_HOST_MEMORY | SY_DEVICE_THREAD_SAFE_RUN;
  info.name = name.c_str();
  info.built = 1;
  info.available = 1;
  info.memory_kind = SY_MEMORY_ADDRESS;
  info.sentence = "";
  info.memory_bytes = memory_bytes();
  info.alignment = storage_alignment;
  info.offset_alignment = 1;
  info.max_program_nodes = 1;
  info.dlpack_device_type = 1;  // kDLCPU
  info.claims = claims.data();
  info.claim_count = static_cast<uint32_t>(claims.size());
  return info;
}

const void* address_of(const sy_region& region) {
  if (region.kind == SY_REGION_PEER) {
    throw sy::unsupported(SY_REASON_NONE, "the cpu plugin has one device, so no peer to copy with");
  }
  return reinterpret_cast<const char*>(static_cast<uintptr_t>(region.handle)) + region.offset_bytes;
}

}  // namespace

sy_status probe(sy_probe_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    static const sy_device_info info = describe_device();
    args->built = 1;
    args->available = 1;
    args->reason = SY_REASON_NONE;
    args->sentence = "";
    args->devices = &info;
    args->device_count = 1;
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

sy_status close_device(sy_device_args* args, sy_error*) {
  delete &device_of(args->device);
  stop_threads();
  return SY_OK;
}

sy_status report(sy_report_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const MemoryStatistics memory = storage_statistics();
    const std::string threads =
        args->device == nullptr
            ? std::string()
            : sy::text("threads: ", device_of(args->device).options.threads, "\n",
                       lacks_threads() ? "lacking: the system makes fewer threads\n" : "");
    const std::string text = sy::text(threads, "storages: ", memory.count, ", ", memory.bytes,
                                      " bytes\nfree memory: ", free_memory_bytes(), " bytes\n");
    args->writer->write(args->writer->context, text.data(), text.size());
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
    enter_stream(args->stream);
    const void* source = address_of(*args->source);
    void* destination = const_cast<void*>(address_of(*args->destination));
    copy_strided(args->dtype, {args->shape, args->rank}, source, args->source->strides, destination,
                 args->destination->strides);
    args->sequence = count_completed(args->stream);
  });
}

sy_status create_stream(sy_create_stream_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    auto* stream = new Stream{device_of(args->device)};
    args->stream = reinterpret_cast<sy_stream>(stream);
    args->completed = reinterpret_cast<const volatile uint64_t*>(&stream->completed);
  });
}

sy_status destroy_stream(sy_stream_args* args, sy_error*) {
  delete &stream_of(args->stream);
  return SY_OK;
}

sy_status completed(sy_completed_args* args, sy_error*) {
  args->sequence = stream_of(args->stream).completed.load(std::memory_order_acquire);
  return SY_OK;
}

sy_status wait(sy_wait_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const uint64_t done = stream_of(args->stream).completed.load(std::memory_order_acquire);
    if (args->sequence > done) {
      throw sy::invalid("cannot wait for ", args->sequence, ": the stream has given out ", done);
    }
  });
}

void enter_device(sy_device device) { set_thread_count(device_of(device).options.threads); }

void enter_stream(sy_stream stream) { set_thread_count(stream_of(stream).device.options.threads); }

uint64_t count_completed(sy_stream stream) {
  return stream_of(stream).completed.fetch_add(1, std::memory_order_acq_rel) + 1;
}

}  // namespace cpu
