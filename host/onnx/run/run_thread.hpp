#pragma once

#include <functional>
#include <memory>
#include <thread>

namespace switchyard {

/// A thread that does one task after the other, made by the first. Its own tasks may start the
/// next, and may destroy this.
class RunThread {
 public:
  RunThread();
  /// Waits for the task under way, unless this is its own thread.
  ~RunThread();
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

  /// Does `task` there, then calls what it returned, if anything: that sees no task under way any
  /// more. No task may be under way but the caller's own.
  void start(std::function<std::function<void()>()> task);

  /// Until no task is under way; nothing on the thread itself.
  void wait() const;
  bool is_running() const;
  /// Whether the caller is a task of this thread.
  bool is_current() const;

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared);

  const std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace switchyard
