#pragma once

#include <cstdint>

#include <switchyard/dtype.hpp>

namespace switchyard {

/// The number that a code of a floating-point type of 8 or 4 bits stands for, as ONNX says.
double from_small_float(DType dtype, std::uint8_t code);

/// The code of the nearest number, as Cast has it: ties to even, what is too large the largest.
/// float8e8m0 rounds up and drops the sign; float4e2m1 has no NaN, which becomes -0.
std::uint8_t small_float_code(DType dtype, double value);

}  // namespace switchyard
