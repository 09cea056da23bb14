// LSTM, GRU and RNN against the formulas in double, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "harness/products.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct Layer {
  std::string op;
  int64_t gates;
  int64_t steps, batch, inputs, hidden;
  bool bidirectional;
  bool reset_after = false;  // GRU

  int64_t directions() const { return bidirectional ? 2 : 1; }
};

struct Weights {
  Value x, w, r, b;

  explicit Weights(const Layer& layer)
      : x(random(SY_FLOAT32, {layer.steps, layer.batch, layer.inputs}, 1)),
        w(random(SY_FLOAT32, {layer.directions(), layer.gates * layer.hidden, layer.inputs}, 2)),
        r(random(SY_FLOAT32, {layer.directions(), layer.gates * layer.hidden, layer.hidden}, 3)),
        b(random(SY_FLOAT32, {layer.directions(), 2 * layer.gates * layer.hidden}, 4)) {}
};

// One row of a direction: x * W + h * R and the biases, kept apart.
struct Sums {
  Numbers input, state;
};

class RecurrentReference {
 public:
  RecurrentReference(const Layer& layer, const Weights& weights)
      : layer_(layer),
        x_(as_doubles(weights.x)),
        w_(as_doubles(weights.w)),
        r_(as_doubles(weights.r)),
        b_(as_doubles(weights.b)) {}

  // [steps, directions, batch, hidden]
  Numbers run() const {
    Numbers y(
        static_cast<size_t>(layer_.steps * layer_.directions() * layer_.batch * layer_.hidden));
    for (int64_t d = 0; d < layer_.directions(); ++d) {
      for (int64_t b = 0; b < layer_.batch; ++b) run_row(d, b, y);
    }
    return y;
  }

 private:
  void run_row(int64_t d, int64_t b, Numbers& y) const {
    Numbers h(static_cast<size_t>(layer_.hidden)), c(h);
    for (int64_t i = 0; i < layer_.steps; ++i) {
      const int64_t step = d == 1 ? layer_.steps - 1 - i : i;
      step_row(sums(d, b, step, h), d, h, c);
      std::copy(h.begin(), h.end(),
                y.begin() + ((step * layer_.directions() + d) * layer_.batch + b) * layer_.hidden);
    }
  }

  double state_product(int64_t d, int64_t row, const Numbers& h) const {
    double sum = 0;
    for (int64_t k = 0; k < layer_.hidden; ++k) {
      sum += r_[(d * layer_.gates * layer_.hidden + row) * layer_.hidden + k] * h[k];
    }
    return sum;
  }
  double state_bias(int64_t d, int64_t row) const {
    const int64_t width = layer_.gates * layer_.hidden;
    return b_[d * 2 * width + width + row];
  }

  Sums sums(int64_t d, int64_t b, int64_t step, const Numbers& h) const {
    const int64_t width = layer_.gates * layer_.hidden;
    Sums made;
    for (int64_t row = 0; row < width; ++row) {
      double sum = b_[d * 2 * width + row];
      for (int64_t k = 0; k < layer_.inputs; ++k) {
        sum += w_[(d * width + row) * layer_.inputs + k] *
               x_[(step * layer_.batch + b) * layer_.inputs + k];
      }
      made.input.push_back(sum);
      made.state.push_back(state_product(d, row, h) + state_bias(d, row));
    }
    return made;
  }

  void step_row(const Sums& sums, int64_t d, Numbers& h, Numbers& c) const {
    const int64_t n = layer_.hidden;
    const auto gate = [&](int64_t row) { return sums.input[row] + sums.state[row]; };
    Numbers reset_state(h);
    if (layer_.op == "GRU") {
      for (int64_t j = 0; j < n; ++j) reset_state[j] = sigmoid(gate(n + j)) * h[j];
    }
    Numbers next(h);
    for (int64_t j = 0; j < n; ++j) {
      if (layer_.op == "RNN") next[j] = std::tanh(gate(j));
      if (layer_.op == "LSTM") {
        c[j] = sigmoid(gate(2 * n + j)) * c[j] + sigmoid(gate(j)) * std::tanh(gate(3 * n + j));
        next[j] = sigmoid(gate(n + j)) * std::tanh(c[j]);
      }
      if (layer_.op == "GRU") {
        const double of_state = layer_.reset_after ? sigmoid(gate(n + j)) * sums.state[2 * n + j]
                                                   : state_product(d, 2 * n + j, reset_state) +
                                                         state_bias(d, 2 * n + j);
        const double update = sigmoid(gate(j));
        next[j] = (1 - update) * std::tanh(sums.input[2 * n + j] + of_state) + update * h[j];
      }
    }
    h = next;
  }

  const Layer& layer_;
  const Numbers x_, w_, r_, b_;
};

void expect_formulas(const Layer& layer, bool constant_weights) {
  const Weights weights(layer);
  OneNode node(layer.op);
  node.attribute("hidden_size", layer.hidden);
  node.attribute("direction", layer.bidirectional ? "bidirectional" : "forward");
  if (layer.op == "GRU") node.attribute("linear_before_reset", layer.reset_after ? 1 : 0);
  node.input(weights.x);
  if (constant_weights) {
    static uint64_t last_id = 1u << 20;
    last_id += 2;
    node.constant(weights.w, last_id).constant(weights.r, last_id + 1);
  } else {
    node.input(weights.w).input(weights.r);
  }
  node.input(weights.b);
  const Value y =
      node.output(SY_FLOAT32, {layer.steps, layer.directions(), layer.batch, layer.hidden}).run();
  const Numbers expected = RecurrentReference(layer, weights).run();
  const Numbers got = as_doubles(y);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], 2e-5) << layer.op << " element " << i;
  }
}

// Hidden sizes on both sides of a vector's and a panel's width.
TEST(Recurrent, EqualsTheFormulas) {
  for (const int64_t hidden : {1, 5, 16, 33, 64}) {
    for (const bool bidirectional : {false, true}) {
      for (const bool constant : {false, true}) {
        expect_formulas({"LSTM", 4, 6, 3, 7, hidden, bidirectional}, constant);
        expect_formulas({"RNN", 1, 6, 3, 7, hidden, bidirectional}, constant);
        expect_formulas({"GRU", 3, 6, 3, 7, hidden, bidirectional, false}, constant);
        expect_formulas({"GRU", 3, 6, 3, 7, hidden, bidirectional, true}, constant);
      }
    }
  }
}

TEST(Recurrent, TakesNoStepsAndNoBatch) {
  expect_formulas({"LSTM", 4, 0, 2, 3, 4, false}, true);
  expect_formulas({"GRU", 3, 2, 0, 3, 4, false}, true);
}

// A function that takes no parameter takes none off the list.
TEST(Recurrent, ParametersGoToTheFunctionsThatTakeThem) {
  const Layer layer{"RNN", 1, 4, 2, 3, 5, true};
  const Weights weights(layer);
  const auto run = [&](const char* first, std::vector<float> alphas, std::vector<float> betas) {
    return as_doubles(OneNode("RNN", 14)
                          .attribute("hidden_size", layer.hidden)
                          .attribute("direction", "bidirectional")
                          .attribute("activations", std::vector<std::string>{first, "HardSigmoid"})
                          .attribute("activation_alpha", std::move(alphas))
                          .attribute("activation_beta", std::move(betas))
                          .input(weights.x)
                          .input(weights.w)
                          .input(weights.r)
                          .output(SY_FLOAT32, {layer.steps, 2, layer.batch, layer.hidden})
                          .run());
  };
  const Numbers alone = run("Tanh", {0.3f}, {0.4f});
  const Numbers both = run("Affine", {1, 0.3f}, {0, 0.4f});
  const auto plane = static_cast<size_t>(layer.batch * layer.hidden);
  for (size_t i = 0; i < alone.size(); ++i) {
    if (i / plane % 2 == 0) continue;  // of the first direction
    EXPECT_EQ(alone[i], both[i]) << i;
  }
}

}  // namespace
}  // namespace cpu::testing
