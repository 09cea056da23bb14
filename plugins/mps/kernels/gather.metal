// Elements by index. A thread an element of the result.
#include <metal_stdlib>
#include "axes.h"
#include "faults.h"
#include "tuple.h"
using namespace metal;

struct GatherParameters {
  uint axis_extent;
  int axis_step;  // elements of the input
};

// `axes` walks the result: operand 0 is the input without its axis, 1 the indices, 2 the result.
template <typename T, typename I>
[[kernel]] void gather(device const T* x [[buffer(0)]], device const I* indices [[buffer(1)]],
                       device T* y [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                       constant GatherParameters& parameters [[buffer(4)]],
                       device Faults* faults [[buffer(5)]],
                       uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const uint position = position_on_axis(long(indices[positions.at[1]]), parameters.axis_extent, faults);
  y[positions.at[2]] = x[positions.at[0] + position * uint(parameters.axis_step)];
}

template [[host_name("gather_1_int")]] kernel decltype(gather<uchar, int>) gather<uchar, int>;
template [[host_name("gather_2_int")]] kernel decltype(gather<ushort, int>) gather<ushort, int>;
template [[host_name("gather_4_int")]] kernel decltype(gather<uint, int>) gather<uint, int>;
template [[host_name("gather_8_int")]] kernel decltype(gather<ulong, int>) gather<ulong, int>;
template [[host_name("gather_1_long")]] kernel decltype(gather<uchar, long>) gather<uchar, long>;
template [[host_name("gather_2_long")]] kernel decltype(gather<ushort, long>) gather<ushort, long>;
template [[host_name("gather_4_long")]] kernel decltype(gather<uint, long>) gather<uint, long>;
template [[host_name("gather_8_long")]] kernel decltype(gather<ulong, long>) gather<ulong, long>;

// The same with tuples: operand 0 is the input without the axes that they name, 1 the tuples.
template <typename T>
[[kernel]] void gather_tuples(device const T* x [[buffer(0)]],
                              device const long* indices [[buffer(1)]], device T* y [[buffer(2)]],
                              constant Axes& axes [[buffer(3)]],
                              constant Tuple& tuple [[buffer(4)]],
                              device Faults* faults [[buffer(5)]],
                              uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const Named named = named_by(indices, positions.at[1], tuple, faults);
  y[positions.at[2]] = x[positions.at[0] + named.at[0]];
}

template [[host_name("gather_tuples_1")]] kernel decltype(gather_tuples<uchar>)
    gather_tuples<uchar>;
template [[host_name("gather_tuples_2")]] kernel decltype(gather_tuples<ushort>)
    gather_tuples<ushort>;
template [[host_name("gather_tuples_4")]] kernel decltype(gather_tuples<uint>) gather_tuples<uint>;
template [[host_name("gather_tuples_8")]] kernel decltype(gather_tuples<ulong>)
    gather_tuples<ulong>;
