// Counters that queues, devices and the host share.
#pragma once

#include <map>
#include <mutex>

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Event final : public seam::Event {
 public:
  explicit Event(id<MTLSharedEvent> event) : event_(event) {}
  uint64_t value() const override { return event_.signaledValue; }
  void signal(uint64_t value) override;
  bool wait(uint64_t value, uint64_t nanoseconds) override;
  id<MTLSharedEvent> metal() const { return event_; }

 private:
  struct Arrival;
  seam::Ref<Arrival> arrival(uint64_t value);

  id<MTLSharedEvent> event_;
  std::mutex mutex_;
  std::map<uint64_t, seam::Ref<Arrival>> arrivals_;  // of the values that were waited for
};

// The Metal event of one that this backend made. Throws Failure(invalid) for null.
id<MTLSharedEvent> metal(const seam::Ref<seam::Event>& event);

}  // namespace mps::apple
