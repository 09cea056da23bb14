// Streams and events.
#pragma once

#include <switchyard/plugin.h>

namespace mps {

// Slots of the plugin's table; plugin.h has their contracts.
sy_status create_stream(sy_create_stream_args* args, sy_error* error);
sy_status destroy_stream(sy_stream_args* args, sy_error* error);
sy_status flush(sy_stream_args* args, sy_error* error);
sy_status completed(sy_completed_args* args, sy_error* error);
sy_status wait(sy_wait_args* args, sy_error* error);
sy_status create_event(sy_create_event_args* args, sy_error* error);
sy_status destroy_event(sy_event_args* args, sy_error* error);
sy_status record_event(sy_event_args* args, sy_error* error);
sy_status wait_for_event(sy_event_args* args, sy_error* error);
sy_status wait_event(sy_event_args* args, sy_error* error);

}  // namespace mps
