// What Metal says of its devices and of the system that they are in.
#pragma once

#include <string>

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

// The newest family that `device` belongs to: "Apple 7", "Mac 2"; empty if it is older than what
// this plugin needs, which is Mac 2 or Apple 5.
std::string family_of(id<MTLDevice> device);

seam::DeviceInfo info_of(id<MTLDevice> device);

}  // namespace mps::apple
