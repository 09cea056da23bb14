// The functions of the table, each with the plugin that it is for. To add a slot of plugin.h:
// declare it here, define it beside what it is about, and give it a row in table.cpp. `trim` is one
// that names handles and makes none, `copy` one that enqueues.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include "plugin.hpp"

namespace validation {

// devices.cpp
sy_status probe(Plugin& plugin, sy_probe_args* args, sy_error* error);
sy_status open_device(Plugin& plugin, sy_open_device_args* args, sy_error* error);
sy_status close_device(Plugin& plugin, sy_device_args* args, sy_error* error);
sy_status recover(Plugin& plugin, sy_device_args* args, sy_error* error);
sy_status report(Plugin& plugin, sy_report_args* args, sy_error* error);
sy_status leave(Plugin& plugin, sy_leave_args* args, sy_error* error);

// memory.cpp
sy_status allocate(Plugin& plugin, sy_allocate_args* args, sy_error* error);
sy_status release(Plugin& plugin, sy_storage_args* args, sy_error* error);
sy_status map(Plugin& plugin, sy_map_args* args, sy_error* error);
sy_status unmap(Plugin& plugin, sy_storage_args* args, sy_error* error);
sy_status trim(Plugin& plugin, sy_trim_args* args, sy_error* error);
sy_status memory_statistics(Plugin& plugin, sy_memory_statistics_args* args, sy_error* error);

// exchange.cpp
sy_status import_memory(Plugin& plugin, sy_import_args* args, sy_error* error);
sy_status export_memory(Plugin& plugin, sy_export_args* args, sy_error* error);

// host_memory.cpp
sy_status allocate_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error);
sy_status release_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error);
sy_status register_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error);
sy_status unregister_host(Plugin& plugin, sy_host_memory_args* args, sy_error* error);

// copy.cpp
sy_status copy(Plugin& plugin, sy_copy_args* args, sy_error* error);

// streams.cpp
sy_status create_stream(Plugin& plugin, sy_create_stream_args* args, sy_error* error);
sy_status destroy_stream(Plugin& plugin, sy_stream_args* args, sy_error* error);
sy_status flush(Plugin& plugin, sy_stream_args* args, sy_error* error);
sy_status completed(Plugin& plugin, sy_completed_args* args, sy_error* error);
sy_status wait(Plugin& plugin, sy_wait_args* args, sy_error* error);
sy_status notify(Plugin& plugin, sy_notify_args* args, sy_error* error);

// events.cpp
sy_status create_event(Plugin& plugin, sy_create_event_args* args, sy_error* error);
sy_status destroy_event(Plugin& plugin, sy_event_args* args, sy_error* error);
sy_status record_event(Plugin& plugin, sy_event_args* args, sy_error* error);
sy_status wait_for_event(Plugin& plugin, sy_event_args* args, sy_error* error);
sy_status wait_event(Plugin& plugin, sy_event_args* args, sy_error* error);
sy_status elapsed_time(Plugin& plugin, sy_elapsed_time_args* args, sy_error* error);

// programs.cpp
sy_status supports(Plugin& plugin, sy_supports_args* args, sy_error* error);
sy_status prepare(Plugin& plugin, sy_prepare_args* args, sy_error* error);

// kernels.cpp
sy_status compile(Plugin& plugin, sy_compile_args* args, sy_error* error);
sy_status destroy_kernel(Plugin& plugin, sy_kernel_args* args, sy_error* error);
sy_status release_constant(Plugin& plugin, sy_constant_args* args, sy_error* error);

// run.cpp
sy_status workspace(Plugin& plugin, sy_workspace_args* args, sy_error* error);
sy_status run(Plugin& plugin, sy_run_args* args, sy_error* error);

}  // namespace validation
