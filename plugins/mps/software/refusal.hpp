// How the software device refuses what its caller gives it.
#pragma once

#include <string>

#include "seam/seam.hpp"

namespace mps::software {

[[noreturn]] inline void refuse_invalid(const std::string& message) {
  throw seam::Failure(seam::Fault::invalid, message);
}

}  // namespace mps::software
