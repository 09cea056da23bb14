// Elements from one type to another.
#pragma once

#include "ops/building/element_kernel.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace mps {

// Operands: what is cast, of a type that metal_type() names, and the result, of any type of Cast's.
ElementKernel casting_kernel(Device& device, sy_dtype from, sy_dtype to);

}  // namespace mps
