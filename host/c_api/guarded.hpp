// The boundary: every function of the C API that can fail runs its body in guarded().
#pragma once

#include <switchyard/switchyard.h>

#include <string_view>
#include <switchyard/error.hpp>

namespace switchyard::c_api {

/// A status with that text; if there is no memory for it, the one that says so.
swy_status* make_status(swy_error_kind kind, std::string_view message) noexcept;

/// What the exception that is being handled comes to. Call it in a catch block.
swy_status* status_of_exception() noexcept;

/// Calls `body`. No exception goes further than this.
template <typename Body>
swy_status* guarded(const Body& body) noexcept {
  try {
    body();
    return nullptr;
  } catch (...) {
    return status_of_exception();
  }
}

}  // namespace switchyard::c_api
