#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <switchyard/error.hpp>
#include <switchyard/streams.hpp>
#include <thread>
#include <utility>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Work of a stream up to a number, and the plugin's own event there, if it has events.
struct Event::Mark {
  Mark(const Stream& stream, bool is_timed)
      : device(stream.device().open()),
        stream(&stream.open()),
        sequence(stream.open().last_enqueued()) {
    if (this->stream->synchronous()) {
      if (is_timed) reached = std::chrono::steady_clock::now();
      return;
    }
    this->stream->flush();
    sy_create_event_args args{};
    args.struct_size = sizeof(args);
    args.flags = is_timed ? SY_EVENT_TIMED : 0;
    args.device = device->handle();
    PluginError error;
    if (device->api().create_event(&args, &error) != SY_OK) return;  // it has none such
    event = args.event;
    try {
      this->stream->record(event);
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~Mark() { destroy(); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

  void destroy() noexcept {
    if (!event) return;
    sy_event_args args{sizeof(args), 0, nullptr, event, nullptr};
    PluginError error;
    device->api().destroy_event(&args, &error);
    event = nullptr;
  }

  std::shared_ptr<OpenDevice> device;
  OpenStream* stream;
  std::uint64_t sequence;
  sy_event event = nullptr;
  std::optional<std::chrono::steady_clock::time_point> reached;  // on synchronous devices, if timed
};

Stream::Stream(const Device& device, const StreamOptions& options)
    : Stream(device, device.open()->add_stream(options.priority)) {}

bool Stream::query() const { return open_->poll(open_->last_enqueued()); }
void Stream::synchronize() const { open_->synchronize(); }

void Stream::wait_event(const Event& event) const {
  const auto mark = event.mark();
  if (!mark || mark->stream == open_) return;
  const bool has_events = mark->event && &mark->device->plugin() == &device_.open()->plugin();
  if (!has_events || open_->synchronous()) return mark->stream->wait(mark->sequence);
  mark->stream->check_alive();
  open_->wait_for(mark->event);
}

Stream current_stream(const Device& device) { return {device, device.open()->stream()}; }

StreamScope::StreamScope(const Stream& stream)
    : stream_(stream),
      device_before_(thread_context.stream_device),
      stream_before_(thread_context.stream) {
  thread_context.stream_device = stream.device().open().get();
  thread_context.stream = &stream.open();
}

StreamScope::~StreamScope() {
  thread_context.stream_device = static_cast<const OpenDevice*>(device_before_);
  thread_context.stream = stream_before_;
}

struct Event::State {
  explicit State(const EventOptions& given) : options(given) {}

  const EventOptions options;
  trace::QuietMutex guard;
  std::shared_ptr<const Mark> mark;  // null before the first record()
};

Event::Event(const EventOptions& options) : state_(std::make_shared<State>(options)) {}

void Event::record(const Stream& stream) const {
  std::shared_ptr<const Mark> mark =
      std::make_shared<const Mark>(stream, state_->options.enable_timing);
  const std::lock_guard lock(state_->guard);
  state_->mark.swap(mark);  // the old one ends after the lock
}

std::shared_ptr<const Event::Mark> Event::mark() const {
  const std::lock_guard lock(state_->guard);
  return state_->mark;
}

bool Event::query() const {
  const auto mark = this->mark();
  return !mark || mark->stream->poll(mark->sequence);
}

void Event::synchronize() const {
  if (const auto mark = this->mark()) mark->stream->wait(mark->sequence);
}

// Where the plugin does not tell, a thread waits for it: an error of the work is for who reads its
// results.
void Event::on_completion(std::function<void()> done) const {
  const auto mark = this->mark();
  if (!mark || mark->stream->synchronous()) return done();
  if (mark->stream->notify(mark->sequence, done)) return;
  std::thread([mark, done = std::move(done)] {
    try {
      mark->stream->wait(mark->sequence);
    } catch (const Error&) {
    }
    done();
  }).detach();
}

double Event::elapsed_time(const Event& end) const {
  const auto first = mark(), last = end.mark();
  const bool are_timed = state_->options.enable_timing && end.state_->options.enable_timing;
  if (!first || !last || !are_timed || first->device != last->device) {
    throw Error(ErrorKind::invalid_argument,
                "[elapsed_time] both events are recorded on one device, and made with "
                "EventOptions{.enable_timing = true}");
  }
  using Milliseconds = std::chrono::duration<double, std::milli>;
  if (first->reached) return Milliseconds(*last->reached - *first->reached).count();
  first->stream->wait(first->sequence);
  last->stream->wait(last->sequence);
  sy_elapsed_time_args args{};
  args.struct_size = sizeof(args);
  args.start = first->event;
  args.end = last->event;
  if (!args.start || !args.end) {
    throw Error(ErrorKind::unsupported,
                fmt::format("[elapsed_time] {}: the plugin has no events with times",
                            first->device->name()));
  }
  first->device->call(first->device->api().elapsed_time, args, "elapsed_time");
  return Milliseconds(std::chrono::nanoseconds(args.nanoseconds)).count();
}

}  // namespace switchyard
