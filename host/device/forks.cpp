#include "device/forks.hpp"

#include <pthread.h>

#include <atomic>
#include <new>

namespace switchyard {
namespace {

constinit std::atomic<std::uint32_t> forks{0};

}  // namespace

void watch_forks() {
  static const int status = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  if (status != 0) throw std::bad_alloc();  // ENOMEM is its only error
}

std::uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace switchyard
