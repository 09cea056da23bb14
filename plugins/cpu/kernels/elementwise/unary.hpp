// Making kernels of one input and one output of its shape.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "loops/elementwise.hpp"
#include "run/kernel.hpp"
#include "simd/unary_parameters.hpp"

namespace cpu {

// A function of floating numbers. `exact` is its meaning, in double; float has a vector form under
// `vector` ("" for none: then it is rounded from double), and float16 and bfloat16 go through
// float.
struct FloatFunction {
  const char* op;
  const char* vector;
  double (*exact)(double x, const UnaryParameters& parameters);
  int64_t grain = medium_grain;
  struct Number {
    const char* attribute = nullptr;
    float otherwise = 0;
  };
  std::array<Number, 2> numbers = {};  // what UnaryParameters' a and b are read from
};

// The loop for tensors of `dtype`, one of the four float types.
Loop float_loop(const FloatFunction& function, const UnaryParameters& parameters, sy_dtype dtype);
UnaryParameters read_parameters(const FloatFunction& function, const sy::Node& node);

// A kernel that runs `loop` from input 0 to output 0; `may_alias` if their elements are of one
// size.
Prepared unary_kernel(const sy::Node& node, Loop loop, bool may_alias);

inline constexpr uint32_t any_strides = SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS;

}  // namespace cpu
