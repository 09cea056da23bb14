// The texts of kernels/*.metal, embedded by the build.
#pragma once

#include <string_view>
#include <vector>

#include "seam/seam.hpp"

namespace mps {

// One a file, named after it; the headers that it includes stand in their places.
const std::vector<seam::Source>& kernel_sources();

// chain.h, with its headers in their places: what the kernels of chains have before their own text.
std::string_view chain_preamble();

}  // namespace mps
