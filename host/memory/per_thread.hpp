#pragma once

#include <utility>

namespace switchyard {

/// A thread's own object of type T, made when first asked for and freed when the thread ends. Who
/// still runs then, static objects of the main thread, does without.
template <typename T>
class PerThread {
 public:
  /// Null once the thread has freed it.
  static T* get() {
    if (here_) [[likely]]
      return here_;
    return make();
  }
  /// The same, but null also where none was made yet.
  static T* find() { return here_; }

 private:
  struct Owner {
    ~Owner() {
      is_gone_ = true;
      delete std::exchange(here_, nullptr);
    }
  };

  [[gnu::noinline]] static T* make() {
    if (is_gone_) return nullptr;
    static thread_local const Owner owner;
    static_cast<void>(owner);
    return here_ = new T;
  }

  // Mere words, so that every model of thread-local storage has place for them.
  static inline thread_local constinit T* here_ = nullptr;
  static inline thread_local constinit bool is_gone_ = false;
};

}  // namespace switchyard
