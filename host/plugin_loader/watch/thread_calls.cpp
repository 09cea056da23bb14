#include "plugin_loader/watch/thread_calls.hpp"

#include <pthread.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

#include <new>

namespace switchyard::watch {
namespace {

constinit std::atomic<ThreadCalls*> newest{nullptr};

/// Of threads that end, whose place another may have taken, and of those without memory for one.
constinit ThreadCalls nobody;

std::uint64_t system_number() noexcept {
#if defined(__APPLE__)
  std::uint64_t number = 0;
  ::pthread_threadid_np(nullptr, &number);
  return number;
#elif defined(__linux__)
  return static_cast<std::uint64_t>(::syscall(SYS_gettid));
#else
  return reinterpret_cast<std::uintptr_t>(::pthread_self());
#endif
}

void leave(ThreadCalls& calls) noexcept {
  calls.call.end(nullptr, nullptr);
  calls.wait.end(nullptr, nullptr);
  calls.work.store(nullptr, std::memory_order_release);
  calls.op.write({});
  calls.node.write({});
  calls.in_use.store(false, std::memory_order_release);
}

/// A child of fork() has the one thread that forked.
void forget_threads_of_parent() noexcept {
  for (ThreadCalls* calls = first_thread(); calls != nullptr; calls = calls->next) {
    if (calls != calls_here) leave(*calls);
  }
  if (calls_here != nullptr) calls_here->thread.store(system_number());
}

ThreadCalls* take_place() noexcept {
  for (ThreadCalls* calls = first_thread(); calls != nullptr; calls = calls->next) {
    if (!calls->in_use.load() && !calls->in_use.exchange(true)) return calls;
  }
  auto* const made = new (std::nothrow) ThreadCalls;
  if (made == nullptr) return nullptr;
  made->in_use.store(true);
  made->next = newest.load();
  while (!newest.compare_exchange_weak(made->next, made)) continue;
  return made;
}

struct Leaver {
  ~Leaver() {
    leave(*calls_here);
    calls_here = &nobody;
  }
};

}  // namespace

ThreadCalls* first_thread() noexcept { return newest.load(std::memory_order_acquire); }

ThreadCalls& enrol_thread() noexcept {
  static const bool knows_forks = ::pthread_atfork(nullptr, nullptr, forget_threads_of_parent) == 0;
  ThreadCalls* const mine = knows_forks ? take_place() : nullptr;
  if (mine == nullptr) return nobody;
  static thread_local const Leaver leaver;
  static_cast<void>(leaver);
  mine->thread.store(system_number());
  return *(calls_here = mine);
}

WaitScope::WaitScope(const CallTarget& target, const WorkUnderWay& work) noexcept
    : thread_(this_thread()),
      outer_what_(thread_.wait.what.load(std::memory_order_relaxed)),
      outer_target_(thread_.wait.target.load(std::memory_order_relaxed)),
      outer_work_(thread_.work.load(std::memory_order_relaxed)) {
  thread_.work.store(&work, std::memory_order_release);
  thread_.wait.begin("wait", &target);
}

WaitScope::~WaitScope() {
  thread_.wait.end(outer_what_, outer_target_);
  thread_.work.store(outer_work_, std::memory_order_release);
}

}  // namespace switchyard::watch
