#include "streams.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

#include "guard.hpp"
#include "handles.hpp"

namespace mps {
namespace {

// A sy_event: a Metal event, and what it stands for now.
class RecordedEvent {
 public:
  struct Point {
    uint64_t value = 0;  // 0: nothing was recorded
    std::shared_ptr<const Outcome> outcome;
  };

  explicit RecordedEvent(Device& device) : event_(device.metal().event()) {}

  // Commits, so that nobody who waits has to.
  void record(Stream& stream) {
    Point point;
    {
      const std::lock_guard lock(mutex_);
      point = {point_.value + 1, stream.outcome()};
      point_ = point;
    }
    stream.signal(event_, point.value);
    stream.flush();
  }

  void delay(Stream& stream) const {
    const Point point = get();
    if (point.value != 0) stream.wait_for(event_, point.value, point.outcome);
  }

  void wait() const {
    const Point point = get();
    if (point.value == 0) return;
    event_->wait(point.value, UINT64_MAX);
    point.outcome->rethrow();
  }

 private:
  Point get() const {
    const std::lock_guard lock(mutex_);
    return point_;
  }

  const seam::Ref<seam::Event> event_;
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
  return guard(error, [&] { delete &owned_stream_of(args->stream); });
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
    args->event = reinterpret_cast<sy_event>(new RecordedEvent(device_of(args->device)));
  });
}

sy_status destroy_event(sy_event_args* args, sy_error* error) {
  return guard(error, [&] { delete &event_of(args->event); });
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
