// What kernels and graphs count in 32 bits: a tensor's elements, and the positions of its storage.
// Both throw sy::unsupported, with the reason LIMIT, beyond that.
#pragma once

#include <cstdint>

#include "runtime/tensor.hpp"

namespace mps {

// Of known extents: 2^31 - 1 elements at most.
int64_t limited_count(sy::Extents shape);

// The last element that a view with elements reaches, and its offset: 2^32 - 1 at most.
void check_reach(sy::Extents shape, const int64_t* strides, uint64_t offset);

// Both, of a tensor on the device.
void check_limits(const Tensor& tensor);

}  // namespace mps
