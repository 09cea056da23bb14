#include <switchyard/nn/attention.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/require.hpp"
#include "nn/new_parameter.hpp"
#include "types/describe.hpp"

namespace switchyard::nn {
namespace {

/// Bools that are true where not to look, as numbers to be added.
Tensor additive(const Tensor& mask, const Tensor& like) {
  if (mask.dtype() != DType::bool_) return mask;
  return masked_fill(like.new_full(mask.shape(), 0.0), mask,
                     -std::numeric_limits<double>::infinity());
}

/// [N, 1, 1, S] of [N, S].
Tensor over_keys(const Tensor& padding) { return padding.unsqueeze(1).unsqueeze(1); }

/// [L, S] as it is, [N heads, L, S] as [N, heads, L, S].
Tensor over_pairs(const Tensor& mask, std::int64_t heads) {
  if (mask.dim() == 2) return mask;
  require_rank("MultiheadAttention", mask, 3, 3);
  return mask.reshape({mask.size(0) / heads, heads, mask.size(1), mask.size(2)});
}

/// Both masks as one, in the sense of modules: true is where not to look, numbers are added.
Tensor combined(const MultiheadAttentionForwardOptions& how, std::int64_t heads,
                const Tensor& like) {
  if (!how.attn_mask.defined() && !how.key_padding_mask.defined()) return {};
  if (!how.key_padding_mask.defined()) return over_pairs(how.attn_mask, heads);
  const Tensor keys = over_keys(how.key_padding_mask);
  if (!how.attn_mask.defined()) return keys;
  const Tensor pairs = over_pairs(how.attn_mask, heads);
  if (keys.dtype() == DType::bool_ && pairs.dtype() == DType::bool_) return logical_or(keys, pairs);
  return additive(keys, like) + additive(pairs, like);
}

/// [N, L, E] as [N, heads, L, E / heads].
Tensor split_heads(const Tensor& x, std::int64_t heads) {
  return x.reshape({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

bool is_same(const Tensor& a, const Tensor& b) { return a.impl() == b.impl(); }

}  // namespace

struct MultiheadAttention::Heads {
  Tensor query, key, value;  // [N, heads, L or S, E / heads]
};

MultiheadAttention::MultiheadAttention(Int embed_dim, Int num_heads,
                                       const MultiheadAttentionOptions& options)
    : out_proj(embed_dim, embed_dim, {.bias = options.bias}),
      embed_dim(embed_dim),
      num_heads(num_heads),
      options(options) {
  if (num_heads < 1 || embed_dim % num_heads != 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[MultiheadAttention] {} features cannot be cut into {} heads",
                            embed_dim, num_heads));
  }
  const std::int64_t kdim = options.kdim > 0 ? options.kdim : this->embed_dim;
  const std::int64_t vdim = options.vdim > 0 ? options.vdim : this->embed_dim;
  if (kdim == embed_dim && vdim == embed_dim) {
    in_proj_weight = register_parameter("in_proj_weight", empty({3 * embed_dim, embed_dim}));
    init::xavier_uniform_(in_proj_weight);
  } else {
    q_proj_weight = register_parameter("q_proj_weight", empty({embed_dim, embed_dim}));
    k_proj_weight = register_parameter("k_proj_weight", empty({embed_dim, kdim}));
    v_proj_weight = register_parameter("v_proj_weight", empty({embed_dim, vdim}));
    for (const Tensor& w : {q_proj_weight, k_proj_weight, v_proj_weight}) init::xavier_uniform_(w);
  }
  in_proj_bias =
      register_parameter("in_proj_bias", filled_parameter({3 * embed_dim}, 0, options.bias));
  if (out_proj.bias.defined()) init::zeros_(out_proj.bias);
  register_module("out_proj", out_proj);
}

MultiheadAttention::Heads MultiheadAttention::project(const Tensor& query, const Tensor& key,
                                                      const Tensor& value) const {
  if (in_proj_weight.defined() && is_same(query, key) &&
      is_same(key, value)) {  // one product for all three
    const std::vector<Tensor> parts = chunk(linear(query, in_proj_weight, in_proj_bias), 3, -1);
    return {split_heads(parts[0], num_heads), split_heads(parts[1], num_heads),
            split_heads(parts[2], num_heads)};
  }
  std::vector<Tensor> weights{q_proj_weight, k_proj_weight, v_proj_weight};
  if (in_proj_weight.defined()) weights = chunk(in_proj_weight, 3);
  std::vector<Tensor> biases(3);
  if (in_proj_bias.defined()) biases = chunk(in_proj_bias, 3);
  return {split_heads(linear(query, weights[0], biases[0]), num_heads),
          split_heads(linear(key, weights[1], biases[1]), num_heads),
          split_heads(linear(value, weights[2], biases[2]), num_heads)};
}

AttentionOutput MultiheadAttention::attend(const Tensor& query, const Tensor& key,
                                           const Tensor& value,
                                           const MultiheadAttentionForwardOptions& how) {
  const Heads heads = project(query, key, value);
  const double dropped = is_training() ? options.dropout : 0;
  const Tensor mask = combined(how, num_heads, query);
  Tensor mixed, weights;
  if (how.need_weights) {
    const double scale = 1 / std::sqrt(static_cast<double>(embed_dim / num_heads));
    Tensor scores = matmul(heads.query * scale, heads.key.transpose(-2, -1));
    if (mask.defined()) scores = scores + additive(mask, query);
    weights = switchyard::dropout(softmax(scores, -1), dropped, dropped > 0);
    mixed = matmul(weights, heads.value);
    if (how.average_attn_weights) weights = weights.mean(Dims{1});
  } else {
    const bool is_bools = mask.defined() && mask.dtype() == DType::bool_;
    mixed = scaled_dot_product_attention(
        heads.query, heads.key, heads.value,
        {.dropout = dropped, .mask = is_bools ? logical_not(mask) : mask});
  }
  const Dims joined{query.size(0), query.size(1), embed_dim};
  return {out_proj(mixed.transpose(1, 2).reshape(joined)), weights};
}

AttentionOutput MultiheadAttention::operator()(const Tensor& query, const Tensor& key,
                                               const Tensor& value,
                                               const MultiheadAttentionForwardOptions& how) {
  require_rank("MultiheadAttention", query, 2, 3);
  const bool is_batch = query.dim() == 3;
  const bool self = is_same(query, key) && is_same(key, value);
  MultiheadAttentionForwardOptions as_batch = how;
  if (!is_batch && how.key_padding_mask.defined()) {
    as_batch.key_padding_mask = how.key_padding_mask.unsqueeze(0);
  }
  const auto arranged = [&](const Tensor& x) {
    if (!is_batch) return x.unsqueeze(0);
    return options.batch_first ? x : x.transpose(0, 1);
  };
  const Tensor q = arranged(query);
  const Tensor k = self ? q : arranged(key);
  const Tensor v = self ? q : is_same(key, value) ? k : arranged(value);
  AttentionOutput attended = attend(q, k, v, as_batch);
  if (!is_batch) {
    attended.output = attended.output.squeeze(0);
    if (attended.weights.defined()) attended.weights = attended.weights.squeeze(0);
  } else if (!options.batch_first) {
    attended.output = attended.output.transpose(0, 1);
  }
  return attended;
}

Tensor MultiheadAttention::forward(const Tensor& x) {
  return (*this)(x, x, x, {.need_weights = false}).output;
}

}  // namespace switchyard::nn
