// Which elements of the input, with which weights, make each element of a Resize, axis by axis.
// Formulas: ONNX, operator Resize, version 19.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/building/along_axis.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

// An axis that changes.
struct ResizedAxis {
  size_t axis = 0;
  int64_t extent = 0;             // of the output
  Weights weights;                // of mode nearest: one tap each, of weight 1
  std::vector<uint32_t> outside;  // where the extrapolation value stands; empty: nowhere
};

// Throws sy::unsupported for attributes that ONNX does not name.
void check_resize_attributes(const sy::Node& node);

// The node's shapes and host inputs must be known; throws sy::unsupported where they are not.
std::vector<ResizedAxis> resized_axes(const sy::Node& node);

}  // namespace mps
