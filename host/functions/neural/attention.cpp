// Scaled dot-product attention.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

void check(const Tensor& query, const Tensor& key, const Tensor& value,
           const AttentionOptions& options) {
  for (const Tensor& x : {query, key, value}) {
    require_floating("scaled_dot_product_attention", x);
    if (x.dim() < 2) require_rank("scaled_dot_product_attention", x, 2, 8);
  }
  if (query.size(-1) != key.size(-1) || key.size(-2) != value.size(-2)) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[scaled_dot_product_attention] query {}, key {} and value {} must be "
                    "[..., L, E], [..., S, E] and [..., S, Ev]",
                    describe(query.shape()), describe(key.shape()), describe(value.shape())));
  }
  if (options.mask.defined() && options.causal) {
    throw Error(ErrorKind::invalid_argument,
                "[scaled_dot_product_attention] takes a mask or causal = true, not both");
  }
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Where the mask leaves something of a row.
Mask is_open(const Tensor& mask) {
  const Tensor keys = mask.dim() == 0 ? reshape(mask, {1}) : mask.detach();
  return keys.dtype() == DType::bool_ ? any(keys, -1, true) : any(ne(keys, -kInfinity), -1, true);
}

/// Rows that the mask leaves nothing of stay as they are: softmax has no value for them.
Tensor masked(const Tensor& scores, const Tensor& mask, const Mask& open) {
  if (mask.dtype() != DType::bool_) {
    return add(scores, as_dtype(where(open, mask, 0), scores.dtype()));
  }
  return where(mask, scores, as_dtype(where(open, -kInfinity, 0), scores.dtype()));
}

/// Row i of an l by s matrix is true up to column i.
Tensor causal_mask(std::int64_t l, std::int64_t s, const Tensor& like) {
  return tril(like.detach().new_full({l, s}, true, {.dtype = DType::bool_}));
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& options) {
  const CalledFunction here;
  check(query, key, value, options);
  const double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  const Tensor scores = matmul(mul(query, scale), transpose(key, -2, -1));
  const auto weighed = [&](const Tensor& visible) {
    return matmul(dropout(softmax(visible, -1), options.dropout), value);
  };
  if (options.causal) {
    const Tensor mask = causal_mask(query.size(-2), key.size(-2), query);
    return weighed(where(mask, scores, -kInfinity));
  }
  if (!options.mask.defined()) return weighed(scores);
  const Mask open = is_open(options.mask);
  return where(open, weighed(masked(scores, options.mask, open)), 0);
}

}  // namespace switchyard
