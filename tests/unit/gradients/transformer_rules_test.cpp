// Gradients of the ops that transformers and linear attention are made of. Those that no device
// computes in float64 are written by hand here.
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/autograd.hpp>

#include "functions/calls/call.hpp"
#include "gradients/by_hand.hpp"
#include "gradients/gradcheck.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;
using Ints = std::vector<std::int64_t>;

constinit const EagerOp kAttention("Attention"), kRotary("RotaryEmbedding"),
    kRms("RMSNormalization"), kSwish("Swish"), kScatter("TensorScatter"), kCumProd("CumProd");

// ---- Attention

/// Inputs that are left out, by number, are not among those that are checked.
Differentiable attention(const Attributes& given, std::vector<Tensor> fixed = {}) {
  return [given, fixed](In in) {
    std::vector<Tensor> all(in.begin(), in.end());
    all.insert(all.end(), fixed.begin(), fixed.end());
    return kAttention(all, given);
  };
}

/// A weight of 0, as of what is masked, is a factor of the function itself.
const GradcheckOptions kMasked = {.spread = false};

TEST(TransformerRules, OfAttention) {
  const std::vector<Tensor> heads = {strided(scattered({2, 4, 3, 4})),
                                     scattered({2, 2, 5, 4}, -1, 1, 1),
                                     scattered({2, 2, 5, 3}, -1, 1, 2)};
  CHECK_GRADIENTS(attention({}), heads);
  CHECK_GRADIENTS(attention(attributes({{"scale", 0.7F}, {"softcap", 0.9F}})), heads);
  CHECK_GRADIENTS(attention(attributes({{"is_causal", std::int64_t{1}}})), heads, kMasked);
  const Tensor flags = gt(scattered({3, 5}, -0.4, 1, 3), 0);
  CHECK_GRADIENTS(attention({}, {flags}), heads, kMasked);
  const Tensor lengths = host_tensor({2}, Ints{3, 5});
  CHECK_GRADIENTS(attention({}, {Tensor(), Tensor(), Tensor(), lengths}), heads, kMasked);
}

TEST(TransformerRules, OfAttentionWithMaskAndPast) {
  const std::vector<Tensor> in = {
      scattered({1, 2, 3, 4}),           scattered({1, 2, 2, 4}, -1, 1, 1),
      scattered({1, 2, 2, 3}, -1, 1, 2), scattered({3, 5}, -1, 1, 3),
      scattered({1, 2, 3, 4}, -1, 1, 4), scattered({1, 2, 3, 3}, -1, 1, 5)};
  CHECK_GRADIENTS(attention({}), in);
  CHECK_GRADIENTS(
      [](In x) {
        const std::vector<Tensor> made = kAttention.outputs(3, x);
        return cat({made[0].reshape({-1}), made[1].reshape({-1}), made[2].reshape({-1})});
      },
      in);
}

TEST(TransformerRules, OfAttentionWithHeadsSideBySide) {
  const Attributes given =
      attributes({{"kv_num_heads", std::int64_t{1}}, {"q_num_heads", std::int64_t{2}}});
  CHECK_GRADIENTS(attention(given), {scattered({2, 3, 8}), scattered({2, 5, 4}, -1, 1, 1),
                                     scattered({2, 5, 3}, -1, 1, 2)});
}

// ---- RotaryEmbedding

TEST(TransformerRules, OfRotaryEmbeddings) {
  const Tensor x = strided(scattered({2, 2, 3, 6})), flat = scattered({2, 3, 12});
  const Tensor positions = host_tensor({2, 3}, Ints{0, 3, 1, 2, 2, 0});
  for (const std::int64_t interleaved : {0, 1}) {
    for (const std::int64_t rotated : {0, 4}) {
      const std::int64_t half = rotated == 0 ? 3 : rotated / 2;
      const Attributes given = attributes({{"interleaved", interleaved},
                                           {"num_heads", std::int64_t{2}},
                                           {"rotary_embedding_dim", rotated}});
      for (const Tensor& input : {x, flat}) {
        CHECK_GRADIENTS(
            [&](In in) {
              return kRotary({in[0], in[1], in[2]}, given);
            },
            {input, scattered({2, 3, half}, -1, 1, 1), scattered({2, 3, half}, -1, 1, 2)});
        CHECK_GRADIENTS(
            [&](In in) {
              return kRotary({in[0], in[1], in[2], positions}, given);
            },
            {input, scattered({4, half}, -1, 1, 1), scattered({4, half}, -1, 1, 2)});
      }
    }
  }
}

// ---- RMSNormalization and Swish

TEST(TransformerRules, OfRmsNormalization) {
  const Tensor x = strided(scattered({2, 3, 4}));
  for (const std::int64_t axis : {-1, 1, 0}) {
    const Dims line(x.shape().span().subspan(static_cast<std::size_t>(axis < 0 ? 2 : axis)));
    CHECK_GRADIENTS(
        [&](In in) {
          return kRms({in[0], in[1]}, attributes({{"axis", axis}}));
        },
        {x, scattered(line, 0.5, 1.5, 1)});
  }
}

TEST(TransformerRules, OfSwish) {
  for (const float alpha : {1.0F, 1.702F, -0.5F}) {
    CHECK_GRADIENTS(
        [&](In in) {
          return kSwish({in[0]}, attributes({{"alpha", alpha}}));
        },
        {strided(scattered({3, 4}, -6, 6))});
  }
}

// ---- TensorScatter

TEST(TransformerRules, OfCaches) {
  const Tensor cache = strided(scattered({2, 3, 4, 2})), update = scattered({2, 3, 2, 2}, -1, 1, 1);
  const Tensor starts = host_tensor({2}, Ints{2, 1}), late = host_tensor({2}, Ints{3, 6});
  const Attributes circular = attributes({{"mode", std::string("circular")}});
  const auto writing = [](const Tensor& from, const Attributes& given) {
    return [from, given](In in) { return square(kScatter({in[0], in[1], from}, given)); };
  };
  CHECK_GRADIENTS(writing({}, {}), {cache, update});
  CHECK_GRADIENTS(writing(starts, {}), {cache, update});
  CHECK_GRADIENTS(writing(late, circular), {cache, update});
  CHECK_GRADIENTS(
      writing(late, attributes({{"axis", std::int64_t{1}}, {"mode", std::string("circular")}})),
      {cache, scattered({2, 2, 4, 2}, -1, 1, 1)});
}

// ---- CumProd

TEST(TransformerRules, OfCumulativeProducts) {
  for (const std::int64_t exclusive : {0, 1}) {
    for (const std::int64_t reverse : {0, 1}) {
      const Attributes given = attributes({{"exclusive", exclusive}, {"reverse", reverse}});
      for (const std::int64_t axis : {0, -1}) {
        CHECK_GRADIENTS(
            [&](In in) {
              return kCumProd({in[0], int64_scalar(axis)}, given);
            },
            {strided(scattered({3, 5}, 0.5, 1.5))});
      }
    }
  }
}

/// What is divided by an element of 0 is not a number; what is multiplied by it is 0.
TEST(TransformerRules, OfCumulativeProductsWithZeros) {
  CHECK_GRADIENTS(
      [](In in) {
        return kCumProd({in[0], int64_scalar(0)});
      },
      {host_tensor({5}, Numbers{2, 0, -3, 0, 1.5})}, {.spread = false});
}

// ---- LinearAttention

/// Two heads of keys of width 3 and values of width 2, with four heads of queries.
std::vector<Tensor> attended(In in, std::int64_t length, std::string_view rule) {
  constexpr std::int64_t kHeads = 2, kGroup = 2, kWidth = 3, kValues = 2;
  const auto numbers = [&](std::size_t i) {
    return i < in.size() && in[i].defined() ? numbers_of(in[i]) : Numbers();
  };
  const Numbers q = numbers(0), k = numbers(1), v = numbers(2), decay = numbers(4),
                rate = numbers(5);
  Numbers states = numbers(3), y(static_cast<std::size_t>(length * kHeads * kGroup * kValues));
  if (states.empty()) states.resize(kHeads * kWidth * kValues);
  const std::int64_t decays = static_cast<std::int64_t>(decay.size()) / length;
  const std::int64_t rates = static_cast<std::int64_t>(rate.size()) / length;
  const auto at = [](const Numbers& list, std::int64_t i) {
    return list[static_cast<std::size_t>(i)];
  };
  for (std::int64_t t = 0; t < length; ++t) {
    for (std::int64_t h = 0; h < kHeads; ++h) {
      double* state = states.data() + h * kWidth * kValues;
      for (std::int64_t d = 0; d < kWidth && !decay.empty(); ++d) {
        const double by = at(decay, t * decays + (decays == kHeads ? h : h * kWidth + d));
        for (std::int64_t m = 0; m < kValues; ++m) state[d * kValues + m] *= std::exp(by);
      }
      for (std::int64_t m = 0; m < kValues; ++m) {
        double written = at(v, (t * kHeads + h) * kValues + m), held = 0;
        for (std::int64_t d = 0; d < kWidth; ++d) {
          held += state[d * kValues + m] * at(k, (t * kHeads + h) * kWidth + d);
        }
        if (rule.ends_with("delta")) {
          written = at(rate, t * rates + (rates == 1 ? 0 : h)) * (written - held);
        }
        for (std::int64_t d = 0; d < kWidth; ++d) {
          state[d * kValues + m] += at(k, (t * kHeads + h) * kWidth + d) * written;
        }
        for (std::int64_t g = 0; g < kGroup; ++g) {
          const std::int64_t position = (t * kHeads + h) * kGroup + g;
          double sum = 0;
          for (std::int64_t d = 0; d < kWidth; ++d) {
            sum += at(q, position * kWidth + d) * state[d * kValues + m];
          }
          y[static_cast<std::size_t>(position * kValues + m)] = sum * static_cast<double>(0.4F);
        }
      }
    }
  }
  return {host_tensor({1, length, kHeads * kGroup * kValues}, y),
          host_tensor({1, kHeads, kWidth, kValues}, states)};
}

struct LinearCase {
  const char* rule;
  std::int64_t decays, rates;  // 0: none
  bool has_past;
};

TEST(TransformerRules, OfLinearAttention) {
  constexpr std::int64_t kLength = 3;
  for (const LinearCase& one :
       {LinearCase{"linear", 0, 0, false}, LinearCase{"linear", 0, 0, true},
        LinearCase{"gated", 2, 0, true}, LinearCase{"gated", 6, 0, false},
        LinearCase{"delta", 0, 1, true}, LinearCase{"gated_delta", 6, 2, true}}) {
    SCOPED_TRACE(one.rule);
    const Attributes given = attributes({{"kv_num_heads", std::int64_t{2}},
                                         {"q_num_heads", std::int64_t{4}},
                                         {"scale", 0.4F},
                                         {"update_rule", std::string(one.rule)}});
    std::vector<Tensor> in = {strided(scattered({1, kLength, 12})),
                              scattered({1, kLength, 6}, -1, 1, 1),
                              scattered({1, kLength, 4}, -1, 1, 2)};
    if (one.has_past) in.push_back(scattered({1, 2, 3, 2}, -1, 1, 3));
    if (one.decays > 0) in.push_back(scattered({1, kLength, one.decays}, -1, 0, 4));
    if (one.rates > 0) in.push_back(scattered({1, kLength, one.rates}, 0, 1, 5));
    const ByHand forward = [&](In x) { return attended(x, kLength, one.rule); };
    CHECK_GRADIENTS(
        [&](In x) {
          std::vector<Tensor> all(6);
          std::size_t next = 0;
          for (std::size_t i = 0; i < 6; ++i) {
            const bool there = i < 3 || (i == 3 && one.has_past) || (i == 4 && one.decays > 0) ||
                               (i == 5 && one.rates > 0);
            if (there) all[i] = x[next++];
          }
          const std::vector<Tensor> made = by_hand("LinearAttention", forward, all, given);
          return cat({made[0].reshape({-1}), made[1].reshape({-1})});
        },
        in, {.spread = one.has_past});  // a state that begins with zeros is a factor of the decay
  }
}

// ---- CausalConvWithState

/// Two channels of four elements, windows of three.
std::vector<Tensor> convolved(In in, bool has_bias, bool has_past, bool is_swish) {
  const Numbers x = numbers_of(in[0]), weight = numbers_of(in[1]);
  const Numbers bias = has_bias ? numbers_of(in[2]) : Numbers(2, 0.0);
  const Numbers past = has_past ? numbers_of(in[3]) : Numbers(4, 0.0);
  Numbers y, state;
  for (std::size_t c = 0; c < 2; ++c) {
    Numbers line(past.begin() + static_cast<std::ptrdiff_t>(c * 2),
                 past.begin() + static_cast<std::ptrdiff_t>(c * 2 + 2));
    line.insert(line.end(), x.begin() + static_cast<std::ptrdiff_t>(c * 4),
                x.begin() + static_cast<std::ptrdiff_t>(c * 4 + 4));
    for (std::size_t t = 0; t < 4; ++t) {
      double sum = bias[c];
      for (std::size_t k = 0; k < 3; ++k) sum += weight[c * 3 + k] * line[t + k];
      y.push_back(is_swish ? sum / (1 + std::exp(-sum)) : sum);
    }
    state.insert(state.end(), line.end() - 2, line.end());
  }
  return {host_tensor({1, 2, 4}, y), host_tensor({1, 2, 2}, state)};
}

TEST(TransformerRules, OfCausalConvolutions) {
  for (const bool has_bias : {false, true}) {
    for (const bool has_past : {false, true}) {
      for (const bool is_swish : {false, true}) {
        const Attributes given =
            attributes({{"activation", std::string(is_swish ? "silu" : "none")}});
        std::vector<Tensor> in = {strided(scattered({1, 2, 4})), scattered({2, 1, 3}, -1, 1, 1)};
        if (has_bias) in.push_back(scattered({2}, -1, 1, 2));
        if (has_past) in.push_back(scattered({1, 2, 2}, -1, 1, 3));
        const ByHand forward = [&](In x) { return convolved(x, has_bias, has_past, is_swish); };
        CHECK_GRADIENTS(
            [&](In x) {
              std::vector<Tensor> all = {x[0], x[1], has_bias ? x[2] : Tensor(),
                                         has_past ? x[x.size() - 1] : Tensor()};
              const std::vector<Tensor> made = by_hand("CausalConvWithState", forward, all, given);
              return cat({made[0].reshape({-1}), made[1].reshape({-1})});
            },
            in, {.spread = has_past});  // weights are multiplied by the zeros of no past
      }
    }
  }
}

/// What a device makes has the gradients of what is written by hand.
TEST(TransformerRules, OfWhatTheDeviceComputes) {
  constinit static const EagerOp kConvolution("CausalConvWithState");
  const auto single = [](const Tensor& x) { return x.to(DType::float32).requires_grad_(); };
  const Tensor x = single(scattered({1, 2, 4})), weight = single(scattered({2, 1, 3}));
  const std::vector<Tensor> made = kConvolution.outputs(2, {x, weight});
  const Tensor sum_of = add(sum(made[0]), sum(made[1]));
  const std::vector<Tensor> leaves = {x, weight};
  const std::vector<Tensor> gradients = grad(std::span(&sum_of, 1), leaves);
  EXPECT_EQ(gradients[0].shape(), x.shape());
  EXPECT_NEAR(gradients[0].to_vector<float>()[0],
              sum(select(weight.detach(), 0, 0)).to(DType::float64).item(), 1e-5);
}

}  // namespace
}  // namespace switchyard
