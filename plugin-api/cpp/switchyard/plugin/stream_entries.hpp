/// @file
/// The table's slots for streams and events, for plugins whose sy_stream handles are Stream
/// objects.
#pragma once

#include <switchyard/plugin.h>

#include <type_traits>

#include "switchyard/plugin/asynchronous_stream.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/synchronous_stream.hpp"

namespace sy {
namespace detail {

template <typename Stream, typename Device>
Stream* new_stream(sy_device device) {
  if constexpr (std::is_constructible_v<Stream, Device&>) {
    return new Stream(*reinterpret_cast<Device*>(device));
  } else {
    return new Stream();
  }
}

}  // namespace detail

/// Sets the slots of streams but `flush`. Stream has completed(), counter() and wait(sequence), as
/// SynchronousStream and AsynchronousStream have. `Device` is what the plugin's sy_device handles
/// are: a new stream is a Stream(device), or a Stream() if it needs none. Without it, create_stream
/// stays the plugin's, and its handles are made by `new Stream`.
template <typename Stream, typename Device = void>
void use_streams(sy_plugin& table) {
  static constexpr auto stream_of = [](sy_stream handle) -> Stream& {
    return *reinterpret_cast<Stream*>(handle);
  };
  if constexpr (!std::is_void_v<Device>) {
    table.create_stream = [](sy_create_stream_args* args, sy_error* error) {
      return guard(error, [&] {
        auto* stream = detail::new_stream<Stream, Device>(args->device);
        args->stream = reinterpret_cast<sy_stream>(stream);
        args->completed = stream->counter();
      });
    };
  }
  table.destroy_stream = [](sy_stream_args* args, sy_error* error) {
    return guard(error, [&] { delete &stream_of(args->stream); });
  };
  table.completed = [](sy_completed_args* args, sy_error* error) {
    return guard(error, [&] { args->sequence = stream_of(args->stream).completed(); });
  };
  table.wait = [](sy_wait_args* args, sy_error* error) {
    return guard(error, [&] { stream_of(args->stream).wait(args->sequence); });
  };
}

/// Sets `flush`, `notify` and all slots of events besides, for streams that are
/// AsynchronousStreams.
template <typename Stream, typename Device = void>
void use_asynchronous_streams(sy_plugin& table) {
  static constexpr auto stream_of = [](sy_stream handle) -> Stream& {
    return *reinterpret_cast<Stream*>(handle);
  };
  static constexpr auto event_of = [](sy_event handle) -> Event& {
    return *reinterpret_cast<Event*>(handle);
  };
  use_streams<Stream, Device>(table);
  table.notify = [](sy_notify_args* args, sy_error* error) {
    return guard(error, [&] {
      stream_of(args->stream)
          .notify(args->sequence,
                  [function = args->function, context = args->context] { function(context); });
    });
  };
  table.flush = [](sy_stream_args* args, sy_error* error) {
    return guard(error, [&] { stream_of(args->stream).flush(); });
  };
  table.create_event = [](sy_create_event_args* args, sy_error* error) {
    return guard(error, [&] {
      if ((args->flags & SY_FLAGS_TO_KNOW & ~SY_EVENT_TIMED) != 0) {
        throw unsupported(SY_REASON_NONE, "events with flags ", args->flags);
      }
      args->event = reinterpret_cast<sy_event>(new Event((args->flags & SY_EVENT_TIMED) != 0));
    });
  };
  table.destroy_event = [](sy_event_args* args, sy_error* error) {
    return guard(error, [&] { delete &event_of(args->event); });
  };
  table.record_event = [](sy_event_args* args, sy_error* error) {
    return guard(error, [&] { stream_of(args->stream).record(event_of(args->event)); });
  };
  table.wait_for_event = [](sy_event_args* args, sy_error* error) {
    return guard(error, [&] { stream_of(args->stream).wait_for(event_of(args->event)); });
  };
  table.wait_event = [](sy_event_args* args, sy_error* error) {
    return guard(error, [&] { event_of(args->event).wait(); });
  };
  table.elapsed_time = [](sy_elapsed_time_args* args, sy_error* error) {
    return guard(error, [&] {
      args->nanoseconds = event_of(args->start).time_until(event_of(args->end)).count();
    });
  };
}

}  // namespace sy
