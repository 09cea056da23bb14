#include <mutex>
#include <switchyard/streams.hpp>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Work of a stream up to a number, and the plugin's own event there, if it has events.
struct Event::Mark {
  Mark(const Stream& stream)
      : device(stream.device().open()),
        stream(&stream.open()),
        sequence(stream.open().last_enqueued()) {
    if (this->stream->synchronous()) return;
    this->stream->flush();
    sy_create_event_args args{};
    args.struct_size = sizeof(args);
    args.device = device->handle();
    PluginError error;
    if (device->api().create_event(&args, &error) != SY_OK) return;  // it has none
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
};

Stream::Stream(const Device& device) : Stream(device, device.open()->add_stream()) {}

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
  trace::QuietMutex guard;
  std::shared_ptr<const Mark> mark;  // null before the first record()
};

Event::Event() : state_(std::make_shared<State>()) {}

void Event::record(const Stream& stream) const {
  std::shared_ptr<const Mark> mark = std::make_shared<const Mark>(stream);
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

}  // namespace switchyard
