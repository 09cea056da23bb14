// Elements written at indices. Where several go to one place, the last one counts, or all of them
// are joined in their order: the same bits in every run.
#include <metal_stdlib>
#include "tuple.h"
using namespace metal;

// To write the last one: first each update claims its place by its number, and the highest stays.
// `axes` walks the updates: operand 0 is the tuples, 1 the updates, 2 the result and 3 the owners,
// both without the axes that tuples name.
template <typename I>
[[kernel]] void scatter_claim(device const I* indices [[buffer(0)]],
                              device atomic_uint* owners [[buffer(1)]],
                              constant Axes& axes [[buffer(2)]],
                              constant Tuple& tuple [[buffer(3)]],
                              device Faults* faults [[buffer(4)]],
                              uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  const Named named = named_by(indices, places.at[0], tuple, faults);
  atomic_fetch_max_explicit(&owners[places.at[3] + named.at[1]], index + 1, memory_order_relaxed);
}

template [[host_name("scatter_claim_int")]] kernel decltype(scatter_claim<int>) scatter_claim<int>;
template [[host_name("scatter_claim_long")]] kernel decltype(scatter_claim<long>)
    scatter_claim<long>;

template <typename T, typename I>
[[kernel]] void scatter(device const I* indices [[buffer(0)]], device const T* x [[buffer(1)]],
                        device T* y [[buffer(2)]], device const uint* owners [[buffer(3)]],
                        constant Axes& axes [[buffer(4)]], constant Tuple& tuple [[buffer(5)]],
                        device Faults* faults [[buffer(6)]],
                        uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  const Named named = named_by(indices, places.at[0], tuple, faults);
  if (owners[places.at[3] + named.at[1]] == index + 1) {
    y[places.at[2] + named.at[0]] = x[places.at[1]];
  }
}

template [[host_name("scatter_1_int")]] kernel decltype(scatter<uchar, int>) scatter<uchar, int>;
template [[host_name("scatter_2_int")]] kernel decltype(scatter<ushort, int>) scatter<ushort, int>;
template [[host_name("scatter_4_int")]] kernel decltype(scatter<uint, int>) scatter<uint, int>;
template [[host_name("scatter_8_int")]] kernel decltype(scatter<ulong, int>) scatter<ulong, int>;
template [[host_name("scatter_1_long")]] kernel decltype(scatter<uchar, long>) scatter<uchar, long>;
template [[host_name("scatter_2_long")]] kernel decltype(scatter<ushort, long>)
    scatter<ushort, long>;
template [[host_name("scatter_4_long")]] kernel decltype(scatter<uint, long>) scatter<uint, long>;
template [[host_name("scatter_8_long")]] kernel decltype(scatter<ulong, long>) scatter<ulong, long>;

// Wider than what it joins where that is narrower than int.
inline float widened(float x) { return x; }
inline float widened(half x) { return float(x); }
inline long widened(long x) { return x; }
inline long widened(int x) { return long(x); }
inline long widened(short x) { return long(x); }
inline long widened(char x) { return long(x); }
inline long widened(uchar x) { return long(x); }

inline bool is_nan(float x) { return isnan(x); }
inline bool is_nan(long) { return false; }

// 0 add, 1 multiply, 2 the smaller, 3 the larger. A NaN stays.
template <typename W>
inline W joined(uint operation, W old, W update) {
  switch (operation) {
    case 0: return old + update;
    case 1: return old * update;
    case 2: return is_nan(old) || old < update ? old : update;
  }
  return is_nan(old) || update < old ? old : update;
}

// A thread joins, one after the other, the updates that may share a place: `outer` walks the rest,
// with operands as above, and `inner` those, in operands 0 and 1.
template <typename T, typename I>
[[kernel]] void scatter_joined(device const I* indices [[buffer(0)]],
                               device const T* x [[buffer(1)]], device T* y [[buffer(2)]],
                               constant Axes& outer [[buffer(3)]],
                               constant Axes& inner [[buffer(4)]],
                               constant Tuple& tuple [[buffer(5)]],
                               constant uint& operation [[buffer(6)]],
                               device Faults* faults [[buffer(7)]],
                               uint index [[thread_position_in_grid]]) {
  const Places places = places_of(outer, index);
  for (uint i = 0; i < inner.count; ++i) {
    const Places along = places_of(inner, i);
    const Named named = named_by(indices, places.at[0] + along.at[0], tuple, faults);
    const uint to = places.at[2] + named.at[0];
    y[to] = T(joined(operation, widened(y[to]), widened(x[places.at[1] + along.at[1]])));
  }
}

template [[host_name("scatter_joined_float_int")]] kernel decltype(scatter_joined<float, int>)
    scatter_joined<float, int>;
template [[host_name("scatter_joined_half_int")]] kernel decltype(scatter_joined<half, int>)
    scatter_joined<half, int>;
template [[host_name("scatter_joined_char_int")]] kernel decltype(scatter_joined<char, int>)
    scatter_joined<char, int>;
template [[host_name("scatter_joined_uchar_int")]] kernel decltype(scatter_joined<uchar, int>)
    scatter_joined<uchar, int>;
template [[host_name("scatter_joined_short_int")]] kernel decltype(scatter_joined<short, int>)
    scatter_joined<short, int>;
template [[host_name("scatter_joined_int_int")]] kernel decltype(scatter_joined<int, int>)
    scatter_joined<int, int>;
template [[host_name("scatter_joined_long_int")]] kernel decltype(scatter_joined<long, int>)
    scatter_joined<long, int>;
template [[host_name("scatter_joined_float_long")]] kernel decltype(scatter_joined<float, long>)
    scatter_joined<float, long>;
template [[host_name("scatter_joined_half_long")]] kernel decltype(scatter_joined<half, long>)
    scatter_joined<half, long>;
template [[host_name("scatter_joined_char_long")]] kernel decltype(scatter_joined<char, long>)
    scatter_joined<char, long>;
template [[host_name("scatter_joined_uchar_long")]] kernel decltype(scatter_joined<uchar, long>)
    scatter_joined<uchar, long>;
template [[host_name("scatter_joined_short_long")]] kernel decltype(scatter_joined<short, long>)
    scatter_joined<short, long>;
template [[host_name("scatter_joined_int_long")]] kernel decltype(scatter_joined<int, long>)
    scatter_joined<int, long>;
template [[host_name("scatter_joined_long_long")]] kernel decltype(scatter_joined<long, long>)
    scatter_joined<long, long>;
