/// @file
/// A stream with one worker thread, and events between such streams: sequence numbers, a completed
/// number that is cheap to read, batches and `flush`, errors that stick.
#pragma once

#include <switchyard/plugin.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "switchyard/plugin/guard.hpp"

namespace sy {

/// The part of a stream that outlives it, for events that still refer to it. All members may be
/// called from any thread.
class StreamState {
 public:
  using Work = std::function<void()>;

  /// Work is begun once `batch` pieces of it wait, or at a flush or wait.
  explicit StreamState(size_t batch) : batch_(batch == 0 ? 1 : batch) {}

  /// Hands work over; returns its number, from 1 on.
  uint64_t enqueue(Work work) {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(work), enqueued_ + 1});
    ++enqueued_;
    if (queue_.size() - ready_ >= batch_) commit();
    return enqueued_;
  }

  /// Work between two numbers: it takes none of its own.
  void enqueue_unnumbered(Work work) {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(work), 0});
  }

  /// Sees to it that all work so far is begun; close() also ends the worker's loop behind it.
  /// @{
  void flush() {
    const std::lock_guard lock(mutex_);
    commit();
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    commit();
    work_ready_.notify_all();
  }
  /// @}

  /// The numbers of the last work that was handed over, and of the last that has completed; the
  /// latter as an address that is valid as long as this.
  /// @{
  uint64_t enqueued() const {
    const std::lock_guard lock(mutex_);
    return enqueued_;
  }

  uint64_t completed() const noexcept { return completed_.load(std::memory_order_acquire); }

  const volatile uint64_t* counter() const noexcept {
    return reinterpret_cast<const volatile uint64_t*>(&completed_);
  }
  /// @}

  /// Flushes, then blocks until `sequence` has completed. Returns true, with the error that sticks,
  /// if work up to it failed.
  bool wait(uint64_t sequence, sy_error& failure) {
    std::unique_lock lock(mutex_);
    if (sequence > enqueued_) {
      throw invalid("waits for ", sequence, ", but the stream's last number is ", enqueued_);
    }
    commit();
    work_done_.wait(lock, [&] { return completed() >= sequence; });
    if (failed_at_ > sequence) return false;
    failure = failure_;
    return true;
  }

  /// Flushes, and calls `done` once when `sequence` has completed or failed, on this thread or the
  /// worker's.
  void notify(uint64_t sequence, std::function<void()> done) {
    {
      const std::lock_guard lock(mutex_);
      if (sequence > enqueued_) {
        throw invalid("asks to be told of ", sequence, ", but the stream's last number is ",
                      enqueued_);
      }
      commit();
      if (completed() < sequence) {
        notices_.emplace(sequence, std::move(done));
        return;
      }
    }
    done();
  }

  /// The worker's loop: returns when the stream is closed and all its work is over.
  void work_off() {
    std::unique_lock lock(mutex_);
    for (;;) {
      tell(lock);
      work_ready_.wait(lock, [&] { return ready_ > 0 || closing_; });
      if (ready_ == 0) return;
      Item item = std::move(queue_.front());
      queue_.pop_front();
      --ready_;
      const bool skip = failed_at_ != never;
      lock.unlock();
      sy_error error = {};
      const sy_status status = skip ? SY_OK : guard(&error, item.work);
      item.work = nullptr;  // what it held is free before it counts as completed
      lock.lock();
      if (status != SY_OK) {
        failure_ = error;
        failed_at_ = item.sequence != 0 ? item.sequence : completed() + 1;
      }
      if (item.sequence != 0) completed_.store(item.sequence, std::memory_order_release);
      work_done_.notify_all();
    }
  }

 private:
  static constexpr uint64_t never = UINT64_MAX;
  struct Item {
    Work work;
    uint64_t sequence;  // 0 if it takes no number
  };

  // Who is told may ask again: nothing is locked meanwhile.
  void tell(std::unique_lock<std::mutex>& lock) {
    while (!notices_.empty() && notices_.begin()->first <= completed()) {
      const auto notice = notices_.extract(notices_.begin());
      lock.unlock();
      notice.mapped()();
      lock.lock();
    }
  }

  void commit() {
    if (ready_ == queue_.size()) return;
    ready_ = queue_.size();
    work_ready_.notify_all();
  }

  const size_t batch_;
  mutable std::mutex mutex_;
  std::condition_variable work_ready_, work_done_;
  std::deque<Item> queue_;
  std::multimap<uint64_t, std::function<void()>> notices_;  // by the number that they wait for
  size_t ready_ = 0;  // items at the front of the queue that the worker may take
  uint64_t enqueued_ = 0;
  bool closing_ = false;
  uint64_t failed_at_ = never;
  sy_error failure_ = {};
  std::atomic<uint64_t> completed_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));
};

/// Throws a Failure of what the error says.
inline void throw_failure(const sy_error& error) {
  throw Failure(error.status, error.reason, error.message);
}

/// A point in a stream's work. Recorded by one stream, waited for by others or by threads. All
/// members may be called from any thread.
class Event {
 public:
  /// One that is timed keeps when the work that it marks was over.
  explicit Event(bool is_timed = false) : is_timed_(is_timed) {}

  /// From what this marks to what `end` marks; waits for both, and throws as wait() does. Throws
  /// `invalid` unless both are timed and recorded.
  std::chrono::nanoseconds time_until(const Event& end) const { return end.time() - time(); }

  /// Blocks until the recorded work has completed; throws if it, or work before it, failed. Returns
  /// at once if nothing was recorded.
  void wait() const { get().wait(); }

 private:
  friend class AsynchronousStream;
  using Clock = std::chrono::steady_clock;
  struct Point {
    std::shared_ptr<StreamState> stream;
    uint64_t sequence = 0;
    std::shared_future<Clock::time_point> reached;  // of timed events

    void wait() const {
      sy_error error = {};
      if (stream && stream->wait(sequence, error)) throw_failure(error);
    }
  };

  Clock::time_point time() const {
    const Point point = get();
    if (!point.reached.valid()) throw invalid("an event without a time, or never recorded");
    point.wait();
    return point.reached.get();
  }

  Point get() const {
    const std::lock_guard lock(mutex_);
    return point_;
  }
  void set(Point point) {
    const std::lock_guard lock(mutex_);
    point_ = std::move(point);
  }

  const bool is_timed_;
  mutable std::mutex mutex_;
  Point point_;
};

/// A stream with a worker thread of its own. One caller at a time hands it work; any thread may
/// wait.
class AsynchronousStream {
 public:
  using Work = StreamState::Work;

  /// The worker is given work in batches of `batch`, or earlier when somebody flushes or waits.
  explicit AsynchronousStream(size_t batch = 1)
      : state_(std::make_shared<StreamState>(batch)),
        worker_([state = state_] { state->work_off(); }) {}

  // Waits for the work.
  ~AsynchronousStream() {
    state_->close();
    worker_.join();
  }
  AsynchronousStream(const AsynchronousStream&) = delete;
  AsynchronousStream& operator=(const AsynchronousStream&) = delete;

  /// Hands work over and returns its number. What `work` throws sticks to the stream: later work is
  /// dropped unrun, though its numbers complete, since it will touch no memory any more.
  uint64_t enqueue(Work work) { return state_->enqueue(std::move(work)); }

  /// Sees to it that all work so far is begun; and the number of the last that has completed.
  /// @{
  void flush() { state_->flush(); }
  uint64_t completed() const noexcept { return state_->completed(); }
  /// @}

  /// For sy_create_stream_args.completed.
  const volatile uint64_t* counter() const noexcept { return state_->counter(); }

  /// Blocks until `sequence` has completed. Throws the error that sticks to the stream, unless the
  /// work up to `sequence` had completed before.
  void wait(uint64_t sequence) const {
    sy_error error = {};
    if (state_->wait(sequence, error)) throw_failure(error);
  }

  /// Flushes, and calls `done` once when work up to `sequence` has completed or failed, on this
  /// thread or the worker's.
  void notify(uint64_t sequence, std::function<void()> done) const {
    state_->notify(sequence, std::move(done));
  }

  /// `event` stands for the work enqueued so far.
  void record(Event& event) {
    const uint64_t sequence = state_->enqueued();
    if (!event.is_timed_) return event.set({state_, sequence, {}});
    const auto reached = std::make_shared<std::promise<Event::Clock::time_point>>();
    event.set({state_, sequence, reached->get_future().share()});
    state_->notify(sequence, [reached] { reached->set_value(Event::Clock::now()); });
  }

  /// Later work of this stream waits for what `event` stands for now. If that failed, the error
  /// sticks to this stream too: its later work reads what was never written.
  void wait_for(const Event& event) {
    Event::Point point = event.get();
    if (!point.stream || point.stream == state_) return;
    point.stream->flush();
    state_->enqueue_unnumbered([point = std::move(point)] { point.wait(); });
  }

 private:
  std::shared_ptr<StreamState> state_;
  std::thread worker_;
};

}  // namespace sy
