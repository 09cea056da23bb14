// Gradients of layers that carry a state from token to token: their steps once more, as the ops do
// not keep what is between.
#include <cmath>
#include <switchyard/functions.hpp>

#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

Tensor optional(In in, std::size_t i) {
  return i < in.size() && in[i].defined() ? widened(in[i]) : Tensor();
}

DType state_dtype(In in) {
  return in.size() > 3 && in[3].defined() ? in[3].dtype() : in[0].dtype();
}

/// [batch, length, heads * width] as tokens of [batch, heads, rows, columns], where rows times
/// columns is the width.
std::vector<Tensor> tokens(const Tensor& x, std::int64_t heads, std::int64_t rows,
                           std::int64_t columns) {
  return unbind(reshape(x, {x.size(0), x.size(1), heads, rows, columns}), 1);
}

/// A head of keys has a state [width, values], and as many heads of queries as there are for it.
std::vector<Tensor> linear_attention(const Backward& step, In in) {
  const std::int64_t q_heads = step.attributes().get_int("q_num_heads", 1);
  const std::int64_t heads = step.attributes().get_int("kv_num_heads", 1);
  const std::int64_t batch = in[0].size(0), length = in[0].size(1);
  const std::int64_t width = in[0].size(2) / q_heads, values = in[2].size(2) / heads;
  const double given = step.attributes().get_float("scale", 0);
  const double scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(width));
  const auto query = tokens(widened(in[0]), heads, q_heads / heads, width);
  const auto key = tokens(widened(in[1]), heads, width, 1);
  const auto value = tokens(widened(in[2]), heads, 1, values);
  std::vector<Tensor> decay, rate;
  if (const Tensor x = optional(in, 4); x.defined())
    decay = tokens(exp(x), heads, x.size(2) / heads, 1);
  if (const Tensor x = optional(in, 5); x.defined()) rate = tokens(x, x.size(2), 1, 1);
  Tensor state = optional(in, 3);
  if (!state.defined()) state = widened(in[0]).detach().new_full({batch, heads, width, values}, 0);
  std::vector<Tensor> made;
  for (std::size_t t = 0; t < static_cast<std::size_t>(length); ++t) {
    if (!decay.empty()) state = mul(state, decay[t]);
    Tensor written = value[t];
    if (!rate.empty()) {
      const Tensor held = matmul(transpose(key[t], -2, -1), state);
      written = mul(rate[t], sub(written, held));
    }
    state = add(state, mul(key[t], written));
    made.push_back(reshape(mul(matmul(query[t], state), scale), {batch, q_heads * values}));
  }
  return {made.empty() ? Tensor() : stack(made, 1).to(in[0].dtype()), state.to(state_dtype(in))};
}

/// A convolution of each channel by itself, over what is left of the past and what comes now.
std::vector<Tensor> causal_convolution(const Backward& step, In in) {
  const Tensor x = widened(in[0]), weight = widened(in[1]), past = optional(in, 3);
  const std::int64_t before = weight.size(2) - 1, length = x.size(2);
  const Tensor line = past.defined() ? cat({past, x}, 2) : pad(x, {before, 0});
  Tensor y;
  if (length > 0) {
    y = conv1d(line, weight, optional(in, 2), {.groups = x.size(1)});
    if (step.attributes().get_text("activation", "none") != "none") y = silu(y);
    y = y.to(in[0].dtype());
  }
  return {y, narrow(line, 2, length, before).to(state_dtype(in))};
}

constexpr RuleRow kTokenStatesRules[] = {
    {"LinearAttention", composite_gradient<linear_attention>, kAll},
    {"CausalConvWithState", composite_gradient<causal_convolution>, kAll},
};

}  // namespace

std::span<const RuleRow> token_state_rules() { return kTokenStatesRules; }

}  // namespace switchyard
