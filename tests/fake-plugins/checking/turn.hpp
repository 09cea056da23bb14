#pragma once

#include <functional>

#include "objects.hpp"

namespace checking {

// A call that drives a stream: one at a time.
class Turn {
 public:
  Turn(Stream& stream, const char* call);
  ~Turn() { stream_.caller = nullptr; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Stream& stream_;
};

// Enqueues work that is done late, or fails late, as the settings say. The caller holds
// everything(), and has a turn.
uint64_t enqueue(Stream& stream, std::function<void()> work);

}  // namespace checking
