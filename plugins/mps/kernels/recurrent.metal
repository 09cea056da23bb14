// The steps of RNN, GRU and LSTM, once the inputs' products are made. A group of `parts`
// threadgroups handles one entry of the batch in one direction; each SIMD group makes units of the
// state, its threads going along the rows of the state's matrix side by side.
#include <metal_stdlib>
#include "activation.h"
#include "axes.h"
#include "faults.h"
using namespace metal;

// What a dispatch does: all of it in one threadgroup an entry, or a step or half of one in many.
constant constexpr uint phase_begin = 1;
constant constexpr uint phase_gates = 2;
constant constexpr uint phase_hidden_gate = 4;  // GRU whose reset gate comes before the product
constant constexpr uint phase_end = 8;

// Which of the optional tensors there are.
constant constexpr uint has_bias = 1;
constant constexpr uint has_lengths = 2;
constant constexpr uint has_first_h = 4;
constant constexpr uint has_first_c = 8;
constant constexpr uint has_peepholes = 16;
constant constexpr uint has_y = 32;
constant constexpr uint has_last_h = 64;
constant constexpr uint has_last_c = 128;

struct ActivationParameters {
  uint function;  // a position in ops/recurrent/recurrent_activation.cpp's table
  float alpha;
  float beta;
};

// As ops/recurrent/recurrent.cpp fills it in. Strides are by direction, batch and unit, in that
// order, of Y by step first.
struct RecurrentParameters {
  uint steps, batch, hidden, directions;
  uint parts;
  uint phases;
  uint first_step, end_step;
  uint reversed;  // the first direction
  uint present;
  uint coupled;      // LSTM: the forget gate is what the input gate leaves
  uint reset_after;  // GRU: the reset gate comes after the product
  float clip;        // 0: none
  ActivationParameters activations[2][3];
  uint gate_step, gate_batch;  // rows of the inputs' products
  int r[3];                    // direction, row, column
  int bias[2];                 // direction, place
  int length;
  int first_h[3];
  int first_c[3];
  int peepholes[2];
  int y[4];
  int last_h[3];
  int last_c[3];
  uint r_at, bias_at, lengths_at, first_h_at, first_c_at, peepholes_at, y_at, last_h_at, last_c_at;
};

inline float activation(constant ActivationParameters& activation, float x) {
  const float alpha = activation.alpha, beta = activation.beta;
  switch (activation.function) {
    case 0: return sigmoid(x);
    case 1: return tanh(x);
    case 2: return positive_part(x);
    case 3: return alpha * x + beta;
    case 4: return x < 0 ? alpha * x : x;
    case 5: return x > alpha ? x : isnan(x) ? x : 0.0f;
    case 6: return alpha * tanh(beta * x);
    case 7: return bounded(alpha * x + beta, 0.0f, 1.0f);
    case 8: return x < 0 ? alpha * (exp(x) - 1.0f) : x;
    case 9: return x / (1.0f + abs(x));
    case 10: return isnan(x) ? x : softplus(x);
  }
  return NAN;
}

inline float clipped(float x, float clip) { return clip > 0 ? bounded(x, -clip, clip) : x; }

inline uint stepped(int stride, uint count) { return uint(stride * int(count)); }

// Of three axes, in elements.
inline uint placed(constant int* strides, uint direction, uint batch, uint unit) {
  return stepped(strides[0], direction) + stepped(strides[1], batch) + stepped(strides[2], unit);
}

// How far the pass has come: the steps that were really made before the i-th.
inline uint steps_before(uint i, uint length, bool reversed, uint steps) {
  if (!reversed) return min(i, length);
  return i + length > steps ? i + length - steps : 0;
}

// The entry's part of one slot of `state`. Slots 0 and 1 are h by turns, 2 is LSTM's c or GRU's
// update gate, 3 is GRU's h after its reset gate.
inline device float* slot(device float* state, uint number, uint entry,
                          constant RecurrentParameters& p) {
  return state + (number * p.directions * p.batch + entry) * p.hidden;
}

// What a thread is told: the tensors, and which entry of which step it works at.
template <typename T>
struct RecurrentView {
  device const T* r;
  device const T* bias;
  device const T* peepholes;
  device T* y;
  device const float* given;  // the inputs' products of this step
  device const float* h;
  device float* next;
  device float* kept;
  device float* reset;
  uint direction;
  uint y_at;  // of unit 0
};

// Units of one entry, shared out among threads or SIMD groups.
struct Share {
  uint first;
  uint step;
  uint lane;
};

template <typename T>
inline float bias_at(RecurrentView<T> view, constant RecurrentParameters& p, uint position) {
  if ((p.present & has_bias) == 0) return 0;
  return float(view.bias[p.bias_at + stepped(p.bias[0], view.direction) +
                         stepped(p.bias[1], position)]);
}

template <typename T>
inline float peephole_at(RecurrentView<T> view, constant RecurrentParameters& p, uint position) {
  if ((p.present & has_peepholes) == 0) return 0;
  return float(view.peepholes[p.peepholes_at + stepped(p.peepholes[0], view.direction) +
                              stepped(p.peepholes[1], position)]);
}

template <typename T>
inline void write_state(RecurrentView<T> view, constant RecurrentParameters& p, uint j, float h) {
  view.next[j] = h;
  if ((p.present & has_y) != 0) view.y[view.y_at + stepped(p.y[3], j)] = T(h);
}

inline float gate_value(constant RecurrentParameters& p, uint direction, uint function, float x) {
  return activation(p.activations[direction][function], clipped(x, p.clip));
}

// `sums` are the gates' whole sums but for the peepholes: input, output, forget, cell.
template <typename T>
inline void lstm_unit(RecurrentView<T> view, constant RecurrentParameters& p, uint j,
                      thread const float* sums) {
  const uint d = view.direction;
  const bool peeps = (p.present & has_peepholes) != 0;
  const float before = view.kept[j];
  float in = sums[0], out = sums[1], forget = sums[2];
  if (peeps) in += peephole_at(view, p, j) * before;
  if (peeps) forget += peephole_at(view, p, 2 * p.hidden + j) * before;
  in = gate_value(p, d, 0, in);
  forget = p.coupled != 0 ? 1.0f - in : gate_value(p, d, 0, forget);
  const float c = forget * before + in * gate_value(p, d, 1, sums[3]);
  if (peeps) out += peephole_at(view, p, p.hidden + j) * c;
  out = gate_value(p, d, 0, out);
  view.kept[j] = c;
  write_state(view, p, j, out * activation(p.activations[d][2], c));
}

// `given` are the inputs' parts of the gates, `sums` the state's: update, reset, hidden.
template <typename T>
inline void gru_unit(RecurrentView<T> view, constant RecurrentParameters& p, uint j,
                     thread const float* given, thread const float* sums) {
  const uint d = view.direction;
  const float update = gate_value(p, d, 0, given[0] + sums[0]);
  const float reset = gate_value(p, d, 0, given[1] + sums[1]);
  if (p.reset_after == 0) {
    view.kept[j] = update;
    view.reset[j] = reset * view.h[j];
    return;
  }
  const float fresh = gate_value(p, d, 1, given[2] + reset * sums[2]);
  write_state(view, p, j, (1.0f - update) * fresh + update * view.h[j]);
}

// The products of the state and what comes of them. `gates` is how many there are: 1 of RNN, 3 of
// GRU, 4 of LSTM.
template <typename T, uint gates>
inline void make_gates(RecurrentView<T> view, constant RecurrentParameters& p, Share share) {
  for (uint j = share.first; j < p.hidden; j += share.step) {
    float sums[4] = {0, 0, 0, 0};
    float given[4] = {0, 0, 0, 0};
    uint from[gates];
    for (uint g = 0; g < gates; ++g) {
      from[g] = p.r_at + stepped(p.r[0], view.direction) + stepped(p.r[1], g * p.hidden + j);
    }
    for (uint k = share.lane; k < p.hidden; k += 32) {
      const uint along = stepped(p.r[2], k);
      for (uint g = 0; g < gates; ++g) sums[g] += float(view.r[from[g] + along]) * view.h[k];
    }
    for (uint g = 0; g < gates; ++g) sums[g] = simd_sum(sums[g]);
    if (share.lane != 0) continue;
    for (uint g = 0; g < gates; ++g) {
      given[g] = view.given[g * p.hidden + j] + bias_at(view, p, g * p.hidden + j);
      sums[g] += bias_at(view, p, (gates + g) * p.hidden + j);
      if (gates != 3) sums[g] += given[g];
    }
    if (gates == 1) write_state(view, p, j, gate_value(p, view.direction, 0, sums[0]));
    if (gates == 3) gru_unit(view, p, j, given, sums);
    if (gates == 4) lstm_unit(view, p, j, sums);
  }
}

// GRU whose reset gate comes before the product: its hidden gate, and the state.
template <typename T>
inline void make_hidden_gate(RecurrentView<T> view, constant RecurrentParameters& p, Share share) {
  for (uint j = share.first; j < p.hidden; j += share.step) {
    const uint position = 2 * p.hidden + j;
    const uint from = p.r_at + stepped(p.r[0], view.direction) + stepped(p.r[1], position);
    float sum = 0;
    for (uint k = share.lane; k < p.hidden; k += 32) {
      sum += float(view.r[from + stepped(p.r[2], k)]) * view.reset[k];
    }
    sum = simd_sum(sum);
    if (share.lane != 0) continue;
    sum += view.given[position] + bias_at(view, p, position) + bias_at(view, p, 3 * p.hidden + position);
    const float fresh = gate_value(p, view.direction, 1, sum);
    write_state(view, p, j, (1.0f - view.kept[j]) * fresh + view.kept[j] * view.h[j]);
  }
}

template <typename T>
inline void begin_state(device const T* first_h, device const T* first_c, device float* h,
                        device float* kept, constant RecurrentParameters& p, uint direction,
                        uint b, Share share) {
  for (uint j = share.first; j < p.hidden; j += share.step) {
    const uint h_at = p.first_h_at + placed(p.first_h, direction, b, j);
    const uint c_at = p.first_c_at + placed(p.first_c, direction, b, j);
    h[j] = (p.present & has_first_h) != 0 ? float(first_h[h_at]) : 0.0f;
    kept[j] = (p.present & has_first_c) != 0 ? float(first_c[c_at]) : 0.0f;
  }
}

template <typename T>
inline void end_state(device T* last_h, device T* last_c, device const float* h,
                      device const float* kept, constant RecurrentParameters& p, uint direction,
                      uint b, Share share) {
  for (uint j = share.first; j < p.hidden; j += share.step) {
    const uint h_at = p.last_h_at + placed(p.last_h, direction, b, j);
    const uint c_at = p.last_c_at + placed(p.last_c, direction, b, j);
    if ((p.present & has_last_h) != 0) last_h[h_at] = T(h[j]);
    if ((p.present & has_last_c) != 0) last_c[c_at] = T(kept[j]);
  }
}

// A step beyond the sequence's end.
template <typename T>
inline void clear_output(device T* y, uint y_at, constant RecurrentParameters& p, Share share) {
  if ((p.present & has_y) == 0) return;
  for (uint j = share.first; j < p.hidden; j += share.step) y[y_at + stepped(p.y[3], j)] = T(0);
}

template <typename T, uint gates>
[[kernel]] void recurrent(
    device const float* products [[buffer(0)]], device const T* r [[buffer(1)]],
    device const T* bias [[buffer(2)]], device const int* lengths [[buffer(3)]],
    device const T* first_h [[buffer(4)]], device const T* first_c [[buffer(5)]],
    device const T* peepholes [[buffer(6)]], device float* state [[buffer(7)]],
    device T* y [[buffer(8)]], device T* last_h [[buffer(9)]], device T* last_c [[buffer(10)]],
    constant RecurrentParameters& p [[buffer(11)]], device Faults* faults [[buffer(12)]],
    uint group [[threadgroup_position_in_grid]], uint index [[thread_index_in_threadgroup]],
    uint threads [[threads_per_threadgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  const uint entry = group / p.parts, part = group % p.parts;
  const uint direction = entry / p.batch, b = entry % p.batch;
  const bool reversed = direction == 1 || p.reversed != 0;
  const Share by_thread = {part * threads + index, p.parts * threads, 0};
  const Share by_simdgroup = {part * simdgroups + simdgroup, p.parts * simdgroups, lane};
  uint length = p.steps;
  if ((p.present & has_lengths) != 0) {
    length = length_within(lengths[p.lengths_at + stepped(p.length, b)], p.steps, faults);
  }
  device float* kept = slot(state, 2, entry, p);

  if ((p.phases & phase_begin) != 0) {
    begin_state(first_h, first_c, slot(state, 0, entry, p), kept, p, direction, b, by_thread);
    threadgroup_barrier(mem_flags::mem_device);
  }

  const uint width = p.hidden * gates;
  for (uint i = p.first_step; i < p.end_step; ++i) {
    const uint step = reversed ? p.steps - 1 - i : i;
    const uint y_at = p.y_at + stepped(p.y[0], step) + stepped(p.y[1], direction) +
                      stepped(p.y[2], b);
    if (step >= length) {
      clear_output(y, y_at, p, by_thread);
      continue;
    }
    const uint turn = steps_before(i, length, reversed, p.steps) % 2;
    const uint row = step * p.gate_step + b * p.gate_batch;
    const RecurrentView<T> view = {r,
                                   bias,
                                   peepholes,
                                   y,
                                   products + (row * p.directions + direction) * width,
                                   slot(state, turn, entry, p),
                                   slot(state, 1 - turn, entry, p),
                                   kept,
                                   slot(state, 3, entry, p),
                                   direction,
                                   y_at};
    if ((p.phases & phase_gates) != 0) {
      make_gates<T, gates>(view, p, by_simdgroup);
      threadgroup_barrier(mem_flags::mem_device);
    }
    if ((p.phases & phase_hidden_gate) != 0) {
      make_hidden_gate(view, p, by_simdgroup);
      threadgroup_barrier(mem_flags::mem_device);
    }
  }

  if ((p.phases & phase_end) == 0) return;
  end_state(last_h, last_c, slot(state, length % 2, entry, p), kept, p, direction, b, by_thread);
}

template [[host_name("recurrent_1_float")]] kernel decltype(recurrent<float, 1>)
    recurrent<float, 1>;
template [[host_name("recurrent_3_float")]] kernel decltype(recurrent<float, 3>)
    recurrent<float, 3>;
template [[host_name("recurrent_4_float")]] kernel decltype(recurrent<float, 4>)
    recurrent<float, 4>;
template [[host_name("recurrent_1_half")]] kernel decltype(recurrent<half, 1>) recurrent<half, 1>;
template [[host_name("recurrent_3_half")]] kernel decltype(recurrent<half, 3>) recurrent<half, 3>;
template [[host_name("recurrent_4_half")]] kernel decltype(recurrent<half, 4>) recurrent<half, 4>;
