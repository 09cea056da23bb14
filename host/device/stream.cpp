#include "device/stream.hpp"

#include <fmt/format.h>

#include <optional>

#include "device/open_device.hpp"
#include "device/status.hpp"

namespace switchyard {

OpenStream::OpenStream(OpenDevice& device)
    : device_(device),
      synchronous_(device.has(SY_DEVICE_SYNCHRONOUS)),
      concurrent_(synchronous_ && device.has(SY_DEVICE_THREAD_SAFE_RUN)) {
  sy_create_stream_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  PluginError error;
  check(device.api().create_stream(&args, &error), error, device.name(), "create_stream");
  handle_ = args.stream;
  counter_ = args.completed;
}

OpenStream::~OpenStream() {
  sy_stream_args args{};
  args.struct_size = sizeof(args);
  args.stream = handle_;
  PluginError error;
  device_.api().destroy_stream(&args, &error);
}

std::uint64_t OpenStream::completed() noexcept {
  if (synchronous_ || lost_.load(std::memory_order_acquire)) return UINT64_MAX;
  if (counter_) return __atomic_load_n(counter_, __ATOMIC_ACQUIRE);
  sy_completed_args args{};
  args.struct_size = sizeof(args);
  args.stream = handle_;
  PluginError error;
  return device_.api().completed(&args, &error) == SY_OK ? args.sequence : 0;
}

void OpenStream::report_lost() const {
  throw Error(ErrorKind::device,
              fmt::format("{}: the device failed and lost this stream and its work; it has "
                          "recovered since: make another stream",
                          device_.name()));
}

void OpenStream::make_way() {
  check_alive();
  const std::uint64_t last = last_enqueued();
  if (last - seen_ < kMostInFlight) [[likely]]
    return;
  seen_ = completed();
  if (last - seen_ < kMostInFlight) return;
  sy_wait_args args{};
  args.struct_size = sizeof(args);
  args.stream = handle_;
  args.sequence = last - kMostInFlight / 2;
  PluginError error;
  // What failed there is told to who asks for the results.
  device_.api().wait(&args, &error);
  seen_ = args.sequence;
}

void OpenStream::wait(std::uint64_t sequence) {
  if (synchronous_) return;
  const std::uint64_t last = last_enqueued();
  if (lost_.load(std::memory_order_acquire)) {
    answer_for(last);
    report_lost();
  }
  std::optional<trace::Span> span;
  if (trace::Timeline* timeline = device_.timeline()) {
    span.emplace(*timeline, "wait", "wait", trace::Facts().add("device", device_.name()));
  }
  sy_wait_args args{};
  args.struct_size = sizeof(args);
  args.stream = handle_;
  args.sequence = sequence;
  PluginError error;
  const sy_status status = device_.api().wait(&args, &error);
  // An error is that of all that was enqueued.
  answer_for(status == SY_OK ? sequence : last);
  if (status == SY_OK) return;
  const std::string suspect = first_failed(sequence);
  try {
    // What failed before the stream was replaced says nothing about the device as it is now.
    if (!device_.replace_stream(*this)) check(status, error, device_.name(), "wait");
    device_.check_call(status, error, "wait");
  } catch (const Error& failure) {
    throw Error(failure.kind(), failure.what() + suspect);
  }
}

// A node keeps its place in the ring until as much work has followed as may be under way.
void OpenStream::note(std::uint64_t sequence, std::string_view op, std::string_view node) {
  std::scoped_lock guard(notes_guard_);
  if (notes_.empty()) notes_.resize(kMostInFlight);
  Note& place = notes_[sequence % kMostInFlight];
  place.sequence = sequence;
  place.op = op;
  place.node = node;
}

// The plugin's error tells what went wrong, and the host alone knows where. All up to `sequence` is
// over, and waits for what had completed before the error do not return it: so the first of which
// they do is found by halves. Copies have no note, and some devices fail in whole batches.
std::string OpenStream::first_failed(std::uint64_t sequence) {
  std::uint64_t sound = sequence > kMostInFlight ? sequence - kMostInFlight : 0, failed = sequence;
  while (failed - sound > 1) {
    const std::uint64_t middle = sound + (failed - sound) / 2;
    sy_wait_args args{sizeof(args), 0, nullptr, handle_, middle};
    PluginError error;
    (device_.api().wait(&args, &error) == SY_OK ? sound : failed) = middle;
  }
  std::scoped_lock guard(notes_guard_);
  for (; !notes_.empty() && failed <= sequence; ++failed) {
    const Note& first = notes_[failed % kMostInFlight];
    if (first.sequence != failed) continue;
    const std::string what =
        first.node.empty() ? first.op : fmt::format("node '{}' ({})", first.node, first.op);
    return fmt::format("; the first work that it concerns is {}", what);
  }
  return {};
}

void OpenStream::answer_for(std::uint64_t sequence) noexcept {
  std::uint64_t known = answered_.load(std::memory_order_relaxed);
  while (known < sequence && !answered_.compare_exchange_weak(known, sequence)) continue;
}

bool OpenStream::poll(std::uint64_t sequence) {
  if (completed() >= sequence) return true;
  flush();
  return completed() >= sequence;
}

void OpenStream::flush() {
  if (synchronous_) return;
  check_alive();
  sy_stream_args args{sizeof(args), 0, nullptr, handle_};
  PluginError error;
  std::scoped_lock turn(turn_);
  device_.check_call(device_.api().flush(&args, &error), error, "flush");
}

void OpenStream::wait_for_unanswered() {
  const std::uint64_t last = last_enqueued();
  if (last > answered_.load(std::memory_order_acquire)) wait(last);
}

void OpenStream::record(sy_event event) {
  check_alive();
  sy_event_args args{sizeof(args), 0, nullptr, event, handle_};
  PluginError error;
  std::scoped_lock turn(turn_);
  device_.check_call(device_.api().record_event(&args, &error), error, "record_event");
}

void OpenStream::wait_for(sy_event event) {
  check_alive();
  sy_event_args args{sizeof(args), 0, nullptr, event, handle_};
  PluginError error;
  std::scoped_lock turn(turn_);
  device_.check_call(device_.api().wait_for_event(&args, &error), error, "wait_for_event");
}

void OpenStream::synchronize() {
  if (!synchronous_) wait(last_enqueued());
}

}  // namespace switchyard
