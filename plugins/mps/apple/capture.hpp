// Traces for Apple's tools.
#pragma once

#include <memory>
#include <string>

#include "apple/frameworks.hpp"

namespace mps::apple {

// Writes what `device` does, until the result goes, to `path`, a .gputrace file that is not there
// yet. Throws Failure: unsupported where the process may not capture, else invalid.
std::shared_ptr<void> capture(id<MTLDevice> device, const std::string& path);

}  // namespace mps::apple
