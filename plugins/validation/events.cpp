#include "call.hpp"
#include "order.hpp"
#include "slots.hpp"

namespace validation {
namespace {

// A call that names an event and no stream.
std::shared_ptr<Event> find_alone(Call& call, const sy_event_args& args) {
  if (args.stream != nullptr) call.violation(Rule::event, "a stream is named, which is null here");
  return call.find(args.event);
}

// It has a time to be asked for.
void check_time(Call& call, const Event& event) {
  if (!event.is_timed) call.violation(Rule::event, "event ", event.id, " is not timed");
  if (!event.stream) return call.violation(Rule::event, "event ", event.id, " was never recorded");
  for (const auto& [stream, sequence] : knowledge_of(event)) {
    if (sequence <= known_done(stream, nullptr)) continue;
    call.violation(Rule::event, "event ", event.id, " is not known to have completed");
    return;
  }
}

}  // namespace

sy_status create_event(Plugin& plugin, sy_create_event_args* args, sy_error* error) {
  Call call(plugin, "create_event", *args, error);
  const auto device = call.find(args->device);
  if (!call.may_pass()) return call.refuse();
  sy_create_event_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.inner.create_event, inner);
  if (status != SY_OK) return status;
  args->event = nullptr;
  if (inner.event == nullptr) return status;
  auto event = std::make_shared<Event>();
  event->device = device;
  event->generation = device->recoveries;
  event->inner = inner.event;
  event->is_timed = (args->flags & SY_EVENT_TIMED) != 0;
  ++device->events;
  args->event = plugin.events.keep(std::move(event), plugin.numbers.next());
  return status;
}

sy_status destroy_event(Plugin& plugin, sy_event_args* args, sy_error* error) {
  Call call(plugin, "destroy_event", *args, error, Handling::lets_go);
  const auto event = find_alone(call, *args);
  if (event) call.check_unused_by_calls(*event, "event");
  if (!call.may_pass()) return call.refuse();
  plugin.events.drop(args->event);
  --event->device->events;
  sy_event_args inner = copy_of(*args);
  inner.event = event->inner;
  inner.stream = nullptr;
  return call.pass_on(plugin.inner.destroy_event, inner);
}

sy_status record_event(Plugin& plugin, sy_event_args* args, sy_error* error) {
  Call call(plugin, "record_event", *args, error);
  const auto stream = call.find(args->stream);
  const auto event = call.find(args->event);
  if (stream) call.drive(stream);
  if (stream && event) call.check_owner(*event, *stream->device, "event");
  if (!call.may_pass()) return call.refuse();
  sy_event_args inner = copy_of(*args);
  inner.event = event->inner;
  inner.stream = stream->inner;
  const sy_status status = call.pass_on(plugin.inner.record_event, inner);
  if (status != SY_OK) return status;
  event->stream = stream;
  event->sequence = stream->last;
  event->ordered_after = knowledge_of(*stream);
  return status;
}

sy_status wait_for_event(Plugin& plugin, sy_event_args* args, sy_error* error) {
  Call call(plugin, "wait_for_event", *args, error);
  const auto stream = call.find(args->stream);
  const auto event = call.find(args->event);
  if (stream) call.drive(stream);
  if (!call.may_pass()) return call.refuse();
  const Event as_recorded = *event;
  sy_event_args inner = copy_of(*args);
  inner.event = event->inner;
  inner.stream = stream->inner;
  const sy_status status = call.pass_on(plugin.inner.wait_for_event, inner);
  if (status == SY_OK && as_recorded.stream && as_recorded.stream != stream) {
    order_after(*stream, knowledge_of(as_recorded));
  }
  return status;
}

sy_status wait_event(Plugin& plugin, sy_event_args* args, sy_error* error) {
  Call call(plugin, "wait_event", *args, error, Handling::lets_go);
  const auto event = find_alone(call, *args);
  if (!call.may_pass()) return call.refuse();
  const Event as_recorded = *event;
  sy_event_args inner = copy_of(*args);
  inner.event = event->inner;
  inner.stream = nullptr;
  const sy_status status = call.pass_on(plugin.inner.wait_event, inner);
  if (status != SY_OK || !as_recorded.stream) return status;
  for (const auto& [stream, sequence] : knowledge_of(as_recorded)) see(stream, sequence);
  return status;
}

sy_status elapsed_time(Plugin& plugin, sy_elapsed_time_args* args, sy_error* error) {
  Call call(plugin, "elapsed_time", *args, error);
  const auto start = call.find(args->start), end = call.find(args->end);
  if (start && end) call.check_owner(*end, *start->device, "second event");
  for (const auto& event : {start, end}) {
    if (event) check_time(call, *event);
  }
  if (!call.may_pass()) return call.refuse();
  sy_elapsed_time_args inner = copy_of(*args);
  inner.start = start->inner;
  inner.end = end->inner;
  const sy_status status = call.pass_on(plugin.inner.elapsed_time, inner);
  args->nanoseconds = inner.nanoseconds;
  return status;
}

}  // namespace validation
