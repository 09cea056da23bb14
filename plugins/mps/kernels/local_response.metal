// Elements by those of the channels around them. Operand 0 is the input, 1 the output, 2 counts the
// channels.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
using namespace metal;

struct ResponseParameters {
  uint before;  // channels of the window
  uint after;
  uint channels;
  int channel_step;
  float share;  // of each square
  float beta;
  float bias;
};

template <typename T>
[[kernel]] void local_response(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                               constant Axes& axes [[buffer(2)]],
                               constant ResponseParameters& parameters [[buffer(3)]],
                               uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const uint channel = positions.at[2];
  const int first = -int(min(channel, parameters.before));
  const int last = int(min(parameters.channels - 1 - channel, parameters.after));
  LongSum<float> sum = {0, 0};
  for (int i = first; i <= last; ++i) {
    const float value = float(x[positions.at[0] + uint(i * parameters.channel_step)]);
    sum = plus(sum, value * value);
  }
  const float divisor = pow(parameters.bias + parameters.share * total(sum), parameters.beta);
  y[positions.at[1]] = T(float(x[positions.at[0]]) / divisor);
}

template [[host_name("local_response_float")]] kernel decltype(local_response<float>)
    local_response<float>;
template [[host_name("local_response_half")]] kernel decltype(local_response<half>)
    local_response<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("local_response_bfloat")]] kernel decltype(local_response<bfloat>)
    local_response<bfloat>;
#endif
