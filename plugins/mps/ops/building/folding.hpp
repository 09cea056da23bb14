// A tensor's axes in two groups: those that a kernel folds, and those that are left.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/building/elementwise.hpp"
#include "runtime/axes.hpp"

namespace mps {

struct Folding {
  Axes outer;  // operand 0: the input; 1: the output
  Axes inner;  // operand 0: the input
  Bound input;
  Bound output;
};

// `folded[i]` tells whether axis i of the input goes. The output has the other axes in their order,
// and may have axes of extent 1 besides, where `keeps_axes`.
Folding fold(const Tensor& input, const Tensor& output, const std::vector<bool>& folded,
             bool keeps_axes);

// Which of `rank` axes are in a list whose numbers may be negative.
std::vector<bool> axes_in(const std::vector<int64_t>& axes, size_t rank);

// Runs a kernel of kernels/reduction.metal's form: input, output, outer, inner, parameters. With
// `group` of 1 a thread for each element of `outer`, else a group of that size.
void encode_folding(Stream& stream, const seam::Pipeline& pipeline, const Folding& folding,
                    std::span<const std::byte> parameters, uint32_t group);

}  // namespace mps
