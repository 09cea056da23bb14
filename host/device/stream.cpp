#include "device/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "device/forks.hpp"
#include "device/open_device.hpp"
#include "plugin_loader/watch/call_target.hpp"
#include "trace/log.hpp"

namespace switchyard {

OpenStream::OpenStream(OpenDevice& device, std::int32_t priority)
    : device_(device),
      synchronous_(device.has(SY_DEVICE_SYNCHRONOUS)),
      concurrent_(synchronous_ && device.has(SY_DEVICE_THREAD_SAFE_RUN)) {
  watch_forks();
  forks_ = fork_count();
  sy_create_stream_args args{};
  args.struct_size = sizeof(args);
  args.priority = priority;
  args.device = device.handle();
  PluginError error;
  const sy_status status =
      try_call(device.api().create_stream, args, error, [&] { device.trim_blocks(); });
  check(status, error, device.name(), "create_stream");
  handle_ = args.stream;
  counter_ = args.completed;
}

OpenStream::~OpenStream() {
  if (is_of_parent()) return;  // its threads, which this would wait for, are not here
  if (!synchronous_) watch::await_readers();
  sy_stream_args args{sizeof(args), 0, nullptr, handle_};
  PluginError error;
  device_.note_call(device_.api().destroy_stream(&args, &error), error, "destroy_stream");
}

std::uint64_t OpenStream::completed() noexcept {
  if (synchronous_ || over_.load(std::memory_order_acquire)) return UINT64_MAX;
  if (lost_.load(std::memory_order_acquire)) return 0;
  if (counter_) return __atomic_load_n(counter_, __ATOMIC_ACQUIRE);
  sy_completed_args args{};
  args.struct_size = sizeof(args);
  args.stream = handle_;
  PluginError error;
  return device_.api().completed(&args, &error) == SY_OK ? args.sequence : 0;
}

void OpenStream::report_lost() const {
  throw Error(ErrorKind::device_lost,
              fmt::format("{}: the device failed and lost this stream and its work; it has "
                          "recovered since: make another stream",
                          device_.name()))
      .set_device(device_.name());
}

void OpenStream::refuse_in_child() const {
  throw Error(ErrorKind::device_unavailable,
              fmt::format("{}: its work is done by threads, and a child of fork() has none of its "
                          "parent's; use the device in the parent, or have the child call exec",
                          device_.name()))
      .set_device(device_.name());
}

void OpenStream::make_way() {
  check_alive();
  if (synchronous_) return;
  check_process();
  const std::uint64_t last = last_enqueued();
  if (last - seen_ < kMostInFlight) [[likely]]
    return;
  seen_ = completed();
  if (last - seen_ < kMostInFlight) return;
  const std::uint64_t half = last - kMostInFlight / 2;
  PluginError error;
  // What failed there is told to who asks for the results.
  wait_until_over(half, error);
  seen_ = half;
}

// While work is under way, memory that it uses, a user's included, can be neither read nor freed:
// so a `wait` that fails meanwhile has only failed to wait. Once the work is over the error is the
// work's. A second wait has the plugin say that it is over, and shows whether the error sticks to
// the stream, as it should: one that the plugin has forgotten is kept here.
sy_status OpenStream::wait_until_over(std::uint64_t sequence, PluginError& error) noexcept {
  const watch::WaitScope waits(device_.calls(), *this);
  constexpr int kReported = 16;  // after most of a second
  constexpr std::chrono::milliseconds kLongestPause{64};
  std::chrono::milliseconds pause{1};
  for (int failures = 1; !lost_.load(std::memory_order_acquire); ++failures) {
    sy_wait_args args{sizeof(args), 0, nullptr, handle_, sequence};
    const sy_status status = device_.api().wait(&args, &error);
    if (status == SY_OK) return known_failure(sequence, error);
    if (status == SY_DEVICE_LOST) return status;
    if (completed() >= sequence) {
      PluginError again;
      const sy_status second = device_.api().wait(&args, &again);
      if (second == SY_OK) keep_failure(status, error);
      return second == SY_DEVICE_LOST ? second : status;
    }
    if (status == SY_OUT_OF_MEMORY) device_.trim_blocks();
    if (failures == kReported) {
      trace::error(
          "{}: wait: {} (status {}); the work is under way, and is waited for until it is "
          "over; tell the plugin's author if that never is",
          device_.name(), error.message, status);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
  over_.wait(false, std::memory_order_acquire);
  return SY_DEVICE_LOST;
}

sy_status OpenStream::known_failure(std::uint64_t sequence, PluginError& error) {
  std::scoped_lock guard(notes_guard_);
  if (!failure_) sound_ = std::max(sound_, sequence);
  if (!failure_ || failure_->sequence > sequence) return SY_OK;
  error = failure_->error;
  return failure_->status;
}

// Which work it was the plugin no longer tells: none that a wait has found sound.
void OpenStream::keep_failure(sy_status status, const PluginError& error) {
  std::scoped_lock guard(notes_guard_);
  if (!failure_) failure_ = Failure{sound_ + 1, status, error};
}

void OpenStream::finish_late(std::uint64_t sequence) noexcept {
  if (synchronous_) return;
  sy_wait_args args{sizeof(args), 0, nullptr, handle_, sequence};
  PluginError unused;
  device_.api().wait(&args, &unused);
}

// The work is under way: in its place, or under the number given if the plugin counts what it
// should not. A number that is not reached soon after belongs to no work.
void OpenStream::report_misnumbered(std::string_view entry, std::uint64_t given) {
  constexpr std::chrono::milliseconds kPause{8};
  constexpr int kPauses = 128;
  const std::uint64_t next = last_enqueued() + 1;
  PluginError error;
  const std::string what = fmt::format(
      "gives its work the number {}, where {} is the stream's next; tell the plugin's author",
      given, next);
  trace::error("{}: {}: {}", device_.name(), entry, what);
  wait_until_over(next, error);
  for (int pauses = 0; completed() < given && pauses < kPauses; ++pauses) {
    std::this_thread::sleep_for(kPause);
  }
  last_.store(next, std::memory_order_release);
  *fmt::format_to_n(error.message, sizeof(error.message) - 1, "{}", what).out = '\0';
  device_.check_call(SY_BUG, error, entry);
}

void OpenStream::wait(std::uint64_t sequence) {
  if (synchronous_) return;
  check_process();
  const std::uint64_t last = last_enqueued();
  std::optional<trace::Span> span;
  if (trace::Timeline* timeline = device_.timeline()) {
    span.emplace(*timeline, "wait", "wait", trace::Facts().add("device", device_.name()));
  }
  PluginError error;
  const sy_status status = wait_until_over(sequence, error);
  // An error is that of all that was enqueued.
  answer_for(status == SY_OK ? sequence : last);
  if (status == SY_OK) return wait_for_followed(sequence);
  answer_for_followed(sequence);
  check_alive();
  const std::string suspect = first_failed(sequence);
  try {
    // What failed before the stream was replaced says nothing about the device as it is now.
    if (!device_.replace_stream(*this)) check(status, error, device_.name(), "wait");
    device_.check_call(status, error, "wait");
  } catch (const Error& failure) {
    throw Error(failure).set_line(failure.what() + suspect);
  }
}

bool OpenStream::follow(StreamProgress& other, std::uint64_t sequence) {
  auto& before = static_cast<OpenStream&>(other);
  if (synchronous_ || !device_.plugin().has_events()) return false;
  if (lost_.load(std::memory_order_acquire) || before.completed() >= sequence) return false;
  if (follows(before, sequence)) return true;
  sy_create_event_args made{};
  made.struct_size = sizeof(made);
  made.device = device_.handle();
  PluginError error;
  if (device_.try_call(device_.api().create_event, made, error) != SY_OK) return false;
  const auto destroy = [this](sy_event event) {
    sy_event_args args{sizeof(args), 0, nullptr, event, nullptr};
    PluginError failure;
    device_.note_call(device_.api().destroy_event(&args, &failure), failure, "destroy_event");
  };
  const std::unique_ptr<sy_event_object, decltype(destroy)> event(made.event, destroy);
  before.record(event.get());
  before.flush();
  wait_for(event.get());
  std::scoped_lock guard(notes_guard_);
  followed_.push_back({last_enqueued() + 1, &before, sequence});
  follows_any_.store(true, std::memory_order_release);
  return true;
}

// A plugin that is just enqueuing may ask for memory of the host.
std::uint64_t OpenStream::last_begun() {
  if (Enqueuing::is_at(*this)) return last_enqueued();
  std::scoped_lock turn(turn_);
  return last_enqueued();
}

bool OpenStream::follows(const OpenStream& other, std::uint64_t sequence) const {
  if (!follows_any_.load(std::memory_order_acquire)) return false;
  std::scoped_lock guard(notes_guard_);
  return std::any_of(followed_.begin(), followed_.end(), [&](const Followed& work) {
    return work.stream == &other && work.sequence >= sequence;
  });
}

std::vector<OpenStream::Followed> OpenStream::followed_before(std::uint64_t sequence) const {
  if (!follows_any_.load(std::memory_order_acquire)) return {};
  std::scoped_lock guard(notes_guard_);
  std::vector<Followed> followed = followed_;
  std::erase_if(followed, [&](const Followed& work) { return work.from > sequence; });
  return followed;
}

// A plugin may pass on what failed there, and this stream's error tells it then.
void OpenStream::answer_for_followed(std::uint64_t sequence) noexcept {
  for (const Followed& work : followed_before(sequence)) {
    try {
      work.stream->wait(work.sequence);
    } catch (const std::exception&) {
      continue;
    }
  }
}

// What it follows has completed before it. Whether that failed only its own stream knows for sure.
void OpenStream::wait_for_followed(std::uint64_t sequence) {
  const std::vector<Followed> followed = followed_before(sequence);
  if (followed.empty()) return;
  try {
    for (const Followed& work : followed) work.stream->wait(work.sequence);
  } catch (const Error&) {
    device_.replace_stream(*this);  // its later work is no better
    throw;
  }
  std::scoped_lock guard(notes_guard_);
  std::erase_if(followed_, [&](const Followed& work) {
    return std::any_of(followed.begin(), followed.end(), [&](const Followed& sound) {
      return sound.stream == work.stream && sound.sequence >= work.sequence &&
             sound.from <= work.from;
    });
  });
  follows_any_.store(!followed_.empty(), std::memory_order_release);
}

// A node keeps its position in the ring until as much work has followed as may be under way.
void OpenStream::note(std::uint64_t sequence, std::string_view op, std::string_view node) noexcept
    try {
  std::scoped_lock guard(notes_guard_);
  if (suspect_) return;
  if (notes_.empty()) notes_.resize(kMostInFlight);
  Note& position = notes_[sequence % kMostInFlight];
  position.sequence = sequence;
  position.op = op;
  position.node = node;
} catch (const std::exception&) {
  // Without memory for its name the work is told of without one.
}

// The plugin's error tells what went wrong, and the host alone knows where. All up to `sequence` is
// over, and waits for what had completed before the error do not return it: so the first of which
// they do is found by halves. It stays the first: the notes have served.
std::string OpenStream::first_failed(std::uint64_t sequence) {
  std::uint64_t sound = sequence > kMostInFlight ? sequence - kMostInFlight : 0, failed = sequence;
  while (failed - sound > 1) {
    const std::uint64_t middle = sound + (failed - sound) / 2;
    sy_wait_args args{sizeof(args), 0, nullptr, handle_, middle};
    PluginError error;
    (device_.api().wait(&args, &error) == SY_OK ? sound : failed) = middle;
  }
  std::scoped_lock guard(notes_guard_);
  if (!suspect_) {
    suspect_ = suspect_from(failed, sequence);
    notes_ = std::vector<Note>();
  }
  return *suspect_;
}

// Some devices fail in whole batches, which may begin with a copy.
std::string OpenStream::suspect_from(std::uint64_t failed, std::uint64_t last) const {
  const std::optional<std::string> noted = first_noted(failed, last);
  return noted ? "; the first work that it concerns is " + *noted : "";
}

std::optional<std::string> OpenStream::first_noted(std::uint64_t first, std::uint64_t last) const {
  for (; !notes_.empty() && first <= last; ++first) {
    const Note& note = notes_[first % kMostInFlight];
    if (note.sequence != first) continue;
    return note.node.empty() ? note.op : fmt::format("node '{}' ({})", note.node, note.op);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> OpenStream::pieces_done() const noexcept {
  if (counter_ == nullptr || lost_.load(std::memory_order_acquire)) return std::nullopt;
  return __atomic_load_n(counter_, __ATOMIC_ACQUIRE);
}

std::string OpenStream::description() const {
  if (lost_.load(std::memory_order_acquire))
    return "the device has lost the work, which may run on";
  const std::uint64_t last = last_enqueued();
  const std::optional<std::uint64_t> counted = pieces_done();
  std::scoped_lock guard(notes_guard_);
  const std::uint64_t done = counted.value_or(sound_);
  const std::uint64_t left = last > done ? last - done : 0;
  const std::uint64_t first = last - std::min(left, kMostInFlight) + 1;
  const std::optional<std::string> noted = first_noted(first, last);
  return fmt::format("pieces of work under way: {}{}{}", counted ? "" : "at most ", left,
                     noted ? ", the first with a name is " + *noted : "");
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
  check_process();
  check_alive();
  sy_stream_args args{sizeof(args), 0, nullptr, handle_};
  std::scoped_lock turn(turn_);
  device_.call(device_.api().flush, args, "flush");
}

void OpenStream::wait_for_unanswered() {
  const std::uint64_t last = last_enqueued();
  if (last > answered_.load(std::memory_order_acquire)) wait(last);
}

bool OpenStream::notify(std::uint64_t sequence, std::function<void()>& done) {
  check_process();
  check_alive();
  auto kept = std::make_unique<std::function<void()>>(std::move(done));
  sy_notify_args args{};
  args.struct_size = sizeof(args);
  args.stream = handle_;
  args.sequence = sequence;
  args.context = kept.get();
  args.function = [](void* context) {
    const std::unique_ptr<std::function<void()>> once(static_cast<std::function<void()>*>(context));
    (*once)();
  };
  PluginError error;
  const sy_status status = device_.try_call(device_.api().notify, args, error);
  if (status == SY_OK) {
    kept.release();
    return true;
  }
  done = std::move(*kept);
  if (status != SY_UNSUPPORTED) device_.check_call(status, error, "notify");
  return false;
}

void OpenStream::record(sy_event event) {
  check_process();
  check_alive();
  sy_event_args args{sizeof(args), 0, nullptr, event, handle_};
  std::scoped_lock turn(turn_);
  device_.call(device_.api().record_event, args, "record_event");
}

void OpenStream::wait_for(sy_event event) {
  check_process();
  check_alive();
  sy_event_args args{sizeof(args), 0, nullptr, event, handle_};
  std::scoped_lock turn(turn_);
  device_.call(device_.api().wait_for_event, args, "wait_for_event");
}

void OpenStream::synchronize() {
  if (!synchronous_) wait(last_enqueued());
}

}  // namespace switchyard
