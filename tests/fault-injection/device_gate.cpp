#include "device_gate.hpp"

namespace fault_injection {
namespace {

thread_local int depth = 0;

}  // namespace

bool DeviceGate::enter() {
  if (depth > 0) {
    ++depth;
    return true;
  }
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return !lost_ || is_quiet_; });
  if (lost_) return false;
  ++inside_;
  ++depth;
  return true;
}

void DeviceGate::leave() {
  if (--depth > 0) return;
  const std::lock_guard lock(guard_);
  --inside_;
  changed_.notify_all();
}

bool DeviceGate::may_lose() { return depth == 1; }

void DeviceGate::lose(const std::function<void()>& finish_work) {
  std::unique_lock lock(guard_);
  --depth;
  --inside_;
  changed_.notify_all();
  if (!lost_) {
    lost_ = true;
    changed_.wait(lock, [&] { return inside_ == 0; });
    lock.unlock();
    finish_work();
    lock.lock();
    is_quiet_ = true;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return !lost_ || is_quiet_; });
}

void DeviceGate::recover() {
  const std::lock_guard lock(guard_);
  if (!is_quiet_) return;
  lost_ = is_quiet_ = false;
  changed_.notify_all();
}

}  // namespace fault_injection
