#include "call.hpp"
#include "order.hpp"
#include "slots.hpp"

namespace validation {
namespace {

// Whether the number has been given, or may have been by a call that is under way.
void check_given_number(Call& call, const Stream& stream, uint64_t sequence) {
  const uint64_t under_way = stream.caller != nullptr ? 1 : 0;
  if (stream.device->is(SY_DEVICE_SYNCHRONOUS) || sequence <= stream.last + under_way) return;
  call.violation(Rule::sequence, "for number ", sequence, " of stream ", stream.id,
                 ", whose last is ", stream.last);
}

// Tells the host that work is over, once, and notes that the host knows.
struct Notice {
  Plugin& plugin;
  std::shared_ptr<Stream> stream;
  uint64_t sequence;
  void (*function)(void* context);
  void* context;

  static void tell(void* given) {
    const std::unique_ptr<const Notice> notice(static_cast<Notice*>(given));
    {
      const std::lock_guard lock(notice->plugin.guard);
      // Work that was lost may still run until `recover` has returned.
      if (!notice->stream->device->is_lost) see(notice->stream, notice->sequence);
    }
    const Telling telling(notice->plugin);
    notice->function(notice->context);
  }
};

}  // namespace

sy_status create_stream(Plugin& plugin, sy_create_stream_args* args, sy_error* error) {
  Call call(plugin, "create_stream", *args, error);
  const auto device = call.find(args->device);
  if (!call.may_pass()) return call.refuse();
  sy_create_stream_args inner = copy_of(*args);
  inner.device = device->inner;
  const sy_status status = call.pass_on(plugin.inner.create_stream, inner);
  if (status != SY_OK) return status;
  args->stream = nullptr;
  args->completed = inner.completed;
  if (inner.stream == nullptr) return status;
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->generation = device->recoveries;
  stream->inner = inner.stream;
  stream->counter = inner.completed;
  ++device->streams;
  args->stream = plugin.streams.keep(std::move(stream), plugin.numbers.next());
  return status;
}

sy_status destroy_stream(Plugin& plugin, sy_stream_args* args, sy_error* error) {
  Call call(plugin, "destroy_stream", *args, error, Handling::lets_go);
  const auto stream = call.find(args->stream);
  if (stream) {
    call.drive(stream);
    call.check_unused_by_calls(*stream, "stream");
  }
  if (!call.may_pass()) return call.refuse();
  plugin.streams.drop(args->stream);
  --stream->device->streams;
  sy_stream_args inner = copy_of(*args);
  inner.stream = stream->inner;
  // The counter lives as long as the stream.
  if (stream->counter != nullptr) known_done(stream, nullptr);
  stream->counter = nullptr;
  const sy_status status = call.pass_on(plugin.inner.destroy_stream, inner);
  see(stream, stream->last);
  stream->ordered_after.clear();
  stream->orders.clear();
  return status;
}

sy_status flush(Plugin& plugin, sy_stream_args* args, sy_error* error) {
  Call call(plugin, "flush", *args, error);
  const auto stream = call.find(args->stream);
  if (stream) call.drive(stream);
  if (!call.may_pass()) return call.refuse();
  sy_stream_args inner = copy_of(*args);
  inner.stream = stream->inner;
  return call.pass_on(plugin.inner.flush, inner);
}

sy_status completed(Plugin& plugin, sy_completed_args* args, sy_error* error) {
  Call call(plugin, "completed", *args, error, Handling::lets_go);
  const auto stream = call.find(args->stream);
  if (!call.may_pass()) return call.refuse();
  sy_completed_args inner = copy_of(*args);
  inner.stream = stream->inner;
  const sy_status status = call.pass_on(plugin.inner.completed, inner);
  args->sequence = inner.sequence;
  if (status == SY_OK) see(stream, inner.sequence);
  return status;
}

sy_status wait(Plugin& plugin, sy_wait_args* args, sy_error* error) {
  Call call(plugin, "wait", *args, error, Handling::lets_go);
  const auto stream = call.find(args->stream);
  if (stream) check_given_number(call, *stream, args->sequence);
  if (!call.may_pass()) return call.refuse();
  sy_wait_args inner = copy_of(*args);
  inner.stream = stream->inner;
  const sy_status status = call.pass_on(plugin.inner.wait, inner);
  if (status == SY_OK) see(stream, args->sequence);
  if (status == SY_DEVICE_LOST) see(stream, stream->last);  // no work touches memory any more
  return status;
}

sy_status notify(Plugin& plugin, sy_notify_args* args, sy_error* error) {
  Call call(plugin, "notify", *args, error);
  const auto stream = call.find(args->stream);
  if (stream) check_given_number(call, *stream, args->sequence);
  if (args->function == nullptr) {
    call.violation(Rule::args, "there is no function to call");
    call.stop();
  }
  if (!call.may_pass()) return call.refuse();
  sy_notify_args inner = copy_of(*args);
  inner.stream = stream->inner;
  auto notice = std::make_unique<Notice>(
      Notice{plugin, stream, args->sequence, args->function, args->context});
  inner.function = Notice::tell;
  inner.context = notice.get();
  const sy_status status = call.pass_on(plugin.inner.notify, inner);
  // It may have been told, and destroyed, already.
  if (status == SY_OK) static_cast<void>(notice.release());
  return status;
}

}  // namespace validation
