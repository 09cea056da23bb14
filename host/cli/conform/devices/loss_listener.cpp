#include "cli/conform/devices/loss_listener.hpp"

#include "cli/conform/case.hpp"
#include "cli/conform/plugin/text_check.hpp"

namespace switchyard::cli::conform {

LossListener::LossListener()
    : abi_{sizeof(abi_), 0, this, [](void* context, const char* message) {
             static_cast<LossListener*>(context)->note(message);
           }} {}

void LossListener::note(const char* message) {
  const std::lock_guard lock(guard_);
  was_told_ = true;
  if (is_closed_) fault_ = "it tells its listener of a loss after close_device has returned";
  if (message == nullptr) fault_ = "it tells its listener of a loss without a message";
  if (!fault_.empty()) return;
  try {
    require_plain_text(message, "the message of a loss");
  } catch (const CaseFailed& failure) {
    fault_ = failure.what();
  }
}

bool LossListener::was_told() const {
  const std::lock_guard lock(guard_);
  return was_told_;
}

void LossListener::close() {
  const std::lock_guard lock(guard_);
  is_closed_ = true;
}

void LossListener::check() const {
  const std::lock_guard lock(guard_);
  if (!fault_.empty()) fail("{}", fault_);
}

}  // namespace switchyard::cli::conform
