// From a Conv-like node and its tensors to the shape of a convolution.
#pragma once

#include "kernels/convolution/convolve.hpp"

namespace cpu {

struct ConvolutionAttributes {
  explicit ConvolutionAttributes(const sy::Node& node)
      : window(node), groups(node.integer("group", 1)) {}

  // Shapes [N, C, ...], [outputs, C / groups, ...] and [N, outputs, ...].
  ConvolutionShape shape(sy::Extents x, sy::Extents weights, sy::Extents y) const {
    ConvolutionShape made;
    made.window = window.window(weights.subspan(2), x.subspan(2), y.subspan(2));
    made.batch = x[0];
    made.groups = groups;
    made.group_inputs = weights[1];
    made.group_outputs = weights[0] / groups;
    return made;
  }

  WindowAttributes window;
  int64_t groups;
};

template <typename T>
Images<const T> images_of(const ConstTensor& tensor) {
  Images<const T> made{tensor.as<T>(), {}};
  made.steps[0] = tensor.strides[0];
  made.steps[1] = tensor.strides[1];
  const size_t spatial = tensor.rank() - 2;
  for (size_t i = 0; i < spatial_rank; ++i) {
    const size_t skipped = spatial_rank - spatial;
    made.steps[2 + i] = i < skipped ? 0 : tensor.strides[2 + i - skipped];
  }
  return made;
}

}  // namespace cpu
