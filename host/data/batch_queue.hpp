#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <switchyard/data/loader.hpp>

#include "data/collation.hpp"

namespace switchyard {

/// The batches of one pass, in their order, made by worker threads that are at most so many batches
/// ahead, or by the caller where there are no workers. Its destructor waits for the example that
/// each worker is at.
class BatchQueue {
 public:
  using Numbers = std::vector<std::int64_t>;

  BatchQueue(SharedDataset dataset, CollateFunction collate, std::vector<Numbers> batches,
             std::size_t first, int workers, int prefetch);
  ~BatchQueue();
  BatchQueue(const BatchQueue&) = delete;
  BatchQueue& operator=(const BatchQueue&) = delete;

  bool is_over() const { return taken_ == batches_.size(); }

  /// The next batch, once it is made. Throws what making it threw; the queue is over then.
  Batch next();

 private:
  struct Outcome {
    Batch batch;
    std::exception_ptr failure;
  };

  Outcome made(std::size_t number) const;
  Outcome awaited();
  void work();
  void start(int workers);
  void stop();

  const SharedDataset dataset_;
  const CollateFunction collate_;
  const std::vector<Numbers> batches_;
  std::size_t ahead_;  // how many batches may be begun and not yet taken
  std::atomic<bool> is_stopped_{false};
  std::size_t taken_;  // changed by the caller alone, under the guard

  std::mutex guard_;  // of what follows
  std::condition_variable for_workers_;
  std::condition_variable for_caller_;
  std::size_t begun_;
  std::map<std::size_t, Outcome> ready_;  // by number
  std::vector<std::thread> threads_;
};

}  // namespace switchyard
