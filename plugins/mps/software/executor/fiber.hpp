// A function that runs on a stack of its own and can be left in the middle.
#pragma once

#include <functional>

#include "software/executor/sanitizers.hpp"
#include "software/executor/stack.hpp"

namespace mps::software {

class Fiber {
 public:
  // `body` never returns: it leaves.
  Fiber(msl::Group* group, size_t number, std::function<void(Fiber&)> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the body until it leaves. Not from within a fiber.
  void enter();
  // Back to who entered; returns when entered again.
  void leave();

 private:
  struct Start;

  Stack stack_;
  std::function<void(Fiber&)> body_;
  void* fiber_ = nullptr;  // contexts to jump to
  void* host_ = nullptr;
  StackSwitch switch_;
};

}  // namespace mps::software
