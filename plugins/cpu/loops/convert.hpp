// Rows of elements from one dtype to another, after ONNX's Cast.
#pragma once

#include <switchyard/plugin.h>

#include "simd/inner_loop.hpp"

namespace cpu {

// For every pair of dtypes of at least a byte but the complex ones. `saturate` is for 8-bit floats.
// Throws sy::unsupported for other types.
ConvertRow convert_row(sy_dtype from, sy_dtype to, bool saturate = true);

}  // namespace cpu
