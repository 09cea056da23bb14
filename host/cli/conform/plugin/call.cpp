#include "cli/conform/plugin/call.hpp"

#include <fmt/format.h>

#include <cstring>
#include <exception>

#include "cli/conform/case.hpp"
#include "cli/conform/plugin/arithmetic_mode.hpp"
#include "cli/conform/plugin/text_check.hpp"
#include "plugin_loader/plugin_call.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr sy_status kUntouched = -77;  // in an error that no call has written

}  // namespace

CallForm& call_form() {
  static CallForm form;
  return form;
}

std::string Answer::text() const {
  return message.empty() ? status_name(status)
                         : fmt::format("{}: {}", status_name(status), message);
}

void require_ok(const Answer& answer, std::string_view slot) {
  if (!answer.ok()) fail("{} returned {}", slot, answer.text());
}

const sy_extension* unknown_extensions() {
  static const sy_extension second = {sizeof(sy_extension), 0x7fff4321, nullptr};
  static const sy_extension first = {sizeof(sy_extension), 0x7fff1234, &second};
  return &first;
}

namespace detail {

EveryCall::EveryCall(std::string_view slot, void* args, std::size_t size_bytes)
    : slot_(slot),
      args_(args),
      size_bytes_(size_bytes),
      before_(static_cast<const char*>(args), size_bytes),
      arithmetic_(arithmetic_mode()) {
  std::memset(&error_, 0x5a, sizeof(error_));
  error_.error.struct_size = call_form().grows ? sizeof(error_) : sizeof(sy_error);
  error_.error.status = kUntouched;
}

sy_error* EveryCall::error() { return call_form().lacks_error ? nullptr : &error_.error; }

void EveryCall::report_thrown() {
  try {
    throw;
  } catch (const std::exception& thrown) {
    fail("{} threw an exception, which no plugin may: {}", slot_, thrown.what());
  } catch (...) {
    fail("{} threw something that is not a std::exception, which no plugin may", slot_);
  }
}

Answer EveryCall::check(sy_status status) {
  const std::uint64_t after = arithmetic_mode();
  if (after != arithmetic_) {
    fail("{} left the thread's floating-point mode changed: {:#x}, before {:#x}", slot_, after,
         arithmetic_);
  }
  if (status < SY_OK || status > SY_BUG)
    fail("{} returned {}, which is not a status", slot_, status);
  for (const unsigned char byte : error_.tail) {
    if (byte != 0x5a) fail("{} wrote beyond its sy_error", slot_);
  }
  const sy_error& error = error_.error;
  if (status == SY_OK) {
    if (error.status != kUntouched) fail("{} wrote its sy_error although it returned SY_OK", slot_);
    return {};
  }
  if (before_.compare(0, size_bytes_, static_cast<const char*>(args_), size_bytes_) != 0) {
    fail("{} returned {} and yet wrote to its args: what is out is written on SY_OK alone", slot_,
         status_name(status));
  }
  if (call_form().lacks_error) return {status, SY_REASON_NONE, ""};
  if (error.status != status) {
    fail("{} returned {}, and its sy_error says {}", slot_, status_name(status),
         error.status == kUntouched ? "nothing" : status_name(error.status));
  }
  require_text(error.message, sizeof(error.message), fmt::format("the message of {}", slot_));
  return {status, error.reason, error.message};
}

void fail_for_tail(std::string_view slot) {
  fail("{} wrote beyond the struct that this version of the ABI has", slot);
}

}  // namespace detail
}  // namespace switchyard::cli::conform
