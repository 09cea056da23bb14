// The largest or smallest elements of lines, in order, by a bitonic sort of their positions.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

struct OrderParameters {
  uint count;     // elements of a line
  uint padded;    // a power of two, no less
  uint wanted;    // elements of a line of the results
  uint smallest;  // else the largest
  int step;       // along the line
  int value_step;
  int position_step;
  uint has_values;
  uint has_positions;
};

// A NaN is above every number.
inline bool is_below(float x, float y) { return isnan(x) ? false : isnan(y) ? true : x < y; }
inline bool is_below(half x, half y) { return is_below(float(x), float(y)); }
template <typename T>
inline bool is_below(T x, T y) {
  return x < y;
}

// Of equal elements the first one comes first. Positions beyond the line, which begins at element
// `line`, come last.
template <typename T>
inline bool precedes(device const T* x, uint line, constant OrderParameters& parameters, uint i,
                     uint k) {
  if (i >= parameters.count || k >= parameters.count) return i < k;
  const T one = x[line + i * uint(parameters.step)];
  const T other = x[line + k * uint(parameters.step)];
  if (is_below(one, other)) return parameters.smallest != 0;
  if (is_below(other, one)) return parameters.smallest == 0;
  return i < k;
}

// The lower of the two positions that thread `index` compares.
inline uint lower_of_pair(uint index, uint reach) {
  return 2 * reach * (index / reach) + index % reach;
}

// Whether positions `i` and `k`, which stand `reach` apart from `lower` on, change sides.
template <typename T>
inline bool swaps(device const T* x, uint line, constant OrderParameters& parameters, uint lower,
                  uint span, uint i, uint k) {
  const bool rises = (lower & span) == 0;
  return rises ? precedes(x, line, parameters, k, i) : precedes(x, line, parameters, i, k);
}

template <typename T>
inline void write_element(device const T* x, device T* values, device long* positions,
                          constant OrderParameters& parameters, Positions at, uint rank, uint position) {
  if (parameters.has_values != 0) {
    values[at.at[1] + rank * uint(parameters.value_step)] =
        x[at.at[0] + position * uint(parameters.step)];
  }
  if (parameters.has_positions != 0) {
    positions[at.at[2] + rank * uint(parameters.position_step)] = long(position);
  }
}

// A group a line of at most 4096 elements. `outer` walks the lines: operand 0 is the input, 1 the
// values, 2 their positions.
template <typename T>
[[kernel]] void order_in_group(device const T* x [[buffer(0)]], device T* values [[buffer(1)]],
                               device long* positions [[buffer(2)]],
                               constant Axes& outer [[buffer(3)]],
                               constant OrderParameters& parameters [[buffer(4)]],
                               uint group [[threadgroup_position_in_grid]],
                               uint index [[thread_position_in_threadgroup]],
                               uint threads [[threads_per_threadgroup]]) {
  threadgroup uint order[4096];
  const Positions at = positions_of(outer, group);
  for (uint i = index; i < parameters.padded; i += threads) order[i] = i;
  for (uint span = 2; span <= parameters.padded; span *= 2) {
    for (uint reach = span / 2; reach > 0; reach /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      for (uint pair = index; pair < parameters.padded / 2; pair += threads) {
        const uint lower = lower_of_pair(pair, reach);
        const uint i = order[lower];
        const uint k = order[lower + reach];
        if (swaps(x, at.at[0], parameters, lower, span, i, k)) {
          order[lower] = k;
          order[lower + reach] = i;
        }
      }
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint rank = index; rank < parameters.wanted; rank += threads) {
    write_element(x, values, positions, parameters, at, rank, order[rank]);
  }
}

template [[host_name("order_in_group_float")]] kernel decltype(order_in_group<float>)
    order_in_group<float>;
template [[host_name("order_in_group_half")]] kernel decltype(order_in_group<half>)
    order_in_group<half>;
template [[host_name("order_in_group_char")]] kernel decltype(order_in_group<char>)
    order_in_group<char>;
template [[host_name("order_in_group_uchar")]] kernel decltype(order_in_group<uchar>)
    order_in_group<uchar>;
template [[host_name("order_in_group_short")]] kernel decltype(order_in_group<short>)
    order_in_group<short>;
template [[host_name("order_in_group_int")]] kernel decltype(order_in_group<int>)
    order_in_group<int>;
template [[host_name("order_in_group_long")]] kernel decltype(order_in_group<long>)
    order_in_group<long>;

// Longer lines, a thread a pair and a dispatch a step, in memory of the device's.
[[kernel]] void order_start(device uint* order [[buffer(0)]],
                            constant OrderParameters& parameters [[buffer(1)]],
                            uint index [[thread_position_in_grid]]) {
  order[index] = index % parameters.padded;
}

struct OrderStep {
  uint span;
  uint reach;
};

template <typename T>
[[kernel]] void order_step(device const T* x [[buffer(0)]], device uint* order [[buffer(1)]],
                           constant Axes& outer [[buffer(2)]],
                           constant OrderParameters& parameters [[buffer(3)]],
                           constant OrderStep& step [[buffer(4)]],
                           uint index [[thread_position_in_grid]]) {
  const uint pairs = parameters.padded / 2;
  const uint line = positions_of(outer, index / pairs).at[0];
  const uint lower = lower_of_pair(index % pairs, step.reach);
  device uint* own = order + (index / pairs) * parameters.padded;
  const uint i = own[lower];
  const uint k = own[lower + step.reach];
  if (swaps(x, line, parameters, lower, step.span, i, k)) {
    own[lower] = k;
    own[lower + step.reach] = i;
  }
}

template <typename T>
[[kernel]] void order_finish(device const T* x [[buffer(0)]], device T* values [[buffer(1)]],
                             device long* positions [[buffer(2)]],
                             device const uint* order [[buffer(3)]],
                             constant Axes& outer [[buffer(4)]],
                             constant OrderParameters& parameters [[buffer(5)]],
                             uint index [[thread_position_in_grid]]) {
  const uint line = index / parameters.wanted;
  const uint rank = index % parameters.wanted;
  const Positions at = positions_of(outer, line);
  write_element(x, values, positions, parameters, at, rank, order[line * parameters.padded + rank]);
}

template [[host_name("order_step_float")]] kernel decltype(order_step<float>) order_step<float>;
template [[host_name("order_step_half")]] kernel decltype(order_step<half>) order_step<half>;
template [[host_name("order_step_char")]] kernel decltype(order_step<char>) order_step<char>;
template [[host_name("order_step_uchar")]] kernel decltype(order_step<uchar>) order_step<uchar>;
template [[host_name("order_step_short")]] kernel decltype(order_step<short>) order_step<short>;
template [[host_name("order_step_int")]] kernel decltype(order_step<int>) order_step<int>;
template [[host_name("order_step_long")]] kernel decltype(order_step<long>) order_step<long>;
template [[host_name("order_finish_float")]] kernel decltype(order_finish<float>)
    order_finish<float>;
template [[host_name("order_finish_half")]] kernel decltype(order_finish<half>) order_finish<half>;
template [[host_name("order_finish_char")]] kernel decltype(order_finish<char>) order_finish<char>;
template [[host_name("order_finish_uchar")]] kernel decltype(order_finish<uchar>)
    order_finish<uchar>;
template [[host_name("order_finish_short")]] kernel decltype(order_finish<short>)
    order_finish<short>;
template [[host_name("order_finish_int")]] kernel decltype(order_finish<int>) order_finish<int>;
template [[host_name("order_finish_long")]] kernel decltype(order_finish<long>) order_finish<long>;
