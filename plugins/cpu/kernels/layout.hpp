// Channels-last: tensors [N, C, ...] whose channels are neighbours in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace cpu {

// Strides of a tensor of this shape, channels innermost.
sy::Dimensions channels_last_strides(sy::Extents shape);

// True if the elements lie so; strides of extents of 1 do not matter. A tensor may be contiguous too.
bool is_channels_last(sy::Extents shape, const int64_t* strides);

// What to propose for an output that is best written channels-last: empty where that is contiguous.
std::vector<int64_t> proposed_channels_last(sy::Extents shape);

}  // namespace cpu
