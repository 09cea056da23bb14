// Folding axes away. `outer` walks what is left: operand 0 is the input, 1 the output; `inner`
// walks what goes, in operand 0.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
using namespace metal;

struct ReductionParameters {
  uint operation;  // a position in ops/lines/reduction.cpp's table
};

// What one thread, and then a group of them, has folded.
struct Folded {
  float value;
  float lost;     // of sums: what their roundings lost
  float largest;  // of log-sum-exp: the sum is relative to it
};

inline Folded start_of(uint operation) {
  switch (operation) {
    case 2: return {-INFINITY, 0, 0};
    case 3: return {INFINITY, 0, 0};
    case 4: return {1, 0, 0};
    case 9: return {0, 0, -INFINITY};
  }
  return {0, 0, 0};
}

inline float larger(float x, float y) { return isnan(x) ? x : isnan(y) ? y : max(x, y); }
inline float smaller(float x, float y) { return isnan(x) ? x : isnan(y) ? y : min(x, y); }

// Two parts of a log-sum-exp. An infinite largest stands for itself.
inline Folded join_exponents(Folded x, Folded y) {
  const float largest = larger(x.largest, y.largest);
  if (isnan(largest) || isinf(largest)) return {1, 0, largest};
  const float of_x = exp(x.largest - largest), of_y = exp(y.largest - largest);
  const LongSum<float> sum = plus(LongSum<float>{x.value * of_x, x.lost * of_x},
                                  LongSum<float>{y.value * of_y, y.lost * of_y});
  return {sum.sum, sum.lost, largest};
}

inline Folded join(uint operation, Folded x, Folded y) {
  switch (operation) {
    case 2: return {larger(x.value, y.value), 0, 0};
    case 3: return {smaller(x.value, y.value), 0, 0};
    case 4: return {x.value * y.value, 0, 0};
    case 9: return join_exponents(x, y);
  }
  const LongSum<float> sum =
      plus(LongSum<float>{x.value, x.lost}, LongSum<float>{y.value, y.lost});
  return {sum.sum, sum.lost, 0};
}

inline Folded element(uint operation, float x) {
  switch (operation) {
    case 5: return {abs(x), 0, 0};
    case 6: case 7: return {x * x, 0, 0};
    case 9: return {1, 0, x};
  }
  return {x, 0, 0};
}

inline float finish(uint operation, Folded folded, float count) {
  const float sum = total(LongSum<float>{folded.value, folded.lost});
  switch (operation) {
    case 0: case 5: case 7: return sum;
    case 1: return sum / count;
    case 6: return sqrt(sum);
    case 8: return log(sum);
    case 9: return log(sum) + folded.largest;
  }
  return folded.value;
}

// A thread folds each output.
template <typename T>
[[kernel]] void reduce_by_thread(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                                 constant Axes& outer [[buffer(2)]],
                                 constant Axes& inner [[buffer(3)]],
                                 constant ReductionParameters& parameters [[buffer(4)]],
                                 uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(outer, index);
  Folded folded = start_of(parameters.operation);
  for (uint i = 0; i < inner.count; ++i) {
    const float value = float(x[positions.at[0] + positions_of(inner, i).at[0]]);
    folded = join(parameters.operation, folded, element(parameters.operation, value));
  }
  y[positions.at[1]] = T(finish(parameters.operation, folded, float(inner.count)));
}

template [[host_name("reduce_by_thread_float")]] kernel decltype(reduce_by_thread<float>)
    reduce_by_thread<float>;
template [[host_name("reduce_by_thread_half")]] kernel decltype(reduce_by_thread<half>)
    reduce_by_thread<half>;

// A group folds each output.
template <typename T>
[[kernel]] void reduce_by_group(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                                constant Axes& outer [[buffer(2)]],
                                constant Axes& inner [[buffer(3)]],
                                constant ReductionParameters& parameters [[buffer(4)]],
                                uint group [[threadgroup_position_in_grid]],
                                uint thread_index [[thread_position_in_threadgroup]],
                                uint threads [[threads_per_threadgroup]]) {
  threadgroup Folded parts[256];
  const uint operation = parameters.operation;
  const Positions positions = positions_of(outer, group);
  Folded folded = start_of(operation);
  for (uint i = thread_index; i < inner.count; i += threads) {
    const float value = float(x[positions.at[0] + positions_of(inner, i).at[0]]);
    folded = join(operation, folded, element(operation, value));
  }
  parts[thread_index] = folded;
  // The number of threads is a power of two.
  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (thread_index < half_way) {
      folded = join(operation, folded, parts[thread_index + half_way]);
      parts[thread_index] = folded;
    }
  }
  if (thread_index == 0) y[positions.at[1]] = T(finish(operation, folded, float(inner.count)));
}

template [[host_name("reduce_by_group_float")]] kernel decltype(reduce_by_group<float>)
    reduce_by_group<float>;
template [[host_name("reduce_by_group_half")]] kernel decltype(reduce_by_group<half>)
    reduce_by_group<half>;

// Of bool: the largest says whether any is true, the smallest whether all are.
inline bool join_bools(uint operation, bool x, bool y) { return operation == 2 ? x || y : x && y; }

[[kernel]] void reduce_bool_by_thread(device const uchar* x [[buffer(0)]],
                                      device uchar* y [[buffer(1)]],
                                      constant Axes& outer [[buffer(2)]],
                                      constant Axes& inner [[buffer(3)]],
                                      constant ReductionParameters& parameters [[buffer(4)]],
                                      uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(outer, index);
  const uint operation = parameters.operation;
  bool folded = operation != 2;
  for (uint i = 0; i < inner.count; ++i) {
    folded = join_bools(operation, folded, x[positions.at[0] + positions_of(inner, i).at[0]] != 0);
  }
  y[positions.at[1]] = folded ? 1 : 0;
}

template <typename T>
[[kernel]] void reduce_bool_by_group(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                                     constant Axes& outer [[buffer(2)]],
                                     constant Axes& inner [[buffer(3)]],
                                     constant ReductionParameters& parameters [[buffer(4)]],
                                     uint group [[threadgroup_position_in_grid]],
                                     uint thread_index [[thread_position_in_threadgroup]],
                                     uint threads [[threads_per_threadgroup]]) {
  threadgroup uint values[256];
  const uint operation = parameters.operation;
  const Positions positions = positions_of(outer, group);
  bool folded = operation != 2;
  for (uint i = thread_index; i < inner.count; i += threads) {
    folded = join_bools(operation, folded, x[positions.at[0] + positions_of(inner, i).at[0]] != 0);
  }
  values[thread_index] = folded ? 1 : 0;
  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (thread_index < half_way) {
      folded = join_bools(operation, folded, values[thread_index + half_way] != 0);
      values[thread_index] = folded ? 1 : 0;
    }
  }
  if (thread_index == 0) y[positions.at[1]] = folded ? 1 : 0;
}

template [[host_name("reduce_bool_by_group")]] kernel decltype(reduce_bool_by_group<uchar>)
    reduce_bool_by_group<uchar>;

// Integers: sum, (no mean,) largest, smallest, product, and of absolute values and squares.
template <typename T>
inline T fold_whole(uint operation, T folded, T x) {
  switch (operation) {
    case 2: return x > folded ? x : folded;
    case 3: return x < folded ? x : folded;
    case 4: return folded * x;
    case 5: return folded + (x < T(0) ? T(0) - x : x);
    case 7: return folded + x * x;
  }
  return folded + x;
}

// Of no numbers the largest is the least that there is.
template <typename T>
inline T start_of_whole(uint operation) {
  const T least = T(ulong(1) << (sizeof(T) * 8 - 1));
  switch (operation) {
    case 2: return least;
    case 3: return T(~least);
    case 4: return T(1);
  }
  return T(0);
}

template <typename T>
[[kernel]] void reduce_whole(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                             constant Axes& outer [[buffer(2)]], constant Axes& inner [[buffer(3)]],
                             constant ReductionParameters& parameters [[buffer(4)]],
                             uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(outer, index);
  const uint operation = parameters.operation;
  T folded = start_of_whole<T>(operation);
  for (uint i = 0; i < inner.count; ++i) {
    folded = fold_whole<T>(operation, folded, x[positions.at[0] + positions_of(inner, i).at[0]]);
  }
  y[positions.at[1]] = folded;
}

template [[host_name("reduce_whole_int")]] kernel decltype(reduce_whole<int>) reduce_whole<int>;
template [[host_name("reduce_whole_long")]] kernel decltype(reduce_whole<long>) reduce_whole<long>;

// The position of the first (or last) largest (or smallest) element. A NaN is beyond every number,
// on both sides.
struct ExtremeParameters {
  uint smallest;
  uint last;
};

inline bool is_nan(int) { return false; }
inline bool is_nan(float x) { return isnan(x); }
inline bool is_nan(half x) { return isnan(x); }
#if __METAL_VERSION__ >= 310
inline bool is_nan(bfloat x) { return isnan(float(x)); }
#endif

template <typename T>
inline bool beats(constant ExtremeParameters& parameters, T value, T extreme) {
  if (is_nan(extreme)) return parameters.last != 0 && is_nan(value);
  if (is_nan(value)) return true;
  if (value == extreme) return parameters.last != 0;
  return parameters.smallest != 0 ? value < extreme : value > extreme;
}

template <typename T>
[[kernel]] void position_of_extreme(device const T* x [[buffer(0)]], device long* y [[buffer(1)]],
                                 constant Axes& outer [[buffer(2)]],
                                 constant Axes& inner [[buffer(3)]],
                                 constant ExtremeParameters& parameters [[buffer(4)]],
                                 uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(outer, index);
  uint best = 0;
  T extreme = x[positions.at[0] + positions_of(inner, 0).at[0]];
  for (uint i = 1; i < inner.count; ++i) {
    const T value = x[positions.at[0] + positions_of(inner, i).at[0]];
    if (beats(parameters, value, extreme)) {
      extreme = value;
      best = i;
    }
  }
  y[positions.at[1]] = long(best);
}

template [[host_name("position_of_extreme_float")]] kernel decltype(position_of_extreme<float>)
    position_of_extreme<float>;
template [[host_name("position_of_extreme_half")]] kernel decltype(position_of_extreme<half>)
    position_of_extreme<half>;
template [[host_name("position_of_extreme_int")]] kernel decltype(position_of_extreme<int>)
    position_of_extreme<int>;

#if __METAL_VERSION__ >= 310
template [[host_name("reduce_by_thread_bfloat")]] kernel decltype(reduce_by_thread<bfloat>)
    reduce_by_thread<bfloat>;
template [[host_name("reduce_by_group_bfloat")]] kernel decltype(reduce_by_group<bfloat>)
    reduce_by_group<bfloat>;
template [[host_name("position_of_extreme_bfloat")]] kernel decltype(position_of_extreme<bfloat>)
    position_of_extreme<bfloat>;
#endif
