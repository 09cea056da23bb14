#include "objects.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"

namespace late {
namespace {

sy_status create_event(sy_create_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    if (args->flags != 0) throw sy::unsupported(SY_REASON_NONE, "the events have no times");
    args->event = reinterpret_cast<sy_event>(new Event);
  });
}

sy_status destroy_event(sy_event_args* args, sy_error*) {
  delete &object(args->event);
  return SY_OK;
}

sy_status record_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    const Stream& stream = object(args->stream);
    object(args->event) = {stream.state, stream.last};
  });
}

void wait_for(const Event& event) {
  sy_error failure = {};
  if (event.stream->wait(event.sequence, failure)) sy::throw_failure(failure);
}

sy_status wait_for_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    const Stream& stream = object(args->stream);
    const Event event = object(args->event);
    if (event.stream == nullptr || event.stream == stream.state) return;
    event.stream->flush();
    // A failure over there is for the host to know.
    stream.state->enqueue_unnumbered([event] {
      sy_error unheard = {};
      event.stream->wait(event.sequence, unheard);
    });
  });
}

sy_status wait_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    std::unique_lock lock(everything());
    const Event event = object(args->event);
    lock.unlock();
    if (event.stream != nullptr) wait_for(event);
  });
}

}  // namespace

void set_event_slots(sy_plugin& table) {
  table.create_event = create_event;
  table.destroy_event = destroy_event;
  table.record_event = record_event;
  table.wait_for_event = wait_for_event;
  table.wait_event = wait_event;
}

}  // namespace late
