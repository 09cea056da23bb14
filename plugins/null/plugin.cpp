// The null device: it takes every op, computes nothing and leaves outputs as they were allocated,
// so that what a program costs on it is the host's own cost.
#include <switchyard/plugin.h>

#include <cstdlib>

#include "kernel.hpp"
#include "ops.hpp"
#include "switchyard/plugin/address.hpp"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/devices.hpp"
#include "switchyard/plugin/entry.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/options.hpp"
#include "switchyard/plugin/stream_entries.hpp"
#include "switchyard/plugin/synchronous_stream.hpp"

namespace null {
namespace {

constexpr size_t storage_alignment = 64;

struct Device {};  // has no state of its own

using Stream = sy::SynchronousStream;
Stream& stream_of(sy_stream handle) { return *reinterpret_cast<Stream*>(handle); }

sy_device_info describe_device() {
  static const auto& claims = *new sy::ClaimTable(make_claims());
  sy_device_info info = sy::available_device("null: computes nothing", claims);
  info.flags = SY_DEVICE_SYNCHRONOUS | SY_DEVICE_THREAD_SAFE_RUN;
  info.memory_kind = SY_MEMORY_ADDRESS;
  info.alignment = storage_alignment;
  info.offset_alignment = 1;
  info.dlpack_device_type = 1;  // kDLCPU
  return info;
}

sy_status probe(sy_probe_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    static const sy_device_info device = describe_device();
    sy::set_devices(*args, {&device, 1});
  });
}

sy_status open_device(sy_open_device_args* args, sy_error*) {
  static Device device;
  args->device = reinterpret_cast<sy_device>(&device);
  return SY_OK;
}

sy_status close_device(sy_device_args*, sy_error*) { return SY_OK; }

sy_status allocate(sy_allocate_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    void* memory = nullptr;
    if (posix_memalign(&memory, storage_alignment, args->size_bytes) != 0) {
      throw sy::out_of_memory("no ", args->size_bytes, " bytes of host memory");
    }
    args->storage = reinterpret_cast<sy_storage>(memory);
  });
}

sy_status release(sy_storage_args* args, sy_error*) {
  std::free(reinterpret_cast<void*>(args->storage));
  return SY_OK;
}

sy_status copy(sy_copy_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    sy::copy_elements(args->dtype, {args->shape, args->rank}, sy::address_of(*args->source),
                      args->source->strides, sy::address_of(*args->destination),
                      args->destination->strides);
    args->sequence = stream_of(args->stream).complete_next();
  });
}

sy_status prepare(sy_prepare_args* args, sy_error* error) {
  return sy::guard(
      error, [&] { args->kernel = reinterpret_cast<sy_kernel>(prepare_kernel(*args).release()); });
}

sy_status destroy_kernel(sy_kernel_args* args, sy_error*) {
  delete reinterpret_cast<Kernel*>(args->kernel);
  return SY_OK;
}

sy_status run(sy_run_args* args, sy_error* error) {
  const auto& kernel = *reinterpret_cast<const Kernel*>(args->kernel);
  if (!kernel.deferred.empty()) {
    const sy_status status = sy::guard(error, [&] { allocate_deferred(kernel, *args); });
    if (status != SY_OK) return status;
  }
  args->sequence = stream_of(args->stream).complete_next();
  return SY_OK;
}

sy_plugin make_table() {
  sy_plugin table = sy::new_table("null", "0.1.0");
  table.probe = probe;
  table.open_device = open_device;
  table.close_device = close_device;
  table.allocate = allocate;
  table.release = release;
  table.copy = copy;
  sy::use_streams<Stream, Device>(table);
  table.prepare = prepare;
  table.destroy_kernel = destroy_kernel;
  table.run = run;
  return table;
}

void check_options(const sy_host& host) { sy::Options(host).reject_unknown({}); }

}  // namespace
}  // namespace null

sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error) {
  return sy::guard(error, [&] { sy::enter<null::make_table, null::check_options>(*args); });
}
