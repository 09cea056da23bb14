// Which side of the seam the options ask for.
#pragma once

#include "runtime/options.hpp"
#include "seam/seam.hpp"

namespace mps {

// Lives for ever. Throws sy::unsupported for a side that this build does not have.
const seam::Side& side_for(const Options& options);

}  // namespace mps
