// The gradient of what is normalized line by line, by the kernel layer_gradient.
#pragma once

#include "ops/building/arguments.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {

// As kernels/line_statistics.h has it.
struct LineStatistics {
  float centre = 0, rest = 0, factor = 0;
};

// The tensors of a run, and how its lines are walked: in this order, the scale with the lines too.
struct GradientWalk {
  Bound grad_output, input, result, scale;
  Axes outer, inner;
};

// A group a line. Room for the LineStatistics of each, or null where nobody wants them.
void encode_line_gradients(Stream& stream, const seam::Pipeline& pipeline, const GradientWalk& walk,
                           float epsilon, const Block* statistics);

// No line adds anything to the outputs from 1 on.
void encode_zero_parameters(Device& device, const Run& run);

inline bool has_output(const Run& run, size_t i) {
  return i < run.outputs.size() && run.outputs[i].dtype != 0;
}

}  // namespace mps
