#include "onnx/run/run_thread.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <switchyard/error.hpp>
#include <system_error>
#include <utility>

namespace switchyard {

/// What outlives a RunThread that one of its own tasks destroys.
struct RunThread::Shared {
  std::mutex guard;
  std::condition_variable changed;
  std::function<std::function<void()>()> next;  // empty: none waits
  bool is_running = false;
  bool is_ending = false;
  std::thread::id id;  // of none until there is a thread
};

RunThread::RunThread() : shared_(std::make_shared<Shared>()) {}

RunThread::~RunThread() {
  {
    std::scoped_lock held(shared_->guard);
    if (!thread_.joinable()) return;
    shared_->is_ending = true;
    if (shared_->id == std::this_thread::get_id()) thread_.detach();
  }
  shared_->changed.notify_all();
  if (thread_.joinable()) thread_.join();
}

// The thread waits for the lock, so that its first task, which may destroy this, finds all in
// place.
void RunThread::start(std::function<std::function<void()>()> task) {
  const std::shared_ptr<Shared> shared = shared_;
  std::scoped_lock held(shared->guard);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([shared] { work(shared); });
    } catch (const std::system_error& error) {
      throw Error(
          ErrorKind::out_of_memory,
          fmt::format("[execute_async] cannot start a thread: {}; execute fewer runs at once",
                      error.code().message()));
    }
    shared->id = thread_.get_id();
  }
  shared->next = std::move(task);
  shared->is_running = true;
  shared->changed.notify_all();
}

void RunThread::work(const std::shared_ptr<Shared>& shared) {
  std::unique_lock held(shared->guard);
  while (true) {
    shared->changed.wait(held, [&] { return shared->next || shared->is_ending; });
    if (!shared->next) return;
    auto task = std::exchange(shared->next, nullptr);
    held.unlock();
    std::function<void()> finish = task();
    task = nullptr;
    held.lock();
    shared->is_running = static_cast<bool>(shared->next);
    held.unlock();
    shared->changed.notify_all();
    if (finish) finish();
    finish = nullptr;
    held.lock();
  }
}

void RunThread::wait() const {
  if (is_current()) return;
  std::unique_lock held(shared_->guard);
  shared_->changed.wait(held, [&] { return !shared_->is_running; });
}

bool RunThread::is_running() const {
  std::scoped_lock held(shared_->guard);
  return shared_->is_running;
}

bool RunThread::is_current() const {
  std::scoped_lock held(shared_->guard);
  return shared_->id == std::this_thread::get_id();
}

}  // namespace switchyard
