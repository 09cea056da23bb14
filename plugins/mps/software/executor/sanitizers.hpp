// What the sanitizers must be told of memory that is handed out in parts and of stacks that are
// switched. Without a sanitizer nothing.
#pragma once

#include <cstddef>

#if !defined(__SANITIZE_ADDRESS__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if !defined(__SANITIZE_THREAD__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace mps::software {

inline void forbid_access([[maybe_unused]] const void* begin, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(begin, bytes);
#endif
}

inline void allow_access([[maybe_unused]] const void* begin, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(begin, bytes);
#endif
}

// Told by a fiber and by who enters it, at each switch of stacks.
class StackSwitch {
 public:
  StackSwitch() {
#if defined(__SANITIZE_THREAD__)
    fiber_ = __tsan_create_fiber(0);
#endif
  }
  ~StackSwitch() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(fiber_);
#endif
  }
  StackSwitch(const StackSwitch&) = delete;
  StackSwitch& operator=(const StackSwitch&) = delete;

  void entering([[maybe_unused]] const void* bottom, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&host_frames_, bottom, bytes);
#endif
#if defined(__SANITIZE_THREAD__)
    host_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, 0);
#endif
  }
  void back_on_host() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(host_frames_, nullptr, nullptr);
#endif
  }
  void leaving() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fiber_frames_, host_bottom_, host_bytes_);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(host_, 0);
#endif
  }
  void on_fiber() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fiber_frames_, &host_bottom_, &host_bytes_);
#endif
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  void* host_frames_ = nullptr;
  void* fiber_frames_ = nullptr;
  const void* host_bottom_ = nullptr;
  size_t host_bytes_ = 0;
#endif
#if defined(__SANITIZE_THREAD__)
  void* fiber_ = nullptr;
  void* host_ = nullptr;
#endif
};

}  // namespace mps::software
