// A counter that host and queues wait for.
#pragma once

#include <condition_variable>
#include <mutex>

#include "seam/seam.hpp"

namespace mps::software {

class Event final : public seam::Event {
 public:
  uint64_t value() const override;
  void signal(uint64_t value) override;
  bool wait(uint64_t value, uint64_t nanoseconds) override;

 private:
  mutable std::mutex guard_;
  std::condition_variable risen_;
  uint64_t value_ = 0;
};

}  // namespace mps::software
