// A device that may be lost on purpose.
//
// Who says SY_DEVICE_LOST promises that no work of the device touches memory any more, and a device
// that is lost stays so until it recovers. So whoever loses it lets no further call in, waits until
// the others have left, and has all enqueued work completed before the host hears of it.
#pragma once

#include <switchyard/plugin.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace fault_injection {

class DeviceGate {
 public:
  // False where the device is lost, and then no work of it is under way. A call that the host makes
  // while the plugin is in another call of the same thread is part of that one, and always let in.
  bool enter();
  void leave();

  // Called within a call that was let in, which leaves thereby. Returns once no work is under way:
  // `finish_work` has that of the plugin below completed.
  void lose(const std::function<void()>& finish_work);

  // A call that is part of another one cannot wait for that to leave.
  static bool may_lose();

  void recover();

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  uint64_t inside_ = 0;
  bool lost_ = false;
  bool is_quiet_ = false;  // lost, and no work is under way
};

}  // namespace fault_injection
