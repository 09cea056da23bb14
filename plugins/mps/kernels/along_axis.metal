// Along one axis by a table from the host: `axes` walks the result; operand 0 is the input without
// the axis, 1 the result, 2 counts along the axis.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
using namespace metal;

struct PickParameters {
  int axis_step;  // elements of the input
};

// Each element is the one at the table's place.
template <typename T>
[[kernel]] void pick(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                     device const uint* table [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                     constant PickParameters& parameters [[buffer(4)]],
                     uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const uint position = table[positions.at[2]];
  y[positions.at[1]] = x[positions.at[0] + position * uint(parameters.axis_step)];
}

template [[host_name("pick_1")]] kernel decltype(pick<uchar>) pick<uchar>;
template [[host_name("pick_2")]] kernel decltype(pick<ushort>) pick<ushort>;
template [[host_name("pick_4")]] kernel decltype(pick<uint>) pick<uint>;
template [[host_name("pick_8")]] kernel decltype(pick<ulong>) pick<ulong>;

struct WeighParameters {
  int axis_step;
  uint taps;
};

// Each element is a sum of `taps` of them, weighted: the table holds their positions, `weights`
// what each counts. What counts nothing is not read, for it may be infinite.
template <typename T, typename R>
[[kernel]] void weigh(device const T* x [[buffer(0)]], device R* y [[buffer(1)]],
                      device const uint* table [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                      constant WeighParameters& parameters [[buffer(4)]],
                      device const float* weights [[buffer(5)]],
                      uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const uint first = positions.at[2] * parameters.taps;
  LongSum<float> sum = {0, 0};
  for (uint i = first; i < first + parameters.taps; ++i) {
    const uint from = positions.at[0] + table[i] * uint(parameters.axis_step);
    if (weights[i] != 0) sum = plus(sum, weights[i] * float(x[from]));
  }
  y[positions.at[1]] = R(total(sum));
}

template [[host_name("weigh_float_float")]] kernel decltype(weigh<float, float>)
    weigh<float, float>;
template [[host_name("weigh_float_half")]] kernel decltype(weigh<float, half>) weigh<float, half>;
template [[host_name("weigh_half_float")]] kernel decltype(weigh<half, float>) weigh<half, float>;
template [[host_name("weigh_half_half")]] kernel decltype(weigh<half, half>) weigh<half, half>;

// One value where the table is set. Operand 0 is the result, 1 counts along the axis.
template <typename T>
[[kernel]] void cover(device T* y [[buffer(0)]], device const uint* table [[buffer(1)]],
                      constant T& value [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                      uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  if (table[positions.at[1]] != 0) y[positions.at[0]] = value;
}

template [[host_name("cover_1")]] kernel decltype(cover<uchar>) cover<uchar>;
template [[host_name("cover_2")]] kernel decltype(cover<ushort>) cover<ushort>;
template [[host_name("cover_4")]] kernel decltype(cover<uint>) cover<uint>;
template [[host_name("cover_8")]] kernel decltype(cover<ulong>) cover<ulong>;
