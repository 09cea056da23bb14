// The one device: this machine's processors and their memory. Streams are synchronous. It may be
// open several times, with different options.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

namespace cpu {

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

sy_status create_stream(sy_create_stream_args* args, sy_error* error);
sy_status destroy_stream(sy_stream_args* args, sy_error* error);
sy_status completed(sy_completed_args* args, sy_error* error);
sy_status wait(sy_wait_args* args, sy_error* error);

// Makes the device's options hold for what the calling thread does next.
void enter_device(sy_device device);
void enter_stream(sy_stream stream);

// Counts one piece of finished work and returns its number.
uint64_t count_completed(sy_stream stream);

}  // namespace cpu
