// Lines along some axes of two tensors of one shape, and kernels with a threadgroup for each line.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/building/arguments.hpp"
#include "ops/building/elementwise.hpp"
#include "runtime/axes.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

struct Lines {
  Bound input;
  Bound output;
  Axes outer;  // over the lines: the input, the output
  Axes inner;  // along one
};

Lines lines_of(const Tensor& input, const Tensor& output, const std::vector<bool>& along);

// Which axes of a tensor of `rank` lines along `axis` have.
std::vector<bool> along_axis(int64_t axis, size_t rank);

// A power of two, 256 at most, that a line of `count` elements keeps busy.
uint32_t group_for(uint32_t count);

// Of the form of kernels/line.metal: input, output, outer, inner, and parameters if there are any.
void encode_lines(Stream& stream, const seam::Pipeline& pipeline, const Lines& lines,
                  std::span<const std::byte> parameters = {});

}  // namespace mps
