#pragma once

#include <functional>
#include <string>

#include "switchyard/plugin/guard.hpp"

namespace mps::runtime_tests {

// What `action` throws, or "nothing".
inline std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const sy::Failure& failure) {
    return failure.what();
  }
  return "nothing";
}

}  // namespace mps::runtime_tests
