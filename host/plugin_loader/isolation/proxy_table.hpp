/// The slots of the table that stands for an isolated plugin.
#pragma once

#include <switchyard/plugin.h>

namespace switchyard::isolation::proxy {

sy_status probe(sy_probe_args* args, sy_error* error);
sy_status open_device(sy_open_device_args* args, sy_error* error);
sy_status close_device(sy_device_args* args, sy_error* error);
sy_status recover(sy_device_args* args, sy_error* error);
sy_status report(sy_report_args* args, sy_error* error);

sy_status allocate(sy_allocate_args* args, sy_error* error);
sy_status release(sy_storage_args* args, sy_error* error);
sy_status import_memory(sy_import_args* args, sy_error* error);
sy_status trim(sy_trim_args* args, sy_error* error);
sy_status copy(sy_copy_args* args, sy_error* error);

sy_status create_stream(sy_create_stream_args* args, sy_error* error);
sy_status destroy_stream(sy_stream_args* args, sy_error* error);
sy_status completed(sy_completed_args* args, sy_error* error);
sy_status wait(sy_wait_args* args, sy_error* error);
sy_status create_event(sy_create_event_args* args, sy_error* error);
sy_status destroy_event(sy_event_args* args, sy_error* error);
sy_status record_event(sy_event_args* args, sy_error* error);
sy_status wait_for_event(sy_event_args* args, sy_error* error);
sy_status wait_event(sy_event_args* args, sy_error* error);
sy_status elapsed_time(sy_elapsed_time_args* args, sy_error* error);

sy_status supports(sy_supports_args* args, sy_error* error);
sy_status prepare(sy_prepare_args* args, sy_error* error);
sy_status destroy_kernel(sy_kernel_args* args, sy_error* error);
sy_status release_constant(sy_constant_args* args, sy_error* error);
sy_status workspace(sy_workspace_args* args, sy_error* error);
sy_status run(sy_run_args* args, sy_error* error);

}  // namespace switchyard::isolation::proxy
