#include "apple/completion.hpp"

#include <algorithm>

#include "apple/entry.hpp"
#include "apple/text.hpp"

namespace mps::apple {

void Completion::watch(id<MTLCommandBuffer> part) {
  {
    const std::lock_guard lock(mutex_);
    ++running_;
  }
  const std::shared_ptr<Completion> self = shared_from_this();
  [part addCompletedHandler:^(id<MTLCommandBuffer> ended) {
    @autoreleasepool {
      self->end_of(ended);
    }
  }];
}

void Completion::keep(std::shared_ptr<void> object) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(object));
}

void Completion::on_complete(Callback callback) {
  const std::lock_guard lock(mutex_);
  if (closed_) refuse("on_complete() comes after commit()");
  callbacks_.push_back(std::move(callback));
}

void Completion::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  if (running_ == 0) finish(std::move(lock));
}

void Completion::end_of(id<MTLCommandBuffer> part) {
  std::unique_lock lock(mutex_);
  if (part.status != MTLCommandBufferStatusCompleted && state_ == seam::State::completed) {
    state_ = seam::State::failed;
    message_ = describe(part.error);
  }
  const seam::Interval of_part{part.GPUStartTime, part.GPUEndTime};
  interval_.begin = timed_ ? std::min(interval_.begin, of_part.begin) : of_part.begin;
  interval_.end = timed_ ? std::max(interval_.end, of_part.end) : of_part.end;
  timed_ = true;
  if (--running_ == 0 && closed_) finish(std::move(lock));
}

// The callbacks may ask for the interval, but not wait: waiting ends after them.
void Completion::finish(std::unique_lock<std::mutex> lock) {
  done_ = true;
  std::vector<Callback> callbacks = std::move(callbacks_);
  std::vector<std::shared_ptr<void>> kept = std::move(kept_);
  lock.unlock();
  for (const Callback& callback : callbacks) callback(state_, message_);
  callbacks.clear();
  kept.clear();
  lock.lock();
  reported_ = true;
  changed_.notify_all();
}

seam::State Completion::wait() {
  std::unique_lock lock(mutex_);
  if (!closed_) refuse("wait_until_done() comes before commit()");
  changed_.wait(lock, [&] { return reported_; });
  return state_;
}

bool Completion::is_done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

seam::Interval Completion::interval() const {
  const std::lock_guard lock(mutex_);
  if (!done_) refuse("a command buffer has its times once it is done");
  return interval_;
}

}  // namespace mps::apple
