// Windows as ONNX's attributes give them, always of two spatial axes: of one as of two, the first
// of extent 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seam/graph.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

std::vector<int64_t> with_two_axes(const std::vector<int64_t>& shape);

// The window of a convolution with `spatial` axes; the shapes have two. Explicit padding, or such
// that the output has ONNX's extents.
seam::Window convolution_window(const sy::Node& node, size_t spatial,
                                const std::vector<int64_t>& input,
                                const std::vector<int64_t>& weights,
                                const std::vector<int64_t>& output);

}  // namespace mps
