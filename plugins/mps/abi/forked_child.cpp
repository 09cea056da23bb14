#include "abi/forked_child.hpp"

#include <pthread.h>

#include <atomic>
#include <new>

namespace mps {
namespace {

std::atomic<bool> forked{false};

}  // namespace

void watch_forks() {
  static const int status = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  if (status != 0) throw std::bad_alloc();  // ENOMEM is its only error
}

bool is_forked_child() { return forked.load(std::memory_order_relaxed); }

}  // namespace mps
