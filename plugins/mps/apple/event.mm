#include "apple/event.hpp"

#include <chrono>
#include <condition_variable>

#include "apple/entry.hpp"
#include "apple/text.hpp"

namespace mps::apple {

// The moment at which an event reaches one value. Its listener's block owns a share of it, so that
// a call that comes after everybody stopped waiting touches nothing that is gone.
struct Event::Arrival {
  std::mutex mutex;
  std::condition_variable changed;
  bool reached = false;
};

namespace {

MTLSharedEventListener* listener() {
  static MTLSharedEventListener* const shared = [MTLSharedEventListener new];
  return shared;
}

// A longer wait is one for ever: past this the clock's arithmetic would overflow.
constexpr uint64_t longest_wait = uint64_t{1} << 62;

}  // namespace

void Event::signal(uint64_t value) {
  entry([&] {
    const std::lock_guard lock(mutex_);
    if (value > event_.signaledValue) event_.signaledValue = value;
  });
}

// One block a value, however often its wait times out: a block stays until its value is reached.
seam::Ref<Event::Arrival> Event::arrival(uint64_t value) {
  const std::lock_guard lock(mutex_);
  arrivals_.erase(arrivals_.begin(), arrivals_.upper_bound(event_.signaledValue));
  seam::Ref<Arrival>& known = arrivals_[value];
  if (known) return known;
  known = std::make_shared<Arrival>();
  const seam::Ref<Arrival> owned = known;
  [event_ notifyListener:listener()
                 atValue:value
                   block:^(id<MTLSharedEvent>, uint64_t) {
                     const std::lock_guard reaching(owned->mutex);
                     owned->reached = true;
                     owned->changed.notify_all();
                   }];
  return owned;
}

bool Event::wait(uint64_t value, uint64_t nanoseconds) {
  return entry([&] {
    if (event_.signaledValue >= value) return true;
    const seam::Ref<Arrival> awaited = arrival(value);
    const auto reached = [&] { return awaited->reached || event_.signaledValue >= value; };
    std::unique_lock lock(awaited->mutex);
    if (nanoseconds < longest_wait) {
      return awaited->changed.wait_for(lock, std::chrono::nanoseconds(nanoseconds), reached);
    }
    awaited->changed.wait(lock, reached);
    return true;
  });
}

id<MTLSharedEvent> metal(const seam::Ref<seam::Event>& event) {
  if (!event) refuse("a command needs an event and was given none");
  return static_cast<const Event&>(*event).metal();
}

}  // namespace mps::apple
