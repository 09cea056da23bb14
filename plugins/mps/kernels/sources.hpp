// The texts of kernels/*.metal, embedded by the build.
#pragma once

#include <vector>

#include "seam/seam.hpp"

namespace mps {

// One a file, named after it; the headers that it includes stand in their places.
const std::vector<seam::Source>& kernel_sources();

}  // namespace mps
