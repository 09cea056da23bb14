/// @file
/// Inside a plugin C++ is free: throw sy::Failure. At its boundary every entry runs in sy::guard,
/// which lets no exception cross and turns it into a status and a message.
///
///   sy_status allocate(sy_allocate_args* args, sy_error* error) {
///     return sy::guard(error, [&] { args->storage =
///     device(args->device).allocate(args->size_bytes); });
///   }
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "switchyard/plugin/text.hpp"

namespace sy {

/// What went wrong, as the ABI tells it. `reason` belongs to SY_UNSUPPORTED alone.
class Failure : public std::runtime_error {
 public:
  /// `message` is one sentence for people.
  Failure(sy_status status, sy_reason reason, const std::string& message)
      : std::runtime_error(message), status_(status), reason_(reason) {}

  /// What it was made with.
  /// @{
  sy_status status() const noexcept { return status_; }
  sy_reason reason() const noexcept { return reason_; }
  /// @}

 private:
  sy_status status_;
  sy_reason reason_;
};

/// Makes a Failure to throw, its message joined from pieces as by sy::text.
template <typename... Pieces>
Failure unsupported(sy_reason reason, const Pieces&... pieces) {
  return Failure(SY_UNSUPPORTED, reason, text(pieces...));
}
/// The same with SY_INVALID.
template <typename... Pieces>
Failure invalid(const Pieces&... pieces) {
  return Failure(SY_INVALID, SY_REASON_NONE, text(pieces...));
}
/// The same with SY_OUT_OF_MEMORY.
template <typename... Pieces>
Failure out_of_memory(const Pieces&... pieces) {
  return Failure(SY_OUT_OF_MEMORY, SY_REASON_NONE, text(pieces...));
}
/// The same with SY_BUG.
template <typename... Pieces>
Failure bug(const Pieces&... pieces) {
  return Failure(SY_BUG, SY_REASON_NONE, text(pieces...));
}

/// Fills the caller's error, which may be null, and returns `status`.
inline sy_status report(sy_error* error, sy_status status, sy_reason reason,
                        std::string_view message) noexcept {
  if (error != nullptr) {
    error->status = status;
    error->reason = reason;
    write_text(error->message, sizeof(error->message), message);
  }
  return status;
}

/// The status and message of the exception in flight; call it in a catch block only.
inline sy_status report_exception(sy_error* error) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return report(error, failure.status(), failure.reason(), failure.what());
  } catch (const std::bad_alloc&) {
    return report(error, SY_OUT_OF_MEMORY, SY_REASON_NONE, "the plugin ran out of host memory");
  } catch (const std::exception& exception) {
    return report(error, SY_BUG, SY_REASON_NONE, exception.what());
  } catch (...) {
    return report(error, SY_BUG, SY_REASON_NONE, "the plugin threw something unknown");
  }
}

/// Runs `body` and returns SY_OK, or what its exception means. Costs nothing when nothing is
/// thrown.
template <typename Body>
sy_status guard(sy_error* error, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return SY_OK;
  } catch (...) {
    return report_exception(error);
  }
}

}  // namespace sy
