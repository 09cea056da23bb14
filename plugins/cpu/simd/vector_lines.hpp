// What is done to one contiguous line of floats. What is written may be the line that is read.
#pragma once

#include <cstdint>

namespace cpu {

// A line of a normalized layer in the backward pass.
template <typename W>
struct LayerLine {
  const W* gradient;
  const W* x;
  const W* scale;
  int64_t count;
  W centre, factor, shift;  // (x - centre) * factor + shift is the standardized line
};

// Over a line: of gradient * scale, and of that times the standardized line.
struct LayerSums {
  double scaled = 0;
  double along = 0;
};

// Over a line: of x - centre, and of its squares.
struct Distances {
  double plain = 0;
  double squared = 0;
};

// Over elements of a channel: of x - centre, of its squares, of the output gradient, and of that
// times x - centre.
struct ChannelSums {
  double plain = 0;
  double squared = 0;
  double gradient = 0;
  double along = 0;
};

// What the gradient of a channel's elements is made with: (x - centre) * factor + shift is
// standardized, `mean` and `along` are those of its group.
template <typename W>
struct ChannelFactors {
  W centre, factor, shift, scale, mean, along;
};

struct VectorLines {
  // exp(x - largest) over their sum, and its logarithm. A line that holds NaN, or whose largest is
  // infinite, becomes NaN.
  void (*softmax)(const float* x, float* y, int64_t count);
  void (*log_softmax)(const float* x, float* y, int64_t count);
  // The sum of exp(x - largest), for a line without NaN whose largest is finite.
  double (*powers)(const float* x, int64_t count, float largest);
  Distances (*distances)(const float* x, int64_t count, float centre);
  // (x - centre) * factor + shift, times `scale` and plus `bias`, element by element, where these
  // are given.
  void (*normalize)(const float* x, float* y, int64_t count, float centre, float factor,
                    float shift, const float* scale, const float* bias);
  // y * (gradient - sum(gradient * y)).
  void (*softmax_gradient)(const float* gradient, const float* y, float* to, int64_t count);
  // Besides, adds gradient * standardized line to `of_scale` and gradient to `of_bias`, element by
  // element, where these are given.
  LayerSums (*layer_sums)(const LayerLine<float>& line, float* of_scale, float* of_bias);
  // factor * (gradient * scale - mean - standardized line * along).
  void (*layer_gradient)(const LayerLine<float>& line, float mean, float along, float* to);
  // gradient - exp(y) * sum(gradient).
  void (*log_softmax_gradient)(const float* gradient, const float* y, float* to, int64_t count);
  ChannelSums (*channel_sums)(const float* gradient, const float* x, int64_t count, float centre);
  // factor * (gradient * scale - mean - standardized x * along).
  void (*channel_gradient)(const float* gradient, const float* x, int64_t count,
                           const ChannelFactors<float>& factors, float* to);
};

const VectorLines& vector_lines();

}  // namespace cpu
