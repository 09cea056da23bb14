#include "data/batch_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <switchyard/error.hpp>
#include <system_error>
#include <utility>

namespace switchyard {

BatchQueue::BatchQueue(SharedDataset dataset, CollateFunction collate, std::vector<Numbers> batches,
                       std::size_t first, int workers, int prefetch)
    : dataset_(std::move(dataset)),
      collate_(std::move(collate)),
      batches_(std::move(batches)),
      ahead_(static_cast<std::size_t>(workers) * static_cast<std::size_t>(prefetch)),
      taken_(std::min(first, batches_.size())),
      begun_(taken_) {
  const std::size_t left = batches_.size() - taken_;
  start(static_cast<int>(std::min(static_cast<std::size_t>(workers), left)));
}

BatchQueue::~BatchQueue() { stop(); }

void BatchQueue::start(int workers) {
  try {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    stop();  // no destructor will run
    throw Error(ErrorKind::invalid_argument,
                fmt::format("cannot start {} workers of a loader: {}; use fewer", workers,
                            error.code().message()));
  }
}

void BatchQueue::stop() {
  {
    const std::lock_guard lock(guard_);
    is_stopped_ = true;
  }
  for_workers_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

Batch BatchQueue::next() {
  Outcome outcome = threads_.empty() ? made(taken_) : awaited();
  {
    const std::lock_guard lock(guard_);
    taken_ = outcome.failure ? batches_.size() : taken_ + 1;
  }
  if (outcome.failure) {
    stop();
    std::rethrow_exception(outcome.failure);
  }
  for_workers_.notify_one();
  return std::move(outcome.batch);
}

BatchQueue::Outcome BatchQueue::made(std::size_t number) const {
  Outcome outcome;
  try {
    outcome.batch = collated(*dataset_, batches_[number], collate_, is_stopped_);
  } catch (...) {
    outcome.failure = std::current_exception();
  }
  return outcome;
}

BatchQueue::Outcome BatchQueue::awaited() {
  std::unique_lock lock(guard_);
  for_caller_.wait(lock, [this] { return ready_.count(taken_) > 0; });
  return std::move(ready_.extract(taken_).mapped());
}

void BatchQueue::work() {
  std::unique_lock lock(guard_);
  for (;;) {
    for_workers_.wait(lock, [this] {
      return is_stopped_ || begun_ == batches_.size() || begun_ < taken_ + ahead_;
    });
    if (is_stopped_ || begun_ == batches_.size()) break;
    const std::size_t number = begun_++;
    lock.unlock();
    Outcome outcome = made(number);
    lock.lock();
    ready_.emplace(number, std::move(outcome));
    for_caller_.notify_one();
  }
  for_workers_.notify_all();  // the others may be waiting, and nothing is left to do
}

}  // namespace switchyard
