/// What each thread does in plugins, where another thread can read it. A call writes a few words
/// of its own thread: it takes no lock and reads no clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugin_loader/watch/shared_text.hpp"

namespace switchyard::watch {

class CallTarget;

/// Work that a thread waits for. Its destructor begins with await_readers().
class WorkUnderWay {
 public:
  /// How many pieces have completed, where that can be read without asking the plugin.
  virtual std::optional<std::uint64_t> pieces_done() const noexcept = 0;
  /// What is under way, for people.
  virtual std::string description() const = 0;

 protected:
  ~WorkUnderWay() = default;
};

/// What a thread is in the middle of. `changes` is written before the rest, so that who reads the
/// same number before and after the rest has read what belongs together.
struct Activity {
  std::atomic<std::uint64_t> changes{0};
  std::atomic<const char*> what{nullptr};  // lives as long as the process; null: nothing
  std::atomic<const CallTarget*> target{nullptr};

  void begin(const char* doing, const CallTarget* of) noexcept {
    count_change();
    target.store(of, std::memory_order_release);
    what.store(doing, std::memory_order_release);
  }
  /// Goes on with what it was before.
  void end(const char* doing, const CallTarget* of) noexcept {
    count_change();
    what.store(doing, std::memory_order_release);
    target.store(of, std::memory_order_release);
  }

 private:
  void count_change() noexcept {
    changes.store(changes.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
};

/// One thread's. It lives as long as the process; a later thread takes the place of one that has
/// ended.
struct alignas(64) ThreadCalls {
  Activity call;
  Activity wait;                                   // for work; calls may lie within it
  std::atomic<const WorkUnderWay*> work{nullptr};  // that `wait` is for
  SharedText<40> op;
  SharedText<120> node;
  std::atomic<std::uint64_t> thread{0};  // the system's number
  std::atomic<bool> in_use{false};
  ThreadCalls* next = nullptr;
};

/// The list of all threads that have called a plugin.
ThreadCalls* first_thread() noexcept;

/// Gives this thread its place in the list.
ThreadCalls& enrol_thread() noexcept;

inline thread_local constinit ThreadCalls* calls_here = nullptr;

inline ThreadCalls& this_thread() noexcept {
  if (calls_here != nullptr) [[likely]]
    return *calls_here;
  return enrol_thread();
}

/// While it lives, this thread is in a call.
class CallScope {
 public:
  /// `what` lives as long as the process, and the target, which may be null, as long as this.
  CallScope(const char* what, const CallTarget* target) noexcept
      : call_(this_thread().call),
        outer_what_(call_.what.load(std::memory_order_relaxed)),
        outer_target_(call_.target.load(std::memory_order_relaxed)) {
    call_.begin(what, target);
  }
  ~CallScope() { call_.end(outer_what_, outer_target_); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  Activity& call_;
  const char* const outer_what_;
  const CallTarget* const outer_target_;
};

/// While it lives, this thread waits for work, in however many calls.
class WaitScope {
 public:
  WaitScope(const CallTarget& target, const WorkUnderWay& work) noexcept;
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  ThreadCalls& thread_;
  const char* const outer_what_;
  const CallTarget* const outer_target_;
  const WorkUnderWay* const outer_work_;
};

/// While it lives, this thread's calls are for that op. One within another stands alone.
class OpScope {
 public:
  explicit OpScope(std::string_view op) noexcept { this_thread().op.write(op); }
  ~OpScope() { this_thread().op.write({}); }
  OpScope(const OpScope&) = delete;
  OpScope& operator=(const OpScope&) = delete;
};

/// Says for which node of a model this thread's calls are from now on; "" for none.
inline void note_node(std::string_view node) noexcept { this_thread().node.write(node); }

}  // namespace switchyard::watch
