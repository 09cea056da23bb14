// The functions of simd/binary_functions.def.
#pragma once

#include <string_view>

#include "loops/elementwise.hpp"

namespace cpu {

// For operands of one dtype: float32 in vectors, others but float16 and bfloat16 exactly.
InnerLoop binary_function_row(std::string_view name, sy_dtype dtype);

// The same as a loop, also of float16 and bfloat16, by way of float32.
Loop binary_function_loop(std::string_view name, sy_dtype dtype);

}  // namespace cpu
