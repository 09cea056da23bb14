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

}  // namespace

sy_status create_event(Plugin& plugin, sy_create_event_args* args, sy_error* error) {
  Call call(plugin, "create_event", *args, error);
  const auto device = call.find(args->device);
  if (!call.may_pass()) return call.refuse();
  sy_create_event_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.inner.create_event, inner);
  args->event = nullptr;
  if (status != SY_OK || inner.event == nullptr) return status;
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
    order_after(*stream, as_recorded);
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
  see(as_recorded.stream, as_recorded.sequence);
  for (const auto& [stream, sequence] : as_recorded.ordered_after) see(stream, sequence);
  return status;
}

sy_status elapsed_time(Plugin& plugin, sy_elapsed_time_args* args, sy_error* error) {
  Call call(plugin, "elapsed_time", *args, error);
  const auto start = call.find(args->start), end = call.find(args->end);
  for (const auto& event : {start, end}) {
    if (!event) continue;
    if (!event->is_timed) call.violation(Rule::event, "event ", event->id, " is not timed");
    if (!event->stream) {
      call.violation(Rule::event, "event ", event->id, " was never recorded");
    } else if (event->sequence > known_done(event->stream, nullptr)) {
      call.violation(Rule::event, "event ", event->id, " is not known to have completed");
    }
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
