// sy::guard for entries that reach the seam: its failures become statuses.
#pragma once

#include <utility>

#include "abi/forked_child.hpp"
#include "runtime/compiler_message.hpp"
#include "seam/seam.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps {

inline sy::Failure failure_of(const seam::Failure& failure) {
  switch (failure.fault()) {
    case seam::Fault::unsupported: return {SY_UNSUPPORTED, SY_REASON_LIMIT, failure.what()};
    case seam::Fault::out_of_memory: return {SY_OUT_OF_MEMORY, SY_REASON_NONE, failure.what()};
    case seam::Fault::device_lost: return {SY_DEVICE_LOST, SY_REASON_NONE, failure.what()};
    // This system's compiler takes a kernel or a graph of ours otherwise than ours did; other
    // devices do not depend on it.
    case seam::Fault::compilation:
      return {SY_UNSUPPORTED, SY_REASON_OS, first_error(failure.what())};
    // Only a mistake of ours makes an invalid call.
    case seam::Fault::invalid: break;
  }
  return {SY_BUG, SY_REASON_NONE, failure.what()};
}

template <typename Work>
sy_status guard(sy_error* error, Work&& work) {
  return sy::guard(error, [&] {
    if (is_forked_child()) {
      throw sy::Failure(SY_DEVICE_LOST, SY_REASON_OS,
                        "this process was forked by one that had opened the device, whose threads "
                        "a child does not have; fork before the runtime starts, or call exec");
    }
    try {
      std::forward<Work>(work)();
    } catch (const seam::Failure& failure) {
      throw failure_of(failure);
    }
  });
}

// For entries that give something back: in a forked child it stays as it is.
template <typename Work>
sy_status guard_release(sy_error* error, Work&& work) {
  return is_forked_child() ? SY_OK : guard(error, std::forward<Work>(work));
}

}  // namespace mps
