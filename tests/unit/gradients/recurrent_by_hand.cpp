#include "gradients/recurrent_by_hand.hpp"
#include "tensor/host_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

using Numbers = std::vector<double>;

double activated(const std::string& name, double alpha, double beta, double x) {
  if (name == "Sigmoid") return 1 / (1 + std::exp(-x));
  if (name == "Tanh") return std::tanh(x);
  if (name == "Relu") return std::max(x, 0.0);
  if (name == "Affine") return alpha * x + beta;
  if (name == "LeakyRelu") return x < 0 ? alpha * x : x;
  if (name == "ThresholdedRelu") return x > alpha ? x : 0;
  if (name == "ScaledTanh") return alpha * std::tanh(beta * x);
  if (name == "HardSigmoid") return std::clamp(alpha * x + beta, 0.0, 1.0);
  if (name == "Elu") return x < 0 ? alpha * std::expm1(x) : x;
  if (name == "Softsign") return x / (1 + std::abs(x));
  return std::log1p(std::exp(x));  // Softplus
}

/// A tensor of doubles, read at an index.
struct Array {
  Dims shape;
  Numbers numbers;

  explicit Array(const Tensor& x) {
    if (!x.defined()) return;
    shape = x.shape();
    numbers = x.detach().to(DType::float64).to_vector<double>();
  }
  double at(std::initializer_list<std::int64_t> index) const {
    if (numbers.empty()) return 0;
    std::size_t flat = 0, dim = 0;
    for (const std::int64_t i : index) {
      flat = flat * static_cast<std::size_t>(shape[dim++]) + static_cast<std::size_t>(i);
    }
    return numbers[flat];
  }
};

class Layer {
 public:
  Layer(std::string_view op, std::span<const Tensor> in, const Attributes& given)
      : op_(op), given_(given), first_(given.get_int("layout", 0) != 0) {
    const auto input = [&](std::size_t i) { return i < in.size() ? in[i] : Tensor(); };
    const auto turned = [&](const Tensor& x) {
      return x.defined() && first_ ? transpose(x, 0, 1) : x;
    };
    x_ = Array(turned(input(0)));
    w_ = Array(input(1));
    r_ = Array(input(2));
    b_ = Array(input(3));
    lengths_ = Array(input(4));
    h0_ = Array(turned(input(5)));
    c0_ = Array(turned(input(6)));
    p_ = Array(input(7));
    steps_ = x_.shape[0];
    batch_ = x_.shape[1];
    n_ = r_.shape[2];
    directions_ = w_.shape[0];
    clip_ = given.get_float("clip", 0);
  }

  std::vector<Tensor> run() {
    y_.assign(static_cast<std::size_t>(steps_ * directions_ * batch_ * n_), 0.0);
    for (std::int64_t d = 0; d < directions_; ++d) {
      for (std::int64_t b = 0; b < batch_; ++b) run(d, b);
    }
    const auto made = [](const Numbers& numbers, const Dims& shape) {
      return host_tensor(shape, numbers);
    };
    Tensor y = made(y_, {steps_, directions_, batch_, n_});
    Tensor h = made(last_h_, {directions_, batch_, n_});
    Tensor c = made(last_c_, {directions_, batch_, n_});
    if (first_) {
      y = permute(y, {2, 0, 1, 3}).contiguous();
      h = transpose(h, 0, 1).contiguous();
      c = transpose(c, 0, 1).contiguous();
    }
    if (op_ != "LSTM") return {y, h};
    return {y, h, c};
  }

 private:
  /// The function of a gate, and before it the clipping.
  double gate(std::int64_t d, std::size_t which, double x, bool clips = true) const {
    if (clips && clip_ > 0) x = std::clamp(x, -clip_, clip_);
    std::vector<std::string> defaults = {"Tanh"};
    if (op_ == "GRU") defaults = {"Sigmoid", "Tanh"};
    if (op_ == "LSTM") defaults = {"Sigmoid", "Tanh", "Tanh"};
    const std::size_t i = static_cast<std::size_t>(d) * defaults.size() + which;
    const std::vector<std::string> names = given_.get_texts("activations");
    const std::vector<float> alphas = given_.get_floats("activation_alpha");
    const std::vector<float> betas = given_.get_floats("activation_beta");
    return activated(i < names.size() ? names[i] : defaults[which],
                     i < alphas.size() ? alphas[i] : 0, i < betas.size() ? betas[i] : 0, x);
  }

  double input(std::int64_t d, std::int64_t t, std::int64_t b, std::int64_t row) const {
    double sum = b_.at({d, row});
    for (std::int64_t i = 0; i < x_.shape[2]; ++i) sum += w_.at({d, row, i}) * x_.at({t, b, i});
    return sum;
  }
  double state(std::int64_t d, const Numbers& h, std::int64_t row) const {
    double sum = b_.at({d, r_.shape[1] + row});
    for (std::int64_t i = 0; i < n_; ++i) {
      sum += r_.at({d, row, i}) * h[static_cast<std::size_t>(i)];
    }
    return sum;
  }

  void run(std::int64_t d, std::int64_t b) {
    Numbers h, c;
    for (std::int64_t j = 0; j < n_; ++j) {
      h.push_back(h0_.at({d, b, j}));
      c.push_back(c0_.at({d, b, j}));
    }
    const bool back = d == 1 || given_.get_text("direction", "forward") == "reverse";
    for (std::int64_t i = 0; i < steps_; ++i) {
      const std::int64_t t = back ? steps_ - 1 - i : i;
      if (!lengths_.numbers.empty() && static_cast<double>(t) >= lengths_.at({b})) continue;
      step(d, t, b, h, c);
      std::copy(h.begin(), h.end(), y_.begin() + ((t * directions_ + d) * batch_ + b) * n_);
    }
    last_h_.insert(last_h_.end(), h.begin(), h.end());
    last_c_.insert(last_c_.end(), c.begin(), c.end());
  }

  void step(std::int64_t d, std::int64_t t, std::int64_t b, Numbers& h, Numbers& c) const {
    const Numbers before = h;
    const auto both = [&](std::int64_t row) { return input(d, t, b, row) + state(d, before, row); };
    for (std::int64_t j = 0; j < n_; ++j) {
      double& now = h[static_cast<std::size_t>(j)];
      if (op_ == "RNN") now = gate(d, 0, both(j));
      if (op_ == "GRU") now = gru(d, t, b, j, before);
      if (op_ == "LSTM") now = lstm(d, j, c[static_cast<std::size_t>(j)], both);
    }
  }

  double gru(std::int64_t d, std::int64_t t, std::int64_t b, std::int64_t j,
             const Numbers& h) const {
    const auto of = [&](std::int64_t row) {
      return gate(d, 0, input(d, t, b, row) + state(d, h, row));
    };
    double hidden;
    if (given_.get_int("linear_before_reset", 0) != 0) {
      hidden = of(n_ + j) * state(d, h, 2 * n_ + j);
    } else {
      Numbers reset;
      for (std::int64_t i = 0; i < n_; ++i) {
        reset.push_back(of(n_ + i) * h[static_cast<std::size_t>(i)]);
      }
      hidden = state(d, reset, 2 * n_ + j);
    }
    const double update = of(j);
    const double fresh = gate(d, 1, input(d, t, b, 2 * n_ + j) + hidden);
    return (1 - update) * fresh + update * h[static_cast<std::size_t>(j)];
  }

  template <typename Both>
  double lstm(std::int64_t d, std::int64_t j, double& c, const Both& both) const {
    const double in = gate(d, 0, both(j) + p_.at({d, j}) * c);
    double forget = gate(d, 0, both(2 * n_ + j) + p_.at({d, 2 * n_ + j}) * c);
    if (given_.get_int("input_forget", 0) != 0) forget = 1 - in;
    c = forget * c + in * gate(d, 1, both(3 * n_ + j));
    const double out = gate(d, 0, both(n_ + j) + p_.at({d, n_ + j}) * c);
    return out * gate(d, 2, c, false);
  }

  const std::string op_;
  const Attributes& given_;
  const bool first_;
  Array x_{Tensor()}, w_{Tensor()}, r_{Tensor()}, b_{Tensor()}, lengths_{Tensor()}, h0_{Tensor()},
      c0_{Tensor()}, p_{Tensor()};
  std::int64_t steps_ = 0, batch_ = 0, n_ = 0, directions_ = 0;
  double clip_ = 0;
  Numbers y_, last_h_, last_c_;
};

}  // namespace

std::vector<Tensor> recurrent_by_hand(std::string_view op, std::span<const Tensor> inputs,
                                      const Attributes& given) {
  const DType dtype = inputs[0].dtype();
  std::vector<Tensor> outputs = Layer(op, inputs, given).run();
  for (Tensor& output : outputs) output = output.to(dtype);
  return outputs;
}

}  // namespace switchyard
