#include "plugin_loader/watch/watcher.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "plugin_loader/watch/call_target.hpp"

namespace switchyard::watch {
namespace {

constexpr std::chrono::milliseconds kShortestPause{1}, kLongestPause{15'000};

/// A program's handlers of signals are not for the threads of a library.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

void name_this_thread(const char* name) {  // of 15 bytes at most
#if defined(__APPLE__)
  ::pthread_setname_np(name);
#elif defined(__linux__)
  ::pthread_setname_np(::pthread_self(), name);
#else
  static_cast<void>(name);
#endif
}

std::string seconds(std::chrono::nanoseconds time) {
  return fmt::format("{:.3g} s", std::chrono::duration<double>(time).count());
}

}  // namespace

// A child of fork() has neither the thread nor, perhaps, the lock. The one that it had from its
// parent stays where it can be found: a target may name it.
Watcher& Watcher::of_process() noexcept {
  struct Generation {
    Watcher watcher;
    Generation* before = nullptr;
  };
  static constinit std::atomic<Generation*> newest_generation{nullptr};
  static constinit std::atomic<bool> is_stale{true};
  static constinit std::atomic_flag making;
  static const int watches_forks = ::pthread_atfork(nullptr, nullptr, [] {
    is_stale.store(true, std::memory_order_release);
    making.clear(std::memory_order_release);
  });
  static_cast<void>(watches_forks);
  if (is_stale.load(std::memory_order_acquire)) {
    while (making.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    if (is_stale.load(std::memory_order_acquire)) {
      // The process's own needs no memory that could be short.
      alignas(Generation) static std::byte first[sizeof(Generation)];
      Generation* const before = newest_generation.load();
      auto* const made = before == nullptr ? new (first) Generation : new Generation;
      made->before = before;
      newest_generation.store(made, std::memory_order_release);
      is_stale.store(false, std::memory_order_release);
    }
    making.clear(std::memory_order_release);
  }
  return newest_generation.load(std::memory_order_acquire)->watcher;
}

void Watcher::add(std::chrono::milliseconds deadline) {
  bool is_watching = true;
  {
    const std::scoped_lock lock(guard_);
    deadlines_.insert(deadline);
    if (!has_thread_) is_watching = has_thread_ = start();
    changed_.notify_all();
  }
  if (!is_watching) {
    trace::warn(
        "there is no thread to watch calls of plugins with: those that hang are not told of");
  }
}

void Watcher::remove(std::chrono::milliseconds deadline) noexcept {
  const std::scoped_lock lock(guard_);
  const auto one = deadlines_.find(deadline);
  if (one != deadlines_.end()) deadlines_.erase(one);
  if (deadlines_.empty()) changed_.notify_all();
}

std::vector<std::string> Watcher::calls_under_way(const CallTarget& target) {
  std::vector<std::string> lines;
  const std::scoped_lock lock(guard_);
  for (const ThreadCalls* thread = first_thread(); thread != nullptr; thread = thread->next) {
    const std::optional<CallSnapshot> call = snapshot_of(*thread);
    if (!call || call->target != &target) continue;
    const std::optional<std::string> text = call->call_text();
    if (!text) continue;
    lines.push_back(fmt::format("{}, on thread {}{}", text->substr(target.name().size() + 2),
                                thread->thread.load(), call->work_text()));
  }
  return lines;
}

// Nobody waits for its end: the log's sink, which it calls, may wait for who closes a device. All
// that it uses lives as long as the process.
bool Watcher::start() noexcept {
  const HeldSignals held;
  try {
    std::thread([this] { watch(); }).detach();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// Time in which the process, and so this, was stopped is not held against a call.
void Watcher::watch() noexcept {
  name_this_thread("switchyard-look");
  std::unique_lock lock(guard_);
  auto before = std::chrono::steady_clock::now();
  for (;;) {
    if (const std::vector<Line> lines = look(); !lines.empty()) {
      lock.unlock();
      for (const Line& line : lines) trace::log(line.level, line.text);
      lock.lock();
    }
    if (deadlines_.empty()) break;
    const Time pause = std::clamp<Time>(*deadlines_.begin() / 4, kShortestPause, kLongestPause);
    changed_.wait_for(lock, pause);
    const auto now = std::chrono::steady_clock::now();
    now_ += std::min<Time>(now - before, 2 * pause);
    before = now;
  }
  seen_.clear();
  has_thread_ = false;
}

std::vector<Watcher::Line> Watcher::look() noexcept {
  std::vector<Line> lines;
  try {
    look_at_all(lines);
  } catch (const std::exception&) {
    // Without memory for a text nothing can be told: the next look may have some.
  }
  return lines;
}

void Watcher::look_at_all(std::vector<Line>& lines) {
  for (auto& [activity, seen] : seen_) seen.is_here = false;
  for (const ThreadCalls* thread = first_thread(); thread != nullptr; thread = thread->next) {
    const std::optional<CallSnapshot> call = snapshot_of(*thread);
    if (call && call->target->deadline().count() > 0) look_at(*call, lines);
  }
  for (auto at = seen_.begin(); at != seen_.end();) {
    const auto here = at++;
    if (here->second.is_here) continue;
    tell_end(here->second, "has come back", lines);
    seen_.erase(here);
  }
}

void Watcher::look_at(const CallSnapshot& call, std::vector<Line>& lines) {
  const Time deadline = call.target->deadline();
  const Seen anew{call.changes, call.pieces_done, now_, deadline, {}};
  const auto [at, is_new] = seen_.emplace(call.activity, anew);
  Seen& seen = at->second;
  seen.is_here = true;
  const bool is_same = seen.changes == call.changes;
  if (!is_same || seen.pieces_done != call.pieces_done) {
    tell_end(seen, is_same ? "goes on" : "has come back", lines);
    seen = anew;
  }
  const Time lasted = now_ - seen.since;
  if (lasted >= seen.tell_after) tell(call, seen, lasted, lines);
}

void Watcher::tell(const CallSnapshot& call, Seen& seen, Time lasted, std::vector<Line>& lines) {
  std::optional<std::string> text = call.call_text();
  if (!text) return;
  const bool is_first = seen.told.empty();
  std::string line =
      fmt::format("{}: has {}{} for {}, on thread {}{}", *text, is_first ? "" : "still ",
                  call.pieces_done ? "seen no work complete" : "not come back", seconds(lasted),
                  call.thread->thread.load(), call.work_text());
  if (is_first) {
    line += fmt::format(
        ". A call in this process cannot be ended; with plugins.{0}.isolation = \"process\" it is, "
        "and plugins.{0}.deadline_seconds says after which time",
        call.target->plugin());
  }
  lines.push_back({trace::Level::warn, std::move(line)});
  seen.told = std::move(*text);
  while (seen.tell_after <= lasted) seen.tell_after *= 2;
}

void Watcher::tell_end(const Seen& seen, const char* how, std::vector<Line>& lines) const {
  if (seen.told.empty()) return;
  lines.push_back({trace::Level::info,
                   fmt::format("{}: {} after {}", seen.told, how, seconds(now_ - seen.since))});
}

}  // namespace switchyard::watch
