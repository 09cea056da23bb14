// The functions of simd/unary_functions.def, which kernels of one real number run.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "loops/elementwise.hpp"
#include "run/kernel.hpp"
#include "simd/unary_parameters.hpp"

namespace cpu {

struct FloatFunction {
  struct Number {
    const char* attribute = nullptr;
    float otherwise = 0;
  };

  std::string_view name;  // of an op, unless it is a form of one
  const char* domain;
  int64_t grain;
  std::array<Number, 2> numbers;                              // n.a and n.b
  double (*exact)(double x, const UnaryParameters& numbers);  // its meaning
  bool is_form;
};

std::span<const FloatFunction> float_functions();
const FloatFunction& float_function(std::string_view name);

// What the attributes of `node` give the function.
UnaryParameters read_parameters(const FloatFunction& function, const sy::Node& node);

// The loop for tensors of `dtype`, one of the four float types: `exact` for float64, vectors for
// float32, and by way of it float16 and bfloat16.
Loop float_loop(const FloatFunction& function, const UnaryParameters& parameters, sy_dtype dtype);

}  // namespace cpu
