// Channels-last: tensors [N, C, ...] whose channels are neighbours in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "run/kernel.hpp"

namespace cpu {

// Strides of a tensor of this shape, channels innermost.
sy::Dimensions channels_last_strides(sy::Extents shape);

// True if the elements lie so; strides of extents of 1 do not matter. A tensor may be contiguous
// too.
bool is_channels_last(sy::Extents shape, const int64_t* strides);

// What to propose for an output that is best written channels-last: empty where that is contiguous.
std::vector<int64_t> proposed_channels_last(sy::Extents shape);

// Strides for an output of rank 3 and more whose axes are to lie in the order of those of the first
// input of its rank that is not row-major; empty if there is none, or shapes are not known.
std::vector<int64_t> followed_layout(const sy::Node& node, const sy_value& output);

}  // namespace cpu
