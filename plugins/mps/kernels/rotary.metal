// RotaryEmbedding: pairs of elements turned by the angle of their position. A thread an element.
#include <metal_stdlib>
#include "axes.h"
#include "faults.h"
using namespace metal;

struct RotaryParameters {
  uint width;  // of a head
  uint pairs;  // that are turned; what is behind them stays
  uint is_interleaved;
  uint has_positions;
  uint positions;  // that the tables have
  int x_step, y_step;
  int cosine_row, cosine_step;
  int sine_row, sine_step;
};

inline uint position_within(long position, uint count, device Faults* faults) {
  if (position >= 0 && position < long(count)) return uint(position);
  faults->value = position;
  faults->bound = count;
  faults->kind = 1;
  return 0;
}

// `lines` walks the heads of all tokens: operand 0 is the input, 1 the output, 2 the cosines and 3
// the sines; `tokens` likewise, operand 0 being the positions.
template <typename T>
[[kernel]] void rotary(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                       device const T* cosines [[buffer(2)]], device const T* sines [[buffer(3)]],
                       device const long* positions [[buffer(4)]],
                       constant Axes& lines [[buffer(5)]], constant Axes& tokens [[buffer(6)]],
                       constant RotaryParameters& p [[buffer(7)]],
                       device Faults* faults [[buffer(8)]],
                       uint index [[thread_position_in_grid]]) {
  const uint line = index / p.width;
  const uint along = index % p.width;
  const Positions at = positions_of(lines, line);
  const T own = x[at.at[0] + along * uint(p.x_step)];
  const uint to = at.at[1] + along * uint(p.y_step);
  if (along >= 2 * p.pairs) {
    y[to] = own;
    return;
  }
  uint row = 0;
  if (p.has_positions != 0) {
    row = position_within(positions[positions_of(tokens, line).at[0]], p.positions, faults);
  }
  const bool is_second = p.is_interleaved != 0 ? along % 2 == 1 : along >= p.pairs;
  const uint pair = p.is_interleaved != 0 ? along / 2 : along % p.pairs;
  const uint apart = p.is_interleaved != 0 ? 1 : p.pairs;
  const uint partner = is_second ? along - apart : along + apart;
  const float other = float(x[at.at[0] + partner * uint(p.x_step)]);
  const float cosine =
      float(cosines[at.at[2] + row * uint(p.cosine_row) + pair * uint(p.cosine_step)]);
  const float sine = float(sines[at.at[3] + row * uint(p.sine_row) + pair * uint(p.sine_step)]);
  y[to] = T(is_second ? sine * other + cosine * float(own) : cosine * float(own) - sine * other);
}

template [[host_name("rotary_float")]] kernel decltype(rotary<float>) rotary<float>;
template [[host_name("rotary_half")]] kernel decltype(rotary<half>) rotary<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("rotary_bfloat")]] kernel decltype(rotary<bfloat>) rotary<bfloat>;
#endif
