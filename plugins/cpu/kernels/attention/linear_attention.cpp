// LinearAttention and CausalConvWithState: layers that carry a state from token to token.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "gemm/long_sums.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

// ---- LinearAttention; each head of keys has a matrix of its own, and is a thread's work

struct Recurrence {
  int64_t q_heads, kv_heads;
  double scale;  // 0: one over the root of a key's width
  bool is_gated, is_delta;
};

// `Sum` is what states, and products with them, are summed in.
template <typename Sum>
class LinearAttention {
 public:
  LinearAttention(Call& call, const Recurrence& recurrence)
      : call_(call),
        rule_(recurrence),
        query_(call.input(0)),
        key_(call.input(1)),
        value_(call.input(2)),
        output_(call.output(0)) {
    const sy::Extents shape = call.input(0).shape;
    batch_ = shape[0], length_ = shape[1];
    width_ = shape[2] / rule_.q_heads;
    values_ = call.input(2).shape[2] / rule_.kv_heads;
    scale_ = static_cast<Sum>(rule_.scale != 0 ? rule_.scale
                                               : 1 / std::sqrt(static_cast<double>(width_)));
    state_ =
        call.has_input(3)
            ? numbers_of<Sum>(call.input(3))
            : std::vector<Sum>(static_cast<size_t>(batch_ * rule_.kv_heads * width_ * values_), 0);
    if (rule_.is_gated) {
      decay_ = numbers_of<float>(call.input(4));
      decays_ = call.input(4).shape[2];
    }
    if (rule_.is_delta) {
      beta_ = numbers_of<float>(call.input(5));
      betas_ = call.input(5).shape[2];
    }
  }

  void run() {
    const int64_t work = std::max<int64_t>(1, length_ * width_ * values_);
    parallel_for(batch_ * rule_.kv_heads, std::max<int64_t>(1, 32768 / work),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     run_head(i / rule_.kv_heads, i % rule_.kv_heads);
                   }
                 });
    output_.write_back();
    if (call_.has_output(1)) write_numbers(state_, call_.output(1));
  }

 private:
  void run_head(int64_t b, int64_t head) {
    Sum* state = state_.data() + (b * rule_.kv_heads + head) * width_ * values_;
    std::vector<Sum> written(static_cast<size_t>(values_)), sums(written.size());
    for (int64_t t = 0; t < length_; ++t) {
      const int64_t token = b * length_ + t;
      const float* key = key_.data() + (token * rule_.kv_heads + head) * width_;
      const float* value = value_.data() + (token * rule_.kv_heads + head) * values_;
      if (rule_.is_gated) decay(state, token, head);
      std::copy_n(value, values_, written.begin());
      if (rule_.is_delta) correct(state, key, token, head, written, sums);
      for (int64_t d = 0; d < width_; ++d) {
        const auto factor = static_cast<Sum>(key[d]);
        for (int64_t m = 0; m < values_; ++m) state[d * values_ + m] += factor * written[m];
      }
      read(state, token, head, sums);
    }
  }

  // One factor for the head, or one for each of its rows.
  void decay(Sum* state, int64_t token, int64_t head) const {
    const bool is_one = decays_ == rule_.kv_heads;
    for (int64_t d = 0; d < width_; ++d) {
      const int64_t position = token * decays_ + (is_one ? head : head * width_ + d);
      const Sum factor = std::exp(static_cast<Sum>(decay_[static_cast<size_t>(position)]));
      for (int64_t m = 0; m < values_; ++m) state[d * values_ + m] *= factor;
    }
  }

  // The state's rows, each times a number of `factors`, added up.
  void add_rows(const Sum* state, const float* factors, std::vector<Sum>& sums) const {
    std::fill(sums.begin(), sums.end(), Sum{0});
    for (int64_t d = 0; d < width_; ++d) {
      const auto factor = static_cast<Sum>(factors[d]);
      for (int64_t m = 0; m < values_; ++m) sums[m] += state[d * values_ + m] * factor;
    }
  }

  void correct(const Sum* state, const float* key, int64_t token, int64_t head,
               std::vector<Sum>& written, std::vector<Sum>& held) const {
    const auto rate =
        static_cast<Sum>(beta_[static_cast<size_t>(token * betas_ + (betas_ == 1 ? 0 : head))]);
    add_rows(state, key, held);
    for (int64_t m = 0; m < values_; ++m) written[m] = rate * (written[m] - held[m]);
  }

  void read(const Sum* state, int64_t token, int64_t head, std::vector<Sum>& sums) const {
    const int64_t group = rule_.q_heads / rule_.kv_heads;
    for (int64_t g = 0; g < group; ++g) {
      const int64_t position = token * rule_.q_heads + head * group + g;
      add_rows(state, query_.data() + position * width_, sums);
      float* out = output_.data() + position * values_;
      for (int64_t m = 0; m < values_; ++m) out[m] = static_cast<float>(scale_ * sums[m]);
    }
  }

  Call& call_;
  Recurrence rule_;
  ContiguousInput<float> query_, key_, value_;
  ContiguousOutput<float> output_;
  std::vector<Sum> state_;
  std::vector<float> decay_, beta_;
  int64_t batch_, length_, width_, values_, decays_ = 0, betas_ = 0;
  Sum scale_;
};

// A state adds up as many tokens as there are, and a result as many rows.
bool has_long_sums(const Call& call, const Recurrence& recurrence) {
  const sy::Extents shape = call.input(0).shape;
  return std::max(shape[1], shape[2] / recurrence.q_heads) > chained_sums;
}

Prepared make_linear_attention(const sy::Node& node) {
  const std::string_view rule = node.text("update_rule", "gated_delta");
  const Recurrence recurrence{node.integer("q_num_heads"), node.integer("kv_num_heads"),
                              node.real("scale", 0.0f), rule == "gated" || rule == "gated_delta",
                              rule == "delta" || rule == "gated_delta"};
  Prepared made;
  made.kernel = function_kernel([recurrence](Call& call) {
    if (has_long_sums(call, recurrence)) return LinearAttention<double>(call, recurrence).run();
    LinearAttention<float>(call, recurrence).run();
  });
  return made;
}

// ---- CausalConvWithState: each channel of each sample is a line, with the state before it

// `Sum` is what the products of a window are summed in.
template <typename Sum>
void causal_convolution(Call& call, bool is_swish) {
  const ConstTensor& input = call.input(0);
  const int64_t batch = input.shape[0], channels = input.shape[1], length = input.shape[2];
  const int64_t kernel = call.input(1).shape[2];
  const int64_t before = kernel - 1;
  const ContiguousInput<float> x(input), weight(call.input(1));
  const ContiguousOutput<float> y(call.output(0));
  std::vector<float> bias, past;
  if (call.has_input(2)) bias = numbers_of<float>(call.input(2));
  if (call.has_input(3)) past = numbers_of<float>(call.input(3));
  std::vector<float> state(static_cast<size_t>(batch * channels * before));
  const int64_t work = std::max<int64_t>(1, length * kernel);
  parallel_for(batch * channels, std::max<int64_t>(1, 32768 / work),
               [&](int64_t begin, int64_t end) {
                 std::vector<float> line(static_cast<size_t>(before + length));
                 for (int64_t i = begin; i < end; ++i) {
                   const int64_t channel = i % channels;
                   std::fill_n(line.begin(), before, 0.0f);
                   if (!past.empty()) std::copy_n(past.begin() + i * before, before, line.begin());
                   std::copy_n(x.data() + i * length, length, line.begin() + before);
                   const float* taps = weight.data() + channel * kernel;
                   const Sum first = bias.empty() ? Sum{0} : static_cast<Sum>(bias[channel]);
                   for (int64_t t = 0; t < length; ++t) {
                     Sum sum = first;
                     for (int64_t k = 0; k < kernel; ++k) {
                       sum += static_cast<Sum>(taps[k]) * static_cast<Sum>(line[t + k]);
                     }
                     y.data()[i * length + t] =
                         static_cast<float>(is_swish ? sum / (1 + std::exp(-sum)) : sum);
                   }
                   std::copy_n(line.begin() + length, before, state.begin() + i * before);
                 }
               });
  y.write_back();
  if (call.has_output(1)) write_numbers(state, call.output(1));
}

Prepared make_causal_convolution(const sy::Node& node) {
  const bool is_swish = node.text("activation", "none") != "none";
  Prepared made;
  made.kernel = function_kernel([is_swish](Call& call) {
    const bool is_long = call.input(1).shape[2] > chained_sums;
    (is_long ? causal_convolution<double> : causal_convolution<float>)(call, is_swish);
  });
  return made;
}

constexpr KernelRow linear_attention_rows[] = {
    {"LinearAttention", up_to_float32, up_to_float32, make_linear_attention, nullptr, any_strides},
    {"CausalConvWithState", up_to_float32, up_to_float32, make_causal_convolution, nullptr,
     any_strides},
};

}  // namespace

KernelTable linear_attention_kernels() { return linear_attention_rows; }

}  // namespace cpu
