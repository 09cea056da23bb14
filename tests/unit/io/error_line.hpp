// What a call says of its fault.
#pragma once

#include <functional>
#include <string>
#include <switchyard/error.hpp>

namespace switchyard {

/// The message of the Error that `call` throws; empty if it throws none.
inline std::string error_line(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace switchyard
