#pragma once

namespace switchyard {

/// Says which public function a program called, while this lives: errors that are made meanwhile on
/// this thread name it, and not the functions and ops that it is made of. Of several on one thread
/// the outermost counts. The name must have no end.
///
///   Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
///     const CalledFunction here;
class CalledFunction {
 public:
  explicit CalledFunction(const char* name = __builtin_FUNCTION()) noexcept
      : is_outermost_(current_ == nullptr) {
    if (is_outermost_) current_ = name;
  }
  ~CalledFunction() {
    if (is_outermost_) current_ = nullptr;
  }
  CalledFunction(const CalledFunction&) = delete;
  CalledFunction& operator=(const CalledFunction&) = delete;

  /// Null outside of all functions that say so.
  static const char* current() noexcept { return current_; }

 private:
  static inline thread_local constinit const char* current_ = nullptr;
  const bool is_outermost_;
};

}  // namespace switchyard
