// softmax(q k^T) v for each of a batch, the scores scaled and masked, and never in memory: a group
// has some rows of q and goes over the keys tile by tile. What it has of the result is, after each
// tile, the mean of the values so far, by their weights among the keys so far. Sums are float32;
// scores are rounded to the tensors' type where the single ops would do it. Numbers and masks may
// be float32 where the tensors are narrower.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "nan_max.h"
using namespace metal;

constant constexpr uint attention_threads = 128;

// As ops/attention/attention.cpp fills it in.
struct AttentionParameters {
  uint queries;
  uint keys;
  uint depth;    // of a query and a key
  uint columns;  // of a value
  int q_row, q_depth;
  int k_depth, k_key;
  int v_key, v_column;
  int y_row, y_column;
  int mask_row, mask_key;
  int condition_row, condition_key;
  uint has_mask;       // to be added
  uint has_condition;  // where it is `fills_where`, the score is the fill
  uint fills_where;
  uint fill_offset;
  uint scalings[3];  // of q, k and the scores: 0 none, 1 a factor, 2 a divisor
  uint scale_offsets[3];
  uint wide_operands;  // a bit a step: what is read is float32
  uint wide_results;   // likewise: what is made is not rounded
};

// Steps: the scalings by their number, and
constant constexpr uint step_of_fill = 3;
constant constexpr uint step_of_mask = 4;
constant constexpr uint step_of_product = 5;

template <typename T>
inline float operand(device const T* x, uint position, uint step, constant AttentionParameters& p) {
  const bool is_wide = (p.wide_operands >> step & 1) != 0;
  return is_wide ? reinterpret_cast<device const float*>(x)[position] : float(x[position]);
}

template <typename T>
inline float rounded(float x, uint step, constant AttentionParameters& p) {
  return (p.wide_results >> step & 1) != 0 ? x : float(T(x));
}

template <typename T>
inline float scaled(float x, device const T* scale, uint which, constant AttentionParameters& p) {
  if (p.scalings[which] == 0) return x;
  const float by = operand(scale, p.scale_offsets[which], which, p);
  return rounded<T>(p.scalings[which] == 1 ? x * by : x / by, which, p);
}

// `at` is where the batch's part begins: in the mask, in the condition.
template <typename T>
inline float masked(float score, Positions at, uint row, uint key, device const T* mask,
                    device const uchar* condition, device const T* fill,
                    constant AttentionParameters& p) {
  if (p.has_condition != 0) {
    const uint position = at.at[1] + row * uint(p.condition_row) + key * uint(p.condition_key);
    const bool is_filled = (condition[position] != 0) == (p.fills_where != 0);
    if (is_filled) score = operand(fill, p.fill_offset, step_of_fill, p);
    score = rounded<T>(score, step_of_fill, p);
  }
  if (p.has_mask == 0) return score;
  const uint position = at.at[0] + row * uint(p.mask_row) + key * uint(p.mask_key);
  return rounded<T>(score + operand(mask, position, step_of_mask, p), step_of_mask, p);
}

// A mean of which `factor` stays and to which a tile adds `part`, what its keys weigh times their
// values. A tile of little weight moves the mean by little, which loses fewer digits than scaling
// it.
inline LongSum<float> moved_mean(LongSum<float> mean, float part, float factor, float weight) {
  if (weight < 0.5f && isfinite(mean.sum)) return plus(mean, part - total(mean) * weight);
  return plus({mean.sum * factor, mean.lost * factor}, part);
}

// `batch` walks q, k, v and y, `masks` the mask and the condition. Up to `depth` elements in a
// query and in a value; `rows` of q a group, `keys` a tile.
template <typename T, uint depth, uint rows, uint keys>
[[kernel]] void attention(
    device const T* q [[buffer(0)]], device const T* k [[buffer(1)]],
    device const T* v [[buffer(2)]], device T* y [[buffer(3)]],
    device const T* mask [[buffer(4)]], device const uchar* condition [[buffer(5)]],
    device const T* fill [[buffer(6)]], device const T* q_scale [[buffer(7)]],
    device const T* k_scale [[buffer(8)]], device const T* scale [[buffer(9)]],
    constant Axes& batch [[buffer(10)]], constant Axes& masks [[buffer(11)]],
    constant AttentionParameters& p [[buffer(12)]], uint group [[threadgroup_position_in_grid]],
    uint index [[thread_position_in_threadgroup]]) {
  threadgroup float queries[rows * depth];
  threadgroup float tile[depth * (keys + 1)];  // of k, turned, then of v
  threadgroup float scores[rows * keys];
  threadgroup float largest_parts[attention_threads];
  threadgroup float sum_parts[attention_threads];
  threadgroup float factors[rows];  // what the keys so far weigh among them and the tile's
  threadgroup float weights[rows];  // what the tile's do

  const uint blocks = (p.queries + rows - 1) / rows;
  const Positions at = positions_of(batch, group / blocks);
  const Positions at_masks = positions_of(masks, group / blocks);
  const uint first = group % blocks * rows;
  for (uint i = index; i < rows * p.depth; i += attention_threads) {
    const uint row = i / p.depth;
    const uint along = i % p.depth;
    float query = 0;
    if (first + row < p.queries) {
      query = float(q[at.at[0] + (first + row) * uint(p.q_row) + along * uint(p.q_depth)]);
      query = scaled(query, q_scale, 0, p);
    }
    queries[row * depth + along] = query;
  }

  // Scores: a thread has one key of a tile, and every row_step-th row. Weights: some threads, the
  // lanes, share a row. Results: a thread has the elements index, index + attention_threads, ...
  constexpr uint row_step = attention_threads / keys;
  constexpr uint lanes = attention_threads / rows;
  constexpr uint results_each = rows * depth / attention_threads;
  const uint own_key = index % keys;
  const uint own_row = index / lanes;
  const uint lane = index % lanes;
  float largest = -INFINITY;  // of the row's scores so far
  LongSum<float> sum = {0, 0};  // of their powers
  LongSum<float> results[results_each];
  for (uint j = 0; j < results_each; ++j) results[j] = {0, 0};

  for (uint from = 0; from < p.keys; from += keys) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint i = index; i < keys * p.depth; i += attention_threads) {
      const uint key = i / p.depth;
      const uint along = i % p.depth;
      float number = 0;
      if (from + key < p.keys) {
        number = float(k[at.at[1] + (from + key) * uint(p.k_key) + along * uint(p.k_depth)]);
        number = scaled(number, k_scale, 1, p);
      }
      tile[along * (keys + 1) + key] = number;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    float products[rows / row_step];
    for (uint j = 0; j < rows / row_step; ++j) products[j] = 0;
    for (uint along = 0; along < p.depth; ++along) {
      const float number = tile[along * (keys + 1) + own_key];
      for (uint j = 0; j < rows / row_step; ++j) {
        products[j] += queries[(index / keys + j * row_step) * depth + along] * number;
      }
    }
    for (uint j = 0; j < rows / row_step; ++j) {
      const uint row = index / keys + j * row_step;
      float score = -INFINITY;
      if (first + row < p.queries && from + own_key < p.keys) {
        score = scaled(rounded<T>(products[j], step_of_product, p), scale, 2, p);
        score = masked(score, at_masks, first + row, from + own_key, mask, condition, fill, p);
      }
      scores[row * keys + own_key] = score;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint i = index; i < keys * p.columns; i += attention_threads) {
      const uint key = i / p.columns;
      const uint column = i % p.columns;
      float number = 0;
      if (from + key < p.keys) {
        number = float(v[at.at[2] + (from + key) * uint(p.v_key) + column * uint(p.v_column)]);
      }
      tile[key * depth + column] = number;
    }
    float largest_part = -INFINITY;
    for (uint i = lane; i < keys; i += lanes) {
      largest_part = larger(largest_part, scores[own_row * keys + i]);
    }
    largest_parts[index] = largest_part;
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const float before = largest;
    for (uint i = 0; i < lanes; ++i) largest = larger(largest, largest_parts[own_row * lanes + i]);
    // While all keys are masked their powers are 0.
    const float base = largest == -INFINITY ? 0.0f : largest;
    float sum_part = 0;
    for (uint i = lane; i < keys; i += lanes) {
      const float power = exp(scores[own_row * keys + i] - base);
      scores[own_row * keys + i] = power;
      sum_part += power;
    }
    sum_parts[index] = sum_part;
    threadgroup_barrier(mem_flags::mem_threadgroup);

    const float fading = exp(before - base);
    sum = {sum.sum * fading, sum.lost * fading};
    const float kept = total(sum);
    float added = 0;
    for (uint i = 0; i < lanes; ++i) added += sum_parts[own_row * lanes + i];
    sum = plus(sum, added);
    // A row with all of its keys masked is 0 / 0 in the end.
    const float whole = total(sum);
    const float divisor = whole == 0 && from + keys < p.keys ? 1.0f : whole;
    for (uint i = lane; i < keys; i += lanes) scores[own_row * keys + i] /= divisor;
    if (lane == 0) {
      factors[own_row] = kept / divisor;
      weights[own_row] = added / divisor;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    float parts[results_each];
    for (uint j = 0; j < results_each; ++j) parts[j] = 0;
    for (uint key = 0; key < keys; ++key) {
      for (uint j = 0; j < results_each; ++j) {
        const uint position = index + j * attention_threads;
        parts[j] += scores[position / depth * keys + key] * tile[key * depth + position % depth];
      }
    }
    for (uint j = 0; j < results_each; ++j) {
      const uint row = (index + j * attention_threads) / depth;
      results[j] = moved_mean(results[j], parts[j], factors[row], weights[row]);
    }
  }

  for (uint j = 0; j < results_each; ++j) {
    const uint position = index + j * attention_threads;
    const uint row = first + position / depth;
    const uint column = position % depth;
    if (row < p.queries && column < p.columns) {
      y[at.at[3] + row * uint(p.y_row) + column * uint(p.y_column)] = T(total(results[j]));
    }
  }
}

template [[host_name("attention_float_64_32")]] kernel decltype(
    attention<float, 64, 32, 32>) attention<float, 64, 32, 32>;
template [[host_name("attention_float_64_4")]] kernel decltype(
    attention<float, 64, 4, 32>) attention<float, 64, 4, 32>;
template [[host_name("attention_float_128_16")]] kernel decltype(
    attention<float, 128, 16, 16>) attention<float, 128, 16, 16>;
template [[host_name("attention_float_128_4")]] kernel decltype(
    attention<float, 128, 4, 32>) attention<float, 128, 4, 32>;
template [[host_name("attention_float_256_8")]] kernel decltype(
    attention<float, 256, 8, 16>) attention<float, 256, 8, 16>;
template [[host_name("attention_half_64_32")]] kernel decltype(
    attention<half, 64, 32, 32>) attention<half, 64, 32, 32>;
template [[host_name("attention_half_64_4")]] kernel decltype(
    attention<half, 64, 4, 32>) attention<half, 64, 4, 32>;
template [[host_name("attention_half_128_16")]] kernel decltype(
    attention<half, 128, 16, 16>) attention<half, 128, 16, 16>;
template [[host_name("attention_half_128_4")]] kernel decltype(
    attention<half, 128, 4, 32>) attention<half, 128, 4, 32>;
template [[host_name("attention_half_256_8")]] kernel decltype(
    attention<half, 256, 8, 16>) attention<half, 256, 8, 16>;

#if __METAL_VERSION__ >= 310
template [[host_name("attention_bfloat_64_32")]] kernel decltype(
    attention<bfloat, 64, 32, 32>) attention<bfloat, 64, 32, 32>;
template [[host_name("attention_bfloat_64_4")]] kernel decltype(
    attention<bfloat, 64, 4, 32>) attention<bfloat, 64, 4, 32>;
template [[host_name("attention_bfloat_128_16")]] kernel decltype(
    attention<bfloat, 128, 16, 16>) attention<bfloat, 128, 16, 16>;
template [[host_name("attention_bfloat_128_4")]] kernel decltype(
    attention<bfloat, 128, 4, 32>) attention<bfloat, 128, 4, 32>;
template [[host_name("attention_bfloat_256_8")]] kernel decltype(
    attention<bfloat, 256, 8, 16>) attention<bfloat, 256, 8, 16>;
#endif
