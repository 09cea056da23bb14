// LinearAttention and CausalConvWithState: layers that carry a state from token to token.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "kernels.hpp"
#include "kernels/contiguous.hpp"
#include "kernels/numbers.hpp"
#include "kernels/unary.hpp"
#include "parallel.hpp"

namespace cpu {
namespace {

// ---- LinearAttention; each head of keys has a matrix of its own, and is a thread's work

struct Recurrence {
  int64_t q_heads, kv_heads;
  double scale;  // 0: one over the root of a key's width
  bool is_gated, is_delta;
};

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
    scale_ = static_cast<float>(rule_.scale != 0 ? rule_.scale
                                                 : 1 / std::sqrt(static_cast<double>(width_)));
    state_ = call.has_input(3)
                 ? numbers_of<float>(call.input(3))
                 : std::vector<float>(
                       static_cast<size_t>(batch_ * rule_.kv_heads * width_ * values_), 0);
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
    float* state = state_.data() + (b * rule_.kv_heads + head) * width_ * values_;
    std::vector<float> written(static_cast<size_t>(values_));
    for (int64_t t = 0; t < length_; ++t) {
      const int64_t token = b * length_ + t;
      const float* key = key_.data() + (token * rule_.kv_heads + head) * width_;
      const float* value = value_.data() + (token * rule_.kv_heads + head) * values_;
      if (rule_.is_gated) decay(state, token, head);
      std::copy_n(value, values_, written.begin());
      if (rule_.is_delta) correct(state, key, token, head, written);
      for (int64_t d = 0; d < width_; ++d) {
        for (int64_t m = 0; m < values_; ++m) state[d * values_ + m] += key[d] * written[m];
      }
      read(state, token, head);
    }
  }

  // One factor for the head, or one for each of its rows.
  void decay(float* state, int64_t token, int64_t head) const {
    const bool is_one = decays_ == rule_.kv_heads;
    for (int64_t d = 0; d < width_; ++d) {
      const int64_t place = token * decays_ + (is_one ? head : head * width_ + d);
      const float factor = std::exp(decay_[static_cast<size_t>(place)]);
      for (int64_t m = 0; m < values_; ++m) state[d * values_ + m] *= factor;
    }
  }

  void correct(const float* state, const float* key, int64_t token, int64_t head,
               std::vector<float>& written) const {
    const float rate = beta_[static_cast<size_t>(token * betas_ + (betas_ == 1 ? 0 : head))];
    for (int64_t m = 0; m < values_; ++m) {
      float held = 0;
      for (int64_t d = 0; d < width_; ++d) held += state[d * values_ + m] * key[d];
      written[m] = rate * (written[m] - held);
    }
  }

  void read(const float* state, int64_t token, int64_t head) const {
    const int64_t group = rule_.q_heads / rule_.kv_heads;
    for (int64_t g = 0; g < group; ++g) {
      const int64_t place = token * rule_.q_heads + head * group + g;
      const float* query = query_.data() + place * width_;
      float* out = output_.data() + place * values_;
      for (int64_t m = 0; m < values_; ++m) {
        float sum = 0;
        for (int64_t d = 0; d < width_; ++d) sum += query[d] * state[d * values_ + m];
        out[m] = scale_ * sum;
      }
    }
  }

  Call& call_;
  Recurrence rule_;
  ContiguousInput<float> query_, key_, value_;
  ContiguousOutput<float> output_;
  std::vector<float> state_, decay_, beta_;
  int64_t batch_, length_, width_, values_, decays_ = 0, betas_ = 0;
  float scale_;
};

Prepared make_linear_attention(const sy::Node& node) {
  const std::string_view rule = node.text("update_rule", "gated_delta");
  const Recurrence recurrence{node.integer("q_num_heads"), node.integer("kv_num_heads"),
                              node.real("scale", 0.0f), rule == "gated" || rule == "gated_delta",
                              rule == "delta" || rule == "gated_delta"};
  Prepared made;
  made.run = [recurrence](Call& call) { LinearAttention(call, recurrence).run(); };
  return made;
}

// ---- CausalConvWithState: each channel of each sample is a line, with the state before it

void causal_convolution(Call& call, bool is_swish) {
  const Tensor& input = call.input(0);
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
                   for (int64_t t = 0; t < length; ++t) {
                     float sum = bias.empty() ? 0 : bias[static_cast<size_t>(channel)];
                     for (int64_t k = 0; k < kernel; ++k) sum += taps[k] * line[t + k];
                     y.data()[i * length + t] = is_swish ? sum / (1 + std::exp(-sum)) : sum;
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
  made.run = [is_swish](Call& call) { causal_convolution(call, is_swish); };
  return made;
}

constexpr uint64_t floats =
    SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16);

constexpr KernelRow rows[] = {
    {"LinearAttention", floats, floats, make_linear_attention, nullptr, any_strides},
    {"CausalConvWithState", floats, floats, make_causal_convolution, nullptr, any_strides},
};

}  // namespace

KernelTable linear_attention_kernels() { return rows; }

}  // namespace cpu
