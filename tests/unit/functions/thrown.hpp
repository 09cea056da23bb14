#pragma once

#include <string>
#include <switchyard/error.hpp>

namespace switchyard {

/// What a call says that it throws; "nothing" if it throws nothing.
template <typename Call>
std::string thrown(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace switchyard
