// Rows between float and the 16-bit floats, bytes, bools and int32, as vectors.
#pragma once

#include <switchyard/plugin.h>

#include "simd/inner_loop.hpp"

namespace cpu {

// Null if there is none for this pair.
ConvertRow vector_convert_row(sy_dtype from, sy_dtype to);

}  // namespace cpu
