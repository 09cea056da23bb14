// The end of a command buffer's work. MPSGraph may commit what was encoded so far and go on in
// another of Metal's command buffers, so that one of ours ends with the last of its parts.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Completion : public std::enable_shared_from_this<Completion> {
 public:
  using Callback = std::function<void(seam::State, const std::string&)>;

  // A part that is not committed yet; its end counts.
  void watch(id<MTLCommandBuffer> part);
  // Kept until the work is done.
  void keep(std::shared_ptr<void> object);
  void on_complete(Callback callback);
  // No part follows.
  void close();

  seam::State wait();
  bool is_done() const;
  seam::Interval interval() const;

 private:
  void end_of(id<MTLCommandBuffer> part);
  void finish(std::unique_lock<std::mutex> lock);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Callback> callbacks_;
  std::vector<std::shared_ptr<void>> kept_;
  size_t running_ = 0;
  bool closed_ = false;
  bool done_ = false;      // interval and state are known
  bool reported_ = false;  // and so the callbacks know
  bool timed_ = false;
  seam::State state_ = seam::State::completed;
  seam::Interval interval_;
  std::string message_;
};

}  // namespace mps::apple
