// Which backend of the seam the options ask for.
#pragma once

#include "runtime/options.hpp"
#include "seam/seam.hpp"

namespace mps {

// Lives for ever. Throws sy::unsupported for a backend that this build does not have.
const seam::Backend& backend_for(const Options& options);

}  // namespace mps
