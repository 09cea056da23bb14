// Elements written at indices. Where several go to one position, the last one counts, or all of
// them are joined in their order: the same bits in every run.
#include <metal_stdlib>
#include "long_sum.h"
#include "tuple.h"
using namespace metal;

// To write the last one: first each update claims its position by its number, and the highest
// stays. `axes` walks the updates: operand 0 is the tuples, 1 the updates, 2 the result and 3 the
// owners, both without the axes that tuples name.
template <typename I>
[[kernel]] void scatter_claim(device const I* indices [[buffer(0)]],
                              device atomic_uint* owners [[buffer(1)]],
                              constant Axes& axes [[buffer(2)]],
                              constant Tuple& tuple [[buffer(3)]],
                              device Faults* faults [[buffer(4)]],
                              uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const Named named = named_by(indices, positions.at[0], tuple, faults);
  atomic_fetch_max_explicit(&owners[positions.at[3] + named.at[1]], index + 1, memory_order_relaxed);
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
  const Positions positions = positions_of(axes, index);
  const Named named = named_by(indices, positions.at[0], tuple, faults);
  if (owners[positions.at[3] + named.at[1]] == index + 1) {
    y[positions.at[2] + named.at[0]] = x[positions.at[1]];
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

// What has no rounding to keep is the sum alone.
template <typename W>
inline LongSum<W> long_sum_from(W x) {
  return {x, W(0)};
}
template <typename W>
inline LongSum<W> joined_to(LongSum<W> old, uint operation, W update) {
  if (operation == 0) return plus(old, update);
  return {joined(operation, old.sum, update), W(0)};
}

// Updates that may share a position stand in a line: `meeting` walks along it, operand 0 the
// indices and 1 the updates; `lines` walks the lines, likewise, and in operand 2 the result without
// the axes that are named; and `shared` walks what is written alike at each position, operand 0 in
// the updates and 1 in the result. First the place that each update of a line goes to.
template <typename I>
[[kernel]] void scatter_name(device const I* indices [[buffer(0)]],
                             device int* named [[buffer(1)]], constant Axes& lines [[buffer(2)]],
                             constant Axes& meeting [[buffer(3)]],
                             constant Tuple& tuple [[buffer(4)]],
                             device Faults* faults [[buffer(5)]],
                             uint index [[thread_position_in_grid]]) {
  const uint line = positions_of(lines, index / meeting.count).at[0];
  const uint along = positions_of(meeting, index % meeting.count).at[0];
  named[index] = int(named_by(indices, line + along, tuple, faults).at[0]);
}

template [[host_name("scatter_name_int")]] kernel decltype(scatter_name<int>) scatter_name<int>;
template [[host_name("scatter_name_long")]] kernel decltype(scatter_name<long>) scatter_name<long>;

// What a thread joins: the updates of one position, which the first of them stands for.
struct JoinedAt {
  uint line;       // the number of its first update
  uint rank;       // in the line
  uint update;     // where the line's updates begin
  uint result;     // where the line's results begin
};

inline JoinedAt joined_at(constant Axes& lines, constant Axes& meeting, constant Axes& shared,
                          uint index) {
  const uint rank = index / shared.count;
  const uint line = rank / meeting.count;
  const Positions positions = positions_of(lines, line);
  const Positions within = positions_of(shared, index % shared.count);
  return {line * meeting.count, rank % meeting.count, positions.at[1] + within.at[0],
          positions.at[2] + within.at[1]};
}

// Short lines: a thread looks for its position in the whole line.
template <typename T>
[[kernel]] void scatter_few(device const int* named [[buffer(0)]], device const T* x [[buffer(1)]],
                            device T* y [[buffer(2)]], constant Axes& lines [[buffer(3)]],
                            constant Axes& meeting [[buffer(4)]],
                            constant Axes& shared [[buffer(5)]],
                            constant uint& operation [[buffer(6)]],
                            uint index [[thread_position_in_grid]]) {
  const JoinedAt at = joined_at(lines, meeting, shared, index);
  const int position = named[at.line + at.rank];
  for (uint i = 0; i < at.rank; ++i) {
    if (named[at.line + i] == position) return;
  }
  auto result = long_sum_from(widened(y[at.result + uint(position)]));
  for (uint i = at.rank; i < meeting.count; ++i) {
    if (named[at.line + i] != position) continue;
    const T update = x[at.update + positions_of(meeting, i).at[1]];
    result = joined_to(result, operation, widened(update));
  }
  y[at.result + uint(position)] = T(total(result));
}

template [[host_name("scatter_few_float")]] kernel decltype(scatter_few<float>) scatter_few<float>;
template [[host_name("scatter_few_half")]] kernel decltype(scatter_few<half>) scatter_few<half>;
template [[host_name("scatter_few_char")]] kernel decltype(scatter_few<char>) scatter_few<char>;
template [[host_name("scatter_few_uchar")]] kernel decltype(scatter_few<uchar>) scatter_few<uchar>;
template [[host_name("scatter_few_short")]] kernel decltype(scatter_few<short>) scatter_few<short>;
template [[host_name("scatter_few_int")]] kernel decltype(scatter_few<int>) scatter_few<int>;
template [[host_name("scatter_few_long")]] kernel decltype(scatter_few<long>) scatter_few<long>;

// Long lines, whose updates `order` has by position, those of one position in their own order.
template <typename T>
[[kernel]] void scatter_ordered(
    device const int* named [[buffer(0)]], device const T* x [[buffer(1)]],
    device T* y [[buffer(2)]], constant Axes& lines [[buffer(3)]],
    constant Axes& meeting [[buffer(4)]], constant Axes& shared [[buffer(5)]],
    constant uint& operation [[buffer(6)]], device const long* order [[buffer(7)]],
    uint index [[thread_position_in_grid]]) {
  const JoinedAt at = joined_at(lines, meeting, shared, index);
  const int position = named[at.line + uint(order[at.line + at.rank])];
  if (at.rank > 0 && named[at.line + uint(order[at.line + at.rank - 1])] == position) return;
  auto result = long_sum_from(widened(y[at.result + uint(position)]));
  for (uint i = at.rank; i < meeting.count; ++i) {
    const uint number = uint(order[at.line + i]);
    if (named[at.line + number] != position) break;
    const T update = x[at.update + positions_of(meeting, number).at[1]];
    result = joined_to(result, operation, widened(update));
  }
  y[at.result + uint(position)] = T(total(result));
}

template [[host_name("scatter_ordered_float")]] kernel decltype(scatter_ordered<float>)
    scatter_ordered<float>;
template [[host_name("scatter_ordered_half")]] kernel decltype(scatter_ordered<half>)
    scatter_ordered<half>;
template [[host_name("scatter_ordered_char")]] kernel decltype(scatter_ordered<char>)
    scatter_ordered<char>;
template [[host_name("scatter_ordered_uchar")]] kernel decltype(scatter_ordered<uchar>)
    scatter_ordered<uchar>;
template [[host_name("scatter_ordered_short")]] kernel decltype(scatter_ordered<short>)
    scatter_ordered<short>;
template [[host_name("scatter_ordered_int")]] kernel decltype(scatter_ordered<int>)
    scatter_ordered<int>;
template [[host_name("scatter_ordered_long")]] kernel decltype(scatter_ordered<long>)
    scatter_ordered<long>;
