#include "onnx/run/run_thread.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <switchyard/error.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "device/forks.hpp"

namespace switchyard {

/// What outlives a RunThread that one of its own tasks destroys. The thread holds it, too: so the
/// one of a thread that a child of fork() does not have is never destroyed there, nor is its lock
/// touched, which that thread may hold for ever.
struct RunThread::Shared {
  std::mutex guard;
  std::condition_variable changed;
  std::function<std::function<void()>()> next;  // empty: none waits
  bool is_running = false;
  bool is_ending = false;
  std::thread thread;                        // of the first task on
  const std::uint32_t forks = fork_count();  // where the thread is
};

RunThread::RunThread() {
  watch_forks();
  shared_ = std::make_shared<Shared>();
}

RunThread::~RunThread() {
  if (is_of_parent()) return;
  std::thread thread;
  {
    std::scoped_lock held(shared_->guard);
    shared_->is_ending = true;
    thread = std::move(shared_->thread);
  }
  if (!thread.joinable()) return;
  shared_->changed.notify_all();
  thread.get_id() == std::this_thread::get_id() ? thread.detach() : thread.join();
}

// The thread waits for the lock, so that its first task, which may destroy this, finds all in
// place.
void RunThread::start(std::function<std::function<void()>()> task) {
  if (is_of_parent()) shared_ = std::make_shared<Shared>();
  const std::shared_ptr<Shared> shared = shared_;
  std::scoped_lock held(shared->guard);
  if (!shared->thread.joinable()) {
    try {
      shared->thread = std::thread([shared] { work(shared); });
    } catch (const std::system_error& error) {
      throw Error(
          ErrorKind::out_of_memory,
          fmt::format("[execute_async] cannot start a thread: {}; execute fewer runs at once",
                      error.code().message()));
    }
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
  if (is_of_parent() || is_current()) return;
  std::unique_lock held(shared_->guard);
  shared_->changed.wait(held, [&] { return !shared_->is_running; });
}

bool RunThread::is_running() const {
  if (is_of_parent()) return false;
  std::scoped_lock held(shared_->guard);
  return shared_->is_running;
}

bool RunThread::is_current() const {
  if (is_of_parent()) return false;
  std::scoped_lock held(shared_->guard);
  return shared_->thread.get_id() == std::this_thread::get_id();
}

bool RunThread::is_of_parent() const { return shared_->forks != fork_count(); }

// Read without the lock, as nothing in this process writes it.
bool RunThread::is_lost() const { return is_of_parent() && shared_->is_running; }

}  // namespace switchyard
