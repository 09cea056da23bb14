// The values of host inputs, as `prepare` knows them. A kernel that reads them is specialised on
// SY_ON_DATA. All throw sy::unsupported where a value is not known before the run.
#pragma once

#include <cstdint>
#include <vector>

#include "switchyard/plugin/program.hpp"

namespace mps {

// Of int32 or int64; empty if the input is left out.
std::vector<int64_t> host_integers(const sy::Node& node, uint32_t input);
// Of any floating type; empty if the input is left out.
std::vector<double> host_reals(const sy::Node& node, uint32_t input);

using sy::normalize_axis;

}  // namespace mps
