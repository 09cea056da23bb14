#include <algorithm>

#include "order.hpp"
#include "slots.hpp"
#include "switchyard/plugin/guard.hpp"
#include "turn.hpp"
#include "violations.hpp"

namespace checking {
namespace {

sy_status create_event(sy_create_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Device* device = find(args->device, "create_event");
    if (device == nullptr) throw sy::invalid("no device");
    if ((args->flags & ~SY_EVENT_TIMED) != 0) violation("create_event: flags ", args->flags);
    if (args->flags != 0) throw sy::unsupported(SY_REASON_NONE, "the events have no times");
    auto event = std::make_unique<Event>();
    event->device = device;
    ++device->events;
    args->event = keep(std::move(event));
  });
}

sy_status destroy_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Event* event = find(args->event, "destroy_event");
    if (event == nullptr || event->is_destroyed) return;
    if (args->stream != nullptr) violation("destroy_event: the stream is not null");
    if (event->device->is_closed) violation("destroy_event: after its device");
    event->is_destroyed = true;
    --event->device->events;
  });
}

sy_status record_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Stream* stream = find(args->stream, "record_event");
    Event* event = find(args->event, "record_event");
    if (stream == nullptr || event == nullptr) throw sy::invalid("no such handle");
    const Turn turn(*stream, "record_event");
    if (event->device != stream->device) violation("record_event: of another device");
    event->stream = stream;
    event->sequence = stream->last;
    event->ordered_after = stream->ordered_after;
  });
}

void wait_for_work(const std::shared_ptr<sy::StreamState>& state, uint64_t sequence) {
  sy_error failure = {};
  if (state->wait(sequence, failure)) sy::throw_failure(failure);
}

void order_after(Stream& stream, const Event& event) {
  const auto raise = [&](const Stream* other, uint64_t sequence) {
    uint64_t& known = stream.ordered_after[other];
    known = std::max(known, sequence);
  };
  for (const auto& [other, sequence] : event.ordered_after) raise(other, sequence);
  raise(event.stream, event.sequence);
}

sy_status wait_for_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    const std::lock_guard lock(everything());
    Stream* stream = find(args->stream, "wait_for_event");
    Event* event = find(args->event, "wait_for_event");
    if (stream == nullptr || event == nullptr) throw sy::invalid("no such handle");
    const Turn turn(*stream, "wait_for_event");
    if (event->stream == nullptr || event->stream == stream) return;
    order_after(*stream, *event);
    event->stream->state->flush();
    // A failure over there is for the host to know.
    stream->state->enqueue_unnumbered([state = event->stream->state, last = event->sequence] {
      sy_error unheard = {};
      state->wait(last, unheard);
    });
  });
}

sy_status wait_event(sy_event_args* args, sy_error* error) {
  return sy::guard(error, [&] {
    std::unique_lock lock(everything());
    const Event* event = find(args->event, "wait_event");
    if (args->stream != nullptr) violation("wait_event: the stream is not null");
    if (event == nullptr || event->stream == nullptr) return;
    Stream& stream = *event->stream;
    const uint64_t sequence = event->sequence;
    lock.unlock();
    wait_for_work(stream.state, sequence);
    lock.lock();
    stream.seen = std::max(stream.seen, sequence);
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

}  // namespace checking
