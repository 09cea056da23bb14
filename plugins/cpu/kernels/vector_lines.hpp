// What is done to one contiguous line of floats. What is written may be the line that is read.
#pragma once

#include <cstdint>

namespace cpu {

struct VectorLines {
  // exp(x - largest) over their sum, and its logarithm. A line that holds NaN, or whose largest is
  // infinite, becomes NaN.
  void (*softmax)(const float* x, float* y, int64_t count);
  void (*log_softmax)(const float* x, float* y, int64_t count);
  // The sum of exp(x - largest), for a line without NaN whose largest is finite.
  double (*powers)(const float* x, int64_t count, float largest);
  // The sum of (x - centre)^2.
  double (*squares)(const float* x, int64_t count, float centre);
  // (x - centre) * factor, times `scale` and plus `bias`, element by element, where these are
  // given.
  void (*normalize)(const float* x, float* y, int64_t count, float centre, float factor,
                    const float* scale, const float* bias);
  // y * (gradient - sum(gradient * y)).
  void (*softmax_gradient)(const float* gradient, const float* y, float* to, int64_t count);
  // gradient - exp(y) * sum(gradient).
  void (*log_softmax_gradient)(const float* gradient, const float* y, float* to, int64_t count);
};

const VectorLines& vector_lines();

}  // namespace cpu
