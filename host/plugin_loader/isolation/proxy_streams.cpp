#include <memory>

#include "plugin_loader/isolation/deliveries.hpp"
#include "plugin_loader/isolation/proxy_call.hpp"
#include "plugin_loader/isolation/proxy_table.hpp"

namespace switchyard::isolation::proxy {

sy_status create_stream(sy_create_stream_args* args, sy_error* error) {
  ProxyDevice& device = device_of(args->device);
  Child& child = child_of(device);
  const sy_status status = child.call(Call::create_stream, *args, error);
  if (status != SY_OK || args->stream == nullptr) return status;
  auto* const stream =
      new ProxyStream({&child, reinterpret_cast<std::uint64_t>(args->stream)}, device);
  args->stream = reinterpret_cast<sy_stream>(stream);
  static_assert(sizeof(stream->completed) == sizeof(*args->completed));
  args->completed = reinterpret_cast<const volatile std::uint64_t*>(&stream->completed);
  return SY_OK;
}

sy_status destroy_stream(sy_stream_args* args, sy_error* error) {
  const std::unique_ptr<ProxyStream> stream(&stream_of(args->stream));
  return call_to_end<Call::destroy_stream>(*stream, args, error);
}

// What the host counts is what it has got: the server's number may be of work whose delivery is yet
// to be made.
sy_status completed(sy_completed_args* args, sy_error* error) {
  ProxyStream& stream = stream_of(args->stream);
  const sy_status status = call_by_stream<Call::completed>(args, error);
  if (status == SY_OK && !stream.device.synchronous()) args->sequence = stream.completed.load();
  return status;
}

// Whoever has waited may free the memory that the work writes to, so nothing may come later.
sy_status wait(sy_wait_args* args, sy_error* error) {
  ProxyStream& stream = stream_of(args->stream);
  const sy_status status = call_by_stream<Call::wait>(args, error);
  if (is_delivered(stream, args->sequence)) return status;
  if (status == SY_OK) abandon(stream);
  if (!is_abandoned(stream)) return status;
  return refuse(error, SY_DEVICE_LOST, SY_REASON_NONE,
                "its process has lost the stream, or miscounts its work");
}

sy_status create_event(sy_create_event_args* args, sy_error* error) {
  Child& child = child_of(device_of(args->device));
  const sy_status status = child.call(Call::create_event, *args, error);
  if (status == SY_OK && args->event != nullptr) {
    args->event = reinterpret_cast<sy_event>(
        new ProxyEvent{&child, reinterpret_cast<std::uint64_t>(args->event)});
  }
  return status;
}

sy_status destroy_event(sy_event_args* args, sy_error* error) {
  const std::unique_ptr<ProxyEvent> event(as_proxy<ProxyEvent>(args->event));
  return call_to_end<Call::destroy_event>(*event, args, error);
}

sy_status record_event(sy_event_args* args, sy_error* error) {
  return call_by_stream<Call::record_event>(args, error);
}

sy_status wait_for_event(sy_event_args* args, sy_error* error) {
  return call_by_stream<Call::wait_for_event>(args, error);
}

sy_status wait_event(sy_event_args* args, sy_error* error) {
  return as_proxy<ProxyEvent>(args->event)->child->call(Call::wait_event, *args, error);
}

sy_status elapsed_time(sy_elapsed_time_args* args, sy_error* error) {
  return as_proxy<ProxyEvent>(args->start)->child->call(Call::elapsed_time, *args, error);
}

}  // namespace switchyard::isolation::proxy
