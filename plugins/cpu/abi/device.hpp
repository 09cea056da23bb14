// The one device: this machine's processors and their memory. Streams are synchronous. It may be
// open several times, with different options.
#pragma once

#include <switchyard/plugin.h>

#include "abi/options.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/synchronous_stream.hpp"

namespace cpu {

// A sy_device.
struct Device {
  const Options options;

  // Makes the options hold for what the calling thread does next.
  void enter() const { set_thread_count(options.threads); }
};

// A sy_stream. All work completes inside of its call.
struct Stream : sy::SynchronousStream {
  explicit Stream(const Device& owner) : device(owner) {}

  const Device& device;
};

inline Device& device_of(sy_device handle) { return *reinterpret_cast<Device*>(handle); }
inline Stream& stream_of(sy_stream handle) { return *reinterpret_cast<Stream*>(handle); }

// Slots of the plugin's table; plugin.h has their contracts.
sy_status probe(sy_probe_args* args, sy_error* error);
sy_status open_device(sy_open_device_args* args, sy_error* error);
sy_status close_device(sy_device_args* args, sy_error* error);
sy_status report(sy_report_args* args, sy_error* error);

sy_status allocate(sy_allocate_args* args, sy_error* error);
sy_status release(sy_storage_args* args, sy_error* error);
sy_status import_memory(sy_import_args* args, sy_error* error);
sy_status trim(sy_trim_args* args, sy_error* error);
sy_status memory_statistics(sy_memory_statistics_args* args, sy_error* error);
sy_status copy(sy_copy_args* args, sy_error* error);

}  // namespace cpu
