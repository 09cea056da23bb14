#include "injector.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/text.hpp"

namespace fault_injection {
namespace {

// A status that plugin.h does not know can only be told as a number.
sy_reason reason_of(sy_status status) {
  return status == SY_UNSUPPORTED ? SY_REASON_LIMIT : SY_REASON_NONE;
}

[[noreturn]] void hang_for_ever() {
  for (;;) pause();
}

}  // namespace

Injector::Injector(const sy_host& entered, Settings asked)
    : settings(std::move(asked)), host(&entered), host_below_(entered) {
  for (uint64_t i = 0; i < entered.option_count; ++i) {
    const sy_option& option = *SY_AT(sy_option, entered.options, i);
    if (!is_own_option(option.key)) options_below_.push_back(option);
  }
  host_below_.options = options_below_.data();
  host_below_.option_count = options_below_.size();
  host_below_.library_path = settings.wraps.c_str();
}

Decision Injector::begin(Slot slot) {
  const Decision decision = decide(settings, slot, ++calls_[static_cast<size_t>(slot)]);
  if (decision.fault == Fault::crash) std::abort();
  if (decision.fault == Fault::hang) hang_for_ever();
  if (decision.microseconds > 0) {
    count(Fault::delay);
    std::this_thread::sleep_for(std::chrono::microseconds(decision.microseconds));
  }
  return decision;
}

void Injector::count(Fault fault) { ++faults_[static_cast<size_t>(fault)]; }

std::string Injector::report() const {
  uint64_t calls = 0;
  for (const auto& of_slot : calls_) calls += of_slot;
  std::string text = sy::text("faults: ", calls, " calls;");
  for (size_t i = 1; i < faults_.size(); ++i) {
    text += sy::text(i == 1 ? " " : ", ", kFaultNames[i], " ", faults_[i].load());
  }
  return text + "\n";
}

sy_status fail(sy_error* error, Slot slot, uint64_t number, sy_status status) {
  return sy::report(error, status, reason_of(status),
                    sy::text("fault injection: call ", number, " of ", row_of(slot).name));
}

}  // namespace fault_injection
