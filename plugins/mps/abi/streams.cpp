#include "abi/streams.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

#include "abi/guard.hpp"
#include "abi/handles.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps {
namespace {

// A sy_event: what was recorded last.
class RecordedEvent {
 public:
  explicit RecordedEvent(Device& device) : device_(device) {}

  // Commits, so that nobody who waits has to. Who waited before waits for what was recorded then.
  void record(Stream& stream) {
    const std::lock_guard lock(mutex_);
    const Point point = next(stream);
    stream.signal(point.event, point.value);
    point_ = point;  // only now: who waits for what was never to be signalled would hang
    stream.flush();
  }

  void delay(Stream& stream) const {
    const Point point = get();
    if (point.event) stream.wait_for(point.event, point.value, point.outcome);
  }

  void wait() const {
    const Point point = get();
    if (!point.event) return;
    point.event->wait(point.value, UINT64_MAX);
    point.outcome->rethrow();
  }

 private:
  struct Point {
    seam::Ref<seam::Event> event;  // null: nothing was recorded
    uint64_t value = 0;
    std::shared_ptr<const Outcome> outcome;  // the stream's
  };

  // One Metal event serves one stream: another's signal may come before those that are due.
  Point next(Stream& stream) const {
    if (point_.outcome == stream.outcome()) return {point_.event, point_.value + 1, point_.outcome};
    return {device_.metal().event(), 1, stream.outcome()};
  }

  Point get() const {
    const std::lock_guard lock(mutex_);
    return point_;
  }

  Device& device_;
  mutable std::mutex mutex_;
  Point point_;
};

RecordedEvent& event_of(sy_event handle) { return *reinterpret_cast<RecordedEvent*>(handle); }

}  // namespace

sy_status create_stream(sy_create_stream_args* args, sy_error* error) {
  return guard(error, [&] {
    auto* stream = new OwnedStream(device_of(args->device));
    args->stream = reinterpret_cast<sy_stream>(stream);
    static_assert(sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));
    args->completed =
        reinterpret_cast<const volatile uint64_t*>(&stream->stream->progress()->completed);
  });
}

sy_status destroy_stream(sy_stream_args* args, sy_error* error) {
  return guard_release(error, [&] { delete &owned_stream_of(args->stream); });
}

sy_status flush(sy_stream_args* args, sy_error* error) {
  return guard(error, [&] { stream_of(args->stream).flush(); });
}

sy_status completed(sy_completed_args* args, sy_error* error) {
  return guard(error,
               [&] { args->sequence = stream_of(args->stream).progress()->completed.load(); });
}

sy_status wait(sy_wait_args* args, sy_error* error) {
  return guard(error, [&] { stream_of(args->stream).wait(args->sequence); });
}

sy_status create_event(sy_create_event_args* args, sy_error* error) {
  return guard(error, [&] {
    if ((args->flags & SY_FLAGS_TO_KNOW) != 0) {
      throw sy::unsupported(SY_REASON_NONE, "events with flags ", args->flags);
    }
    args->event = reinterpret_cast<sy_event>(new RecordedEvent(device_of(args->device)));
  });
}

sy_status destroy_event(sy_event_args* args, sy_error* error) {
  return guard_release(error, [&] { delete &event_of(args->event); });
}

sy_status record_event(sy_event_args* args, sy_error* error) {
  return guard(error, [&] { event_of(args->event).record(stream_of(args->stream)); });
}

sy_status wait_for_event(sy_event_args* args, sy_error* error) {
  return guard(error, [&] { event_of(args->event).delay(stream_of(args->stream)); });
}

sy_status wait_event(sy_event_args* args, sy_error* error) {
  return guard(error, [&] { event_of(args->event).wait(); });
}

}  // namespace mps
