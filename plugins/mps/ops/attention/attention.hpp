// softmax(q k^T) v as one kernel, by kernels/attention.metal: what programs find in their nodes.
#pragma once

#include <cstdint>

#include "ops/kernel.hpp"

namespace mps {

// Elements of a query, a key or a value that the kernels have room for.
inline constexpr int64_t most_attended_depth = 256;

// A tensor of one element that others are multiplied with, or divided by.
struct Scaling {
  const Tensor* by = nullptr;  // null: nothing is scaled
  bool divides = false;
};

// Steps on the way to the scores, in the order of kernels/attention.metal's bits.
enum class AttentionStep : uint8_t {
  scaled_query,
  scaled_key,
  scaled_scores,
  filled,
  masked,
  product
};
constexpr uint32_t attention_bit(AttentionStep step) { return 1u << static_cast<uint32_t>(step); }

// Query, key, value and output are of one floating type, the condition is boolean, and each of the
// others is of that type or float32. Ranks are 2 at least; the axes before the last two broadcast
// to the output's.
struct AttentionTensors {
  const Tensor* query = nullptr;   // [..., queries, depth]
  const Tensor* key = nullptr;     // [..., depth, keys]
  const Tensor* value = nullptr;   // [..., keys, columns]
  const Tensor* output = nullptr;  // [..., queries, columns]
  Scaling query_scaling, key_scaling, score_scaling;
  // Broadcast to [..., queries, keys]. First the condition: where it is `fills_where` the fill, a
  // tensor of one element, stands for the score. Then the mask is added. Null: not there.
  const Tensor* condition = nullptr;
  const Tensor* fill = nullptr;
  bool fills_where = true;
  const Tensor* mask = nullptr;
  // Bits of the steps whose result stays float32; the others' are rounded to the one type.
  uint32_t wide_results = 0;
};

// True if the kernel takes such sizes; none of them is 0.
bool fits_attention(int64_t batch, int64_t queries, int64_t keys, int64_t depth, int64_t columns);

// Throws sy::unsupported for views beyond the kernels' 32 bits.
void encode_attention(Device& device, Stream& stream, const AttentionTensors& tensors);

}  // namespace mps
