// A thread of the device that runs command buffers in the order of their commits.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "seam/seam.hpp"
#include "software/settings.hpp"

namespace mps::software {

class CommandBuffer;

class Queue final : public seam::Queue, public std::enable_shared_from_this<Queue> {
 public:
  explicit Queue(const Settings& settings);
  // Runs what has been committed first.
  ~Queue() override;
  seam::Ref<seam::CommandBuffer> command_buffer() override;
  void push(std::shared_ptr<CommandBuffer> committed);

 private:
  // What the thread needs; it may outlive the queue where the last reference goes on the thread
  // itself.
  struct Work {
    std::mutex guard;
    std::condition_variable more;
    std::deque<std::shared_ptr<CommandBuffer>> committed;
    bool closed = false;
  };
  static void work(const std::shared_ptr<Work>& work, const Settings& settings);

  const Settings settings_;
  const std::shared_ptr<Work> work_;
  std::thread thread_;
};

}  // namespace mps::software
