#pragma once

#include <mutex>

namespace switchyard::trace {

namespace detail {
extern thread_local constinit unsigned locks_held;     // QuietMutexes of this thread
extern thread_local constinit bool has_kept_messages;  // for the program's sink
void write_kept_messages() noexcept;
}  // namespace detail

/// A mutex that may be held where something is logged, also by a plugin that is called meanwhile. A
/// message for the program's sink waits until this thread holds no such mutex: the sink may call
/// the library, or wait for a thread that does.
class QuietMutex {
 public:
  void lock() {
    guard_.lock();
    ++detail::locks_held;
  }
  bool try_lock() {
    if (!guard_.try_lock()) return false;
    ++detail::locks_held;
    return true;
  }
  void unlock() {
    guard_.unlock();
    if (--detail::locks_held == 0 && detail::has_kept_messages) detail::write_kept_messages();
  }

 private:
  std::mutex guard_;
};

}  // namespace switchyard::trace
