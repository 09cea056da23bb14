#pragma once

#include <functional>
#include <memory>

namespace switchyard {

/// A thread that does one task after the other, made by the first. Its own tasks may start the
/// next, and may destroy this. A child of fork() does not have it: there it is made anew.
class RunThread {
 public:
  RunThread();
  /// Waits for the task under way, unless this is its own thread or the process has not got it.
  ~RunThread();
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

  /// Does `task` there, then calls what it returned, if anything: that sees no task under way any
  /// more. No task may be under way but the caller's own, and none may be lost.
  void start(std::function<std::function<void()>()> task);

  /// Until no task is under way; nothing on the thread itself. A lost task is not.
  void wait() const;
  bool is_running() const;
  /// Whether a task was under way when this process was forked. What it works on stays as it was
  /// at that moment, perhaps half done.
  bool is_lost() const;
  /// Whether the caller is a task of this thread.
  bool is_current() const;

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared);
  bool is_of_parent() const;

  // Replaced in a child of fork() alone, before its first task.
  std::shared_ptr<Shared> shared_;
};

}  // namespace switchyard
