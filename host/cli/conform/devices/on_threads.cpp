#include "cli/conform/devices/on_threads.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace switchyard::cli::conform {

void on_threads(unsigned count, const std::function<void(unsigned)>& work) {
  std::mutex guard;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < count; ++k) {
    threads.emplace_back([&, k] {
      try {
        work(k);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!failure) failure = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace switchyard::cli::conform
