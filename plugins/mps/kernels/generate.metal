// Tensors made from little, and what depends on where an element lies.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

struct TriangleParameters {
  uint upper;
  uint has_diagonal;
  uint diagonal_position;
};

// Keeps one side of a diagonal. Operand 0 is the input, 1 the result, 2 counts columns less rows.
template <typename T>
[[kernel]] void triangle(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                         device const long* diagonals [[buffer(2)]],
                         constant Axes& axes [[buffer(3)]],
                         constant TriangleParameters& parameters [[buffer(4)]],
                         uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const long diagonal = parameters.has_diagonal != 0 ? diagonals[parameters.diagonal_position] : 0L;
  const long distance = long(int(positions.at[2]));
  const bool keeps = parameters.upper != 0 ? distance >= diagonal : distance <= diagonal;
  y[positions.at[1]] = keeps ? x[positions.at[0]] : T(0);
}

template [[host_name("triangle_1")]] kernel decltype(triangle<uchar>) triangle<uchar>;
template [[host_name("triangle_2")]] kernel decltype(triangle<ushort>) triangle<ushort>;
template [[host_name("triangle_4")]] kernel decltype(triangle<uint>) triangle<uint>;
template [[host_name("triangle_8")]] kernel decltype(triangle<ulong>) triangle<ulong>;

struct DiagonalParameters {
  long diagonal;
  ulong one;  // the bits of 1
};

// One on a diagonal, zero elsewhere. Operand 0 is the result, 1 counts columns less rows.
template <typename T>
[[kernel]] void diagonal(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                         constant DiagonalParameters& parameters [[buffer(2)]],
                         uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const bool is_on_it = long(int(positions.at[1])) == parameters.diagonal;
  y[positions.at[0]] = is_on_it ? T(parameters.one) : T(0);
}

template [[host_name("diagonal_1")]] kernel decltype(diagonal<uchar>) diagonal<uchar>;
template [[host_name("diagonal_2")]] kernel decltype(diagonal<ushort>) diagonal<ushort>;
template [[host_name("diagonal_4")]] kernel decltype(diagonal<uint>) diagonal<uint>;
template [[host_name("diagonal_8")]] kernel decltype(diagonal<ulong>) diagonal<ulong>;

struct OneHotParameters {
  uint depth;
  uint off;  // where the two values lie
  uint on;
};

inline bool names(float index, uint position, uint depth) {
  const float counted = index < 0 ? index + float(depth) : index;
  return counted >= 0 && counted < float(depth) && uint(counted) == position;
}
inline bool names(long index, uint position, uint depth) {
  return (index < 0 ? index + long(depth) : index) == long(position);
}
inline bool names(half index, uint position, uint depth) { return names(float(index), position, depth); }
inline bool names(int index, uint position, uint depth) { return names(long(index), position, depth); }
inline bool names(short index, uint position, uint depth) { return names(long(index), position, depth); }
inline bool names(char index, uint position, uint depth) { return names(long(index), position, depth); }
inline bool names(uchar index, uint position, uint depth) { return names(long(index), position, depth); }

// Operand 0 is the indices, 1 counts along the axis, 2 is the result.
template <typename T, typename I>
[[kernel]] void one_hot(device const I* indices [[buffer(0)]], device const T* values [[buffer(1)]],
                        device T* y [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                        constant OneHotParameters& parameters [[buffer(4)]],
                        uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const bool is_on = names(indices[positions.at[0]], positions.at[1], parameters.depth);
  y[positions.at[2]] = values[is_on ? parameters.on : parameters.off];
}

template [[host_name("one_hot_1_float")]] kernel decltype(one_hot<uchar, float>)
    one_hot<uchar, float>;
template [[host_name("one_hot_2_float")]] kernel decltype(one_hot<ushort, float>)
    one_hot<ushort, float>;
template [[host_name("one_hot_4_float")]] kernel decltype(one_hot<uint, float>)
    one_hot<uint, float>;
template [[host_name("one_hot_8_float")]] kernel decltype(one_hot<ulong, float>)
    one_hot<ulong, float>;
template [[host_name("one_hot_1_half")]] kernel decltype(one_hot<uchar, half>) one_hot<uchar, half>;
template [[host_name("one_hot_2_half")]] kernel decltype(one_hot<ushort, half>)
    one_hot<ushort, half>;
template [[host_name("one_hot_4_half")]] kernel decltype(one_hot<uint, half>) one_hot<uint, half>;
template [[host_name("one_hot_8_half")]] kernel decltype(one_hot<ulong, half>) one_hot<ulong, half>;
template [[host_name("one_hot_1_char")]] kernel decltype(one_hot<uchar, char>) one_hot<uchar, char>;
template [[host_name("one_hot_2_char")]] kernel decltype(one_hot<ushort, char>)
    one_hot<ushort, char>;
template [[host_name("one_hot_4_char")]] kernel decltype(one_hot<uint, char>) one_hot<uint, char>;
template [[host_name("one_hot_8_char")]] kernel decltype(one_hot<ulong, char>) one_hot<ulong, char>;
template [[host_name("one_hot_1_uchar")]] kernel decltype(one_hot<uchar, uchar>)
    one_hot<uchar, uchar>;
template [[host_name("one_hot_2_uchar")]] kernel decltype(one_hot<ushort, uchar>)
    one_hot<ushort, uchar>;
template [[host_name("one_hot_4_uchar")]] kernel decltype(one_hot<uint, uchar>)
    one_hot<uint, uchar>;
template [[host_name("one_hot_8_uchar")]] kernel decltype(one_hot<ulong, uchar>)
    one_hot<ulong, uchar>;
template [[host_name("one_hot_1_short")]] kernel decltype(one_hot<uchar, short>)
    one_hot<uchar, short>;
template [[host_name("one_hot_2_short")]] kernel decltype(one_hot<ushort, short>)
    one_hot<ushort, short>;
template [[host_name("one_hot_4_short")]] kernel decltype(one_hot<uint, short>)
    one_hot<uint, short>;
template [[host_name("one_hot_8_short")]] kernel decltype(one_hot<ulong, short>)
    one_hot<ulong, short>;
template [[host_name("one_hot_1_int")]] kernel decltype(one_hot<uchar, int>) one_hot<uchar, int>;
template [[host_name("one_hot_2_int")]] kernel decltype(one_hot<ushort, int>) one_hot<ushort, int>;
template [[host_name("one_hot_4_int")]] kernel decltype(one_hot<uint, int>) one_hot<uint, int>;
template [[host_name("one_hot_8_int")]] kernel decltype(one_hot<ulong, int>) one_hot<ulong, int>;
template [[host_name("one_hot_1_long")]] kernel decltype(one_hot<uchar, long>) one_hot<uchar, long>;
template [[host_name("one_hot_2_long")]] kernel decltype(one_hot<ushort, long>)
    one_hot<ushort, long>;
template [[host_name("one_hot_4_long")]] kernel decltype(one_hot<uint, long>) one_hot<uint, long>;
template [[host_name("one_hot_8_long")]] kernel decltype(one_hot<ulong, long>) one_hot<ulong, long>;

struct RangeParameters {
  long start;
  long delta;
  float float_start;
  float float_delta;
};

inline float term(constant RangeParameters& range, uint index, float) {
  return fma(float(index), range.float_delta, range.float_start);
}
inline long term(constant RangeParameters& range, uint index, long) {
  // The way there may lie out of range, the term does not.
  return long(ulong(range.start) + ulong(index) * ulong(range.delta));
}

template <typename T, typename W>
[[kernel]] void range(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                      constant RangeParameters& parameters [[buffer(2)]],
                      uint index [[thread_position_in_grid]]) {
  y[positions_of(axes, index).at[0]] = T(term(parameters, index, W(0)));
}

template [[host_name("range_float")]] kernel decltype(range<float, float>) range<float, float>;
template [[host_name("range_short")]] kernel decltype(range<short, long>) range<short, long>;
template [[host_name("range_int")]] kernel decltype(range<int, long>) range<int, long>;
template [[host_name("range_long")]] kernel decltype(range<long, long>) range<long, long>;
