// How kernels walk operands of one shape: kernels/axes.h, as the host fills it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "switchyard/plugin/shape.hpp"

namespace mps {

struct Axes {
  static constexpr size_t max_axes = 16;
  static constexpr size_t max_operands = 4;

  uint32_t count = 0;
  uint32_t rank = 0;
  uint32_t extents[max_axes] = {};
  int32_t steps[max_operands][max_axes] = {};
  uint32_t offsets[max_operands] = {};
};

// One operand: its strides, in elements, along each axis of the walk.
struct Walked {
  const int64_t* strides;
  uint64_t offset = 0;  // elements
};

// The axes of `shape`, without those of extent 1, and with those merged that run on into each other
// for every operand. Throws sy::unsupported beyond 2^31 - 1 elements, 16 axes that are left, or
// distances that 32 bits do not hold.
Axes make_axes(sy::Extents shape, std::span<const Walked> operands);

// A stride, in elements, as kernels take it; throws sy::unsupported if 32 bits do not hold it.
int32_t int32_step(int64_t stride);

}  // namespace mps
