// Gradients of what transformers are made of.
#include <cmath>
#include <limits>
#include <switchyard/functions.hpp>

#include "functions/calls/options_like.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "gradients/rules/taps.hpp"

namespace switchyard {
namespace {

/// [batch, length, heads * width] as [batch, heads, length, width].
Tensor by_heads(const Tensor& x, std::int64_t heads) {
  if (x.dim() == 4) return x;
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

/// The backward pass.
Tensor side_by_side(const Tensor& x) {
  return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

/// Each head `times` times, one behind the other.
Tensor repeated_heads(const Tensor& x, std::int64_t times) {
  if (times == 1) return x;
  const Dims each{x.size(0), x.size(1), times, x.size(2), x.size(3)};
  return reshape(expand(unsqueeze(x, 2), each),
                 {x.size(0), x.size(1) * times, x.size(2), x.size(3)});
}

bool has(std::span<const Tensor> in, std::size_t i) { return i < in.size() && in[i].defined(); }

Tensor joined(std::span<const Tensor> in, std::size_t past, const Tensor& now) {
  return has(in, past) ? cat({in[past], now}, 2) : now;
}

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// A mask that is shorter than the scores, but for 1, hides what it lacks.
Tensor masked(const Tensor& scores, const Tensor& mask) {
  const bool is_flag = mask.dtype() == DType::bool_;
  Tensor whole = is_flag ? mask : mask.to(scores.dtype());
  const std::int64_t own = mask.dim() == 0 ? 1 : mask.size(-1);
  if (own != 1 && own < scores.size(-1)) {
    Dims rest = mask.shape();
    rest[rest.size() - 1] = scores.size(-1) - own;
    const Tensor hidden = is_flag
                              ? whole.detach().new_full(rest, false, {.dtype = DType::bool_})
                              : whole.detach().new_full(rest, kNever, {.dtype = scores.dtype()});
    whole = cat({whole, hidden}, -1);
  }
  return is_flag ? where(whole, scores, kNever) : add(scores, whole);
}

Tensor hide_future(const Tensor& scores, std::int64_t past) {
  const Dims plane{scores.size(-2), scores.size(-1)};
  return where(tril(scores.detach().new_full(plane, true, {.dtype = DType::bool_}), past), scores,
               kNever);
}

/// Keys from each sample's length on.
Tensor hide_padding(const Tensor& scores, const Tensor& lengths) {
  const Tensor positions =
      cumsum(lengths.detach().new_full({scores.size(-1)}, 1, {.dtype = DType::int64}), 0);
  return where(le(positions, reshape(lengths, {-1, 1, 1, 1})), scores, kNever);
}

/// Nothing flows through the scores that the op may give besides.
std::vector<Tensor> attention(const Backward& step, std::span<const Tensor> in) {
  const Attributes& attributes = step.attributes();
  const Tensor q = widened(by_heads(in[0], attributes.get_int("q_num_heads", 1)));
  const Tensor key = joined(in, 4, by_heads(in[1], attributes.get_int("kv_num_heads", 1)));
  const Tensor value = joined(in, 5, by_heads(in[2], attributes.get_int("kv_num_heads", 1)));
  const std::int64_t times = q.size(1) / key.size(1);
  const double scale = attributes.has("scale") ? attributes.get_float("scale", 1)
                                               : 1 / std::sqrt(static_cast<double>(q.size(3)));
  const Tensor k = repeated_heads(widened(key), times);
  Tensor scores = matmul(mul(q, scale), transpose(k, -2, -1));
  if (const double cap = attributes.get_float("softcap", 0); cap > 0) {
    scores = mul(tanh(div(scores, cap)), cap);
  }
  if (has(in, 3)) scores = masked(scores, in[3]);
  if (attributes.get_int("is_causal", 0) != 0) {
    scores = hide_future(scores, has(in, 4) ? in[4].size(2) : 0);
  }
  if (has(in, 6)) scores = hide_padding(scores, in[6]);
  const Tensor y = matmul(softmax(scores, -1), repeated_heads(widened(value), times));
  const Tensor laid = in[0].dim() == 4 ? y : side_by_side(y);
  return {laid.to(in[0].dtype()), key, value, Tensor()};
}

std::vector<Tensor> rotary_embedding(const Backward& step, std::span<const Tensor> in) {
  const Attributes& attributes = step.attributes();
  const Tensor x = widened(by_heads(in[0], attributes.get_int("num_heads", 1)));
  const std::int64_t width = x.size(3);
  std::int64_t rotated = attributes.get_int("rotary_embedding_dim", 0);
  if (rotated == 0) rotated = width;
  const auto angles = [&](const Tensor& cache) {
    if (!has(in, 3)) return unsqueeze(widened(cache), 1);
    const Tensor rows = select_slices(widened(cache), 0, reshape(in[3], {-1}));
    return reshape(rows, {in[3].size(0), 1, in[3].size(1), rotated / 2});
  };
  const Tensor cosine = angles(in[1]), sine = angles(in[2]);
  const bool is_interleaved = attributes.get_int("interleaved", 0) != 0;
  const Tensor turning = narrow(x, 3, 0, rotated);
  const Dims pairs = is_interleaved ? Dims{x.size(0), x.size(1), x.size(2), rotated / 2, 2}
                                    : Dims{x.size(0), x.size(1), x.size(2), 2, rotated / 2};
  const std::int64_t of_pair = is_interleaved ? 4 : 3;
  const Tensor split = reshape(turning, pairs);
  const Tensor a = select(split, of_pair, 0), b = select(split, of_pair, 1);
  const Tensor first = sub(mul(cosine, a), mul(sine, b));
  const Tensor second = add(mul(sine, a), mul(cosine, b));
  const Tensor turned = reshape(
      cat({unsqueeze(first, of_pair), unsqueeze(second, of_pair)}, of_pair), turning.shape());
  const Tensor whole =
      rotated == width ? turned : cat({turned, narrow(x, 3, rotated, width - rotated)}, 3);
  return {(in[0].dim() == 4 ? whole : side_by_side(whole)).to(in[0].dtype())};
}

/// Rows of the cache that are written over, no more than it has.
std::vector<Tensor> tensor_scatter(const Backward& step, std::span<const Tensor> in) {
  const Tensor cache = in[0], update = in[1];
  std::int64_t axis = step.attributes().get_int("axis", -2);
  if (axis < 0) axis += cache.dim();
  if (update.size() == 0) return {cache};
  Tensor positions = counted_indices(update.size(axis), axis, cache.dim(), cache.detach());
  if (has(in, 2)) {
    Dims by_sample = Dims::filled(cache.shape().size(), 1);
    by_sample[0] = cache.size(0);
    positions = add(positions, reshape(in[2], by_sample));
  }
  const Tensor index = expand(remainder(positions, cache.size(axis)), update.shape());
  return {scatter_elements(cache, axis, index, update, "none")};
}

constexpr RuleRow kAttentionRules[] = {
    {"Attention", composite_gradient<attention>, kAll},
    {"RotaryEmbedding", composite_gradient<rotary_embedding>, kAll},
    {"TensorScatter", composite_gradient<tensor_scatter>, kAll},
};

}  // namespace

std::span<const RuleRow> attention_rules() { return kAttentionRules; }

}  // namespace switchyard
