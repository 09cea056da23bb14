#include "software/queue.hpp"

#include "software/command_buffer.hpp"
#include "software/executor/executor.hpp"

namespace mps::software {

Queue::Queue(const Settings& settings)
    : settings_(settings),
      work_(std::make_shared<Work>()),
      thread_([work = work_, settings] { Queue::work(work, settings); }) {}

Queue::~Queue() {
  {
    const std::lock_guard lock(work_->guard);
    work_->closed = true;
  }
  work_->more.notify_all();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

seam::Ref<seam::CommandBuffer> Queue::command_buffer() {
  return std::make_shared<CommandBuffer>(shared_from_this(), settings_.execute);
}

void Queue::push(std::shared_ptr<CommandBuffer> committed) {
  {
    const std::lock_guard lock(work_->guard);
    work_->committed.push_back(std::move(committed));
  }
  work_->more.notify_all();
}

void Queue::work(const std::shared_ptr<Work>& work, const Settings& settings) {
  Executor executor(settings);
  for (;;) {
    std::shared_ptr<CommandBuffer> next;
    {
      std::unique_lock lock(work->guard);
      work->more.wait(lock, [&] { return work->closed || !work->committed.empty(); });
      if (work->committed.empty()) return;
      next = std::move(work->committed.front());
      work->committed.pop_front();
    }
    next->execute(executor);
  }
}

}  // namespace mps::software
