// The tables of a Resize as kernels read them, axis by axis.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/building/along_axis.hpp"
#include "switchyard/plugin/resize.hpp"

namespace mps {

// An axis that changes.
struct ResizedAxis {
  size_t axis = 0;
  int64_t extent = 0;             // of the output
  Weights weights;                // of mode nearest: one tap each, of weight 1
  std::vector<uint32_t> outside;  // where the extrapolation value stands; empty: nowhere
};

// The node's shapes and host inputs must be known; throws sy::unsupported where they are not.
std::vector<ResizedAxis> resized_axes(const sy::Node& node);

}  // namespace mps
