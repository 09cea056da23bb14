/// @file
/// A stream whose work is done before the call that enqueues it returns: for devices that compute
/// on the caller's thread (SY_DEVICE_SYNCHRONOUS). The functions that take args are slots of the
/// table.
#ifndef SWITCHYARD_PLUGIN_SYNCHRONOUS_STREAM_H_
#define SWITCHYARD_PLUGIN_SYNCHRONOUS_STREAM_H_

#include <stdint.h>
#include <stdlib.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/error.h"

/// What sy_stream handles are. Several callers may count at once, as SY_DEVICE_THREAD_SAFE_RUN
/// promises.
typedef struct sy_synchronous_stream {
  uint64_t completed;  ///< the number of the last work, which is over
  sy_device device;    ///< whose stream it is
} sy_synchronous_stream;

/// The stream behind a handle.
static inline sy_synchronous_stream* sy_synchronous_stream_of(sy_stream handle) {
  return (sy_synchronous_stream*)(void*)handle;
}

/// Call it after the work, for the sequence number to return. Work that failed takes no number.
static inline uint64_t sy_complete_next(sy_stream handle) {
  return __atomic_add_fetch(&sy_synchronous_stream_of(handle)->completed, 1, __ATOMIC_ACQ_REL);
}

/// For `create_stream`.
static inline sy_status sy_create_synchronous_stream(sy_create_stream_args* args, sy_error* error) {
  sy_synchronous_stream* stream = (sy_synchronous_stream*)calloc(1, sizeof(*stream));
  if (stream == NULL) {
    return sy_fail(error, SY_OUT_OF_MEMORY, SY_REASON_NONE, "no host memory for a stream");
  }
  stream->device = args->device;
  args->stream = (sy_stream)(void*)stream;
  args->completed = &stream->completed;
  return SY_OK;
}

/// For `destroy_stream`.
static inline sy_status sy_destroy_synchronous_stream(sy_stream_args* args, sy_error* error) {
  (void)error;
  free(sy_synchronous_stream_of(args->stream));
  return SY_OK;
}

/// For `completed`.
static inline sy_status sy_completed_of_synchronous_stream(sy_completed_args* args,
                                                           sy_error* error) {
  (void)error;
  args->sequence =
      __atomic_load_n(&sy_synchronous_stream_of(args->stream)->completed, __ATOMIC_ACQUIRE);
  return SY_OK;
}

/// For `wait`. There is nothing to wait for: only a number that was never given out is refused.
static inline sy_status sy_wait_for_synchronous_stream(sy_wait_args* args, sy_error* error) {
  const uint64_t last =
      __atomic_load_n(&sy_synchronous_stream_of(args->stream)->completed, __ATOMIC_ACQUIRE);
  if (args->sequence <= last) return SY_OK;
  return sy_fail(error, SY_INVALID, SY_REASON_NONE,
                 "waits for %llu, but the stream's last number is %llu",
                 (unsigned long long)args->sequence, (unsigned long long)last);
}

#endif  // SWITCHYARD_PLUGIN_SYNCHRONOUS_STREAM_H_
