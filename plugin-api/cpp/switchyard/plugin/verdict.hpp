/// @file
/// Answers to `supports`. One check function that throws sy::unsupported serves both questions:
/// `supports` calls it through sy::judge, `prepare` calls it as it is.
#pragma once

#include <switchyard/plugin.h>

#include <string_view>
#include <utility>

#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/sized_array.hpp"

namespace sy {

/// Fills in a verdict: its kind, the reason and a sentence for people.
/// @{
inline void write_verdict(sy_verdict& verdict, sy_verdict_kind kind, sy_reason reason,
                          std::string_view message) noexcept {
  verdict.kind = kind;
  verdict.reason = reason;
  write_text(verdict.message, sizeof(verdict.message), message);
}

inline void support(sy_verdict& verdict) noexcept {
  write_verdict(verdict, SY_SUPPORTED, SY_REASON_NONE, "");
}

inline void refuse(sy_verdict& verdict, sy_reason reason, std::string_view message) noexcept {
  write_verdict(verdict, SY_REFUSED, reason, message);
}
/// @}

/// Only the run will show: `prepare` or `run` may still return SY_UNSUPPORTED.
inline void depends(sy_verdict& verdict, sy_reason reason, std::string_view message) noexcept {
  write_verdict(verdict, SY_DEPENDS, reason, message);
}

/// Supported if `check` returns, refused if it throws a Failure of status SY_UNSUPPORTED. Anything
/// else goes on to the guard around it.
template <typename Check>
void judge(sy_verdict& verdict, Check&& check) {
  try {
    std::forward<Check>(check)();
    support(verdict);
  } catch (const Failure& failure) {
    if (failure.status() != SY_UNSUPPORTED) throw;
    refuse(verdict, failure.reason(), failure.what());
  }
}

/// The i-th of the caller's verdicts, which may be larger structs than ours.
inline sy_verdict& verdict_at(sy_verdict* verdicts, size_t index) noexcept {
  return element_at(verdicts, index);
}

}  // namespace sy
