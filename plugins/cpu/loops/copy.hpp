// Strided copies, on several threads when big.
#pragma once

#include <switchyard/plugin.h>

#include "switchyard/plugin/shape.hpp"

namespace cpu {

// As sy::copy_elements: both pointers at the element whose indices are all 0, strides in elements
// and of any sign, null for contiguous; the source's may be 0. The two do not overlap.
void copy_strided(sy_dtype dtype, sy::Extents shape, const void* source,
                  const int64_t* source_strides, void* destination,
                  const int64_t* destination_strides);

}  // namespace cpu
