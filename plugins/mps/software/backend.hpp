// The software Metal device: a backend of the seam that runs on this machine's processor, kernels
// and all. For tests and for trying out, where there is no Metal.
#pragma once

#include "seam/seam.hpp"
#include "software/settings.hpp"

namespace mps::software {

// Lives until the program ends; equal settings give the same backend. Throws Failure(invalid) for
// settings that cannot be.
const seam::Backend& backend(const Settings& settings);

}  // namespace mps::software
