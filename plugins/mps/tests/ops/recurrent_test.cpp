// RNN, GRU and LSTM against the formulas of ONNX's operators, in double, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

using Doubles = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double tangent(double x) { return std::tanh(x); }
using Function = double (*)(double);

struct Layer {
  std::string op = "LSTM";
  int64_t steps = 5, batch = 3, inputs = 4, hidden = 6;
  std::string direction = "forward";
  bool batch_first = false;
  bool has_bias = true, has_states = true, has_lengths = false, has_peepholes = false;
  bool reset_after = false, coupled = false;
  double clip = 0;
  std::vector<std::string> activations = {};
  std::vector<float> alphas = {}, betas = {};
  // What `activations` come to, and for h the last; by default the op's own.
  std::vector<std::function<double(double)>> functions = {};

  int64_t gates() const { return op == "LSTM" ? 4 : op == "GRU" ? 3 : 1; }
  int64_t directions() const { return direction == "bidirectional" ? 2 : 1; }
  int64_t width() const { return gates() * hidden; }
};

// Small enough that a gate is not at its end.
template <typename T>
std::vector<T> weights(int64_t count, unsigned seed) {
  std::vector<T> made = numbers<T>(count, seed);
  for (T& one : made) one = static_cast<T>(static_cast<float>(one) / 16);
  return made;
}

template <typename T>
class Net {
 public:
  explicit Net(Layer layer) : l_(std::move(layer)) {
    const int64_t d = l_.directions(), n = l_.hidden;
    x = weights<T>(l_.steps * l_.batch * l_.inputs, 1);
    w = weights<T>(d * l_.width() * l_.inputs, 2);
    r = weights<T>(d * l_.width() * n, 3);
    b = weights<T>(d * 2 * l_.width(), 4);
    h0 = weights<T>(d * l_.batch * n, 5);
    c0 = weights<T>(d * l_.batch * n, 6);
    p = weights<T>(d * 3 * n, 7);
    for (int64_t i = 0; i < l_.batch; ++i) {
      lengths.push_back(static_cast<int32_t>((i * 2 + 1) % (l_.steps + 1)));
    }
    if (l_.functions.empty()) l_.functions = {sigmoid, tangent, tangent};
    if (l_.op == "RNN" && l_.activations.empty()) l_.functions = {tangent};
    solve();
  }

  Case node() const {
    Case made(l_.op, 14);
    made.attribute("hidden_size", l_.hidden).attribute("direction", l_.direction.c_str());
    if (l_.batch_first) made.attribute("layout", 1);
    if (l_.reset_after) made.attribute("linear_before_reset", 1);
    if (l_.coupled) made.attribute("input_forget", 1);
    if (l_.clip > 0) made.attribute("clip", l_.clip);
    if (!l_.activations.empty()) made.attribute("activations", l_.activations);
    if (!l_.alphas.empty()) made.attribute("activation_alpha", l_.alphas);
    if (!l_.betas.empty()) made.attribute("activation_beta", l_.betas);
    const int64_t d = l_.directions(), n = l_.hidden;
    made.input(turned3({l_.steps, l_.batch, l_.inputs}), turned(x, l_.steps, l_.inputs));
    made.input({d, l_.width(), l_.inputs}, w).input({d, l_.width(), n}, r);
    l_.has_bias ? made.input({d, 2 * l_.width()}, b) : made.no_input();
    l_.has_lengths ? made.input({l_.batch}, lengths) : made.no_input();
    if (!l_.has_states && !l_.has_peepholes) return made;
    l_.has_states ? made.input(turned3({d, l_.batch, n}), turned(h0, d, n)) : made.no_input();
    if (l_.op != "LSTM") return made;
    l_.has_states ? made.input(turned3({d, l_.batch, n}), turned(c0, d, n)) : made.no_input();
    if (l_.has_peepholes) made.input({d, 3 * n}, p);
    return made;
  }

  void check(double tolerance) const {
    const int64_t d = l_.directions(), n = l_.hidden;
    Case made = node();
    Shape shape = {l_.steps, d, l_.batch, n};
    if (l_.batch_first) shape = {l_.batch, l_.steps, d, n};
    made.output(shape,
                made_by<T>(shape,
                           [&](const Shape& at) {
                             return l_.batch_first ? y_at(at[1], at[2], at[0], at[3])
                                                   : y_at(at[0], at[1], at[2], at[3]);
                           }),
                tolerance);
    made.output(turned3({d, l_.batch, n}), turned(rounded(h), d, n), tolerance);
    if (l_.op == "LSTM") {
      made.output(turned3({d, l_.batch, n}), turned(rounded(c), d, n), tolerance);
    }
    made.check();
  }

  std::vector<T> x, w, r, b, h0, c0, p;
  std::vector<int32_t> lengths;
  Doubles y, h, c;

 private:
  double y_at(int64_t t, int64_t d, int64_t b, int64_t j) const {
    return y[static_cast<size_t>(((t * l_.directions() + d) * l_.batch + b) * l_.hidden + j)];
  }
  Shape turned3(Shape shape) const {
    if (l_.batch_first) std::swap(shape[0], shape[1]);
    return shape;
  }
  // [first, batch, n] to [batch, first, n], where the batch comes first.
  std::vector<T> turned(const std::vector<T>& given, int64_t first, int64_t n) const {
    if (!l_.batch_first) return given;
    return made_by<T>({l_.batch, first, n}, [&](const Shape& at) {
      return given[static_cast<size_t>((at[1] * l_.batch + at[0]) * n + at[2])];
    });
  }
  static std::vector<T> rounded(const Doubles& given) {
    std::vector<T> made;
    for (const double one : given) made.push_back(static_cast<T>(one));
    return made;
  }

  double activate(size_t function, double x) const {
    if (l_.clip > 0) x = std::clamp(x, -l_.clip, l_.clip);
    return l_.functions[function](x);
  }

  // The sum that a row of a matrix makes with a vector.
  static double product(const std::vector<T>& matrix, int64_t row, int64_t count,
                        const std::function<double(int64_t)>& vector) {
    double sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      sum += static_cast<double>(matrix[static_cast<size_t>(row * count + k)]) * vector(k);
    }
    return sum;
  }

  void solve() {
    const int64_t n = l_.hidden;
    y.assign(static_cast<size_t>(l_.steps * l_.directions() * l_.batch * n), 0.0);
    for (int64_t d = 0; d < l_.directions(); ++d) {
      for (int64_t e = 0; e < l_.batch; ++e) {
        Doubles state(static_cast<size_t>(n), 0.0), cell(state);
        for (int64_t j = 0; j < n && l_.has_states; ++j) {
          const auto at = static_cast<size_t>((d * l_.batch + e) * n + j);
          state[static_cast<size_t>(j)] = static_cast<double>(h0[at]);
          cell[static_cast<size_t>(j)] = static_cast<double>(c0[at]);
        }
        const int64_t length = l_.has_lengths ? lengths[static_cast<size_t>(e)] : l_.steps;
        const bool reversed = d == 1 || l_.direction == "reverse";
        for (int64_t i = 0; i < length; ++i) {
          const int64_t t = reversed ? length - 1 - i : i;
          step(d, e, t, state, cell);
          for (int64_t j = 0; j < n; ++j) {
            y[static_cast<size_t>(((t * l_.directions() + d) * l_.batch + e) * n + j)] =
                state[static_cast<size_t>(j)];
          }
        }
        h.insert(h.end(), state.begin(), state.end());
        c.insert(c.end(), cell.begin(), cell.end());
      }
    }
  }

  void step(int64_t d, int64_t e, int64_t t, Doubles& state, Doubles& cell) const {
    const int64_t n = l_.hidden;
    const auto bias = [&](int64_t position) {
      return l_.has_bias
                 ? static_cast<double>(b[static_cast<size_t>(d * 2 * l_.width() + position)])
                 : 0.0;
    };
    const auto given = [&](int64_t row) {
      return bias(row) + product(w, d * l_.width() + row, l_.inputs, [&](int64_t k) {
               return static_cast<double>(
                   x[static_cast<size_t>((t * l_.batch + e) * l_.inputs + k)]);
             });
    };
    const auto of_state = [&](int64_t row, const Doubles& vector) {
      return bias(l_.width() + row) + product(r, d * l_.width() + row, n, [&](int64_t k) {
               return vector[static_cast<size_t>(k)];
             });
    };
    const auto peephole = [&](int64_t position) {
      return l_.has_peepholes ? static_cast<double>(p[static_cast<size_t>(d * 3 * n + position)])
                              : 0.0;
    };
    const auto gate = [&](int64_t row) { return given(row) + of_state(row, state); };
    Doubles next = state, after_reset = state;
    for (int64_t j = 0; j < n && l_.op == "GRU"; ++j) {
      after_reset[static_cast<size_t>(j)] *= activate(0, gate(n + j));
    }
    for (int64_t j = 0; j < n; ++j) {
      double& h_j = next[static_cast<size_t>(j)];
      double& c_j = cell[static_cast<size_t>(j)];
      if (l_.op == "RNN") h_j = activate(0, gate(j));
      if (l_.op == "GRU") {
        const double hidden = l_.reset_after ? activate(0, gate(n + j)) * of_state(2 * n + j, state)
                                             : of_state(2 * n + j, after_reset);
        const double update = activate(0, gate(j));
        h_j = (1 - update) * activate(1, given(2 * n + j) + hidden) +
              update * state[static_cast<size_t>(j)];
      }
      if (l_.op == "LSTM") {
        const double in = activate(0, gate(j) + peephole(j) * c_j);
        const double forget =
            l_.coupled ? 1 - in : activate(0, gate(2 * n + j) + peephole(2 * n + j) * c_j);
        c_j = forget * c_j + in * activate(1, gate(3 * n + j));
        h_j = activate(0, gate(n + j) + peephole(n + j) * c_j) * l_.functions[2](c_j);
      }
    }
    state = next;
  }

  Layer l_;
};

template <typename T>
class RecurrentOf : public testing::Test {
 protected:
  static constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 3e-3;
};
TYPED_TEST_SUITE(RecurrentOf, FloatAndHalf);

TYPED_TEST(RecurrentOf, DirectionsAndLayouts) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
      for (const bool batch_first : {false, true}) {
        SCOPED_TRACE(std::string(op) + " " + direction + (batch_first ? ", batch first" : ""));
        Net<TypeParam>({.op = op, .direction = direction, .batch_first = batch_first})
            .check(this->tolerance);
      }
    }
  }
}

TYPED_TEST(RecurrentOf, OneStepOfFewEntries) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    Net<TypeParam>({.op = op, .steps = 1, .batch = 1, .inputs = 33, .hidden = 40})
        .check(this->tolerance);
    Net<TypeParam>({.op = op, .steps = 3, .batch = 2, .hidden = 40, .direction = "bidirectional"})
        .check(this->tolerance);
  }
}

TYPED_TEST(RecurrentOf, LengthsOfSequences) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (const bool reset_after : {false, true}) {
      Net<TypeParam>({.op = op,
                      .direction = "bidirectional",
                      .has_lengths = true,
                      .reset_after = reset_after && std::string(op) == "GRU"})
          .check(this->tolerance);
    }
    Net<TypeParam>({.op = op, .direction = "reverse", .batch_first = true, .has_lengths = true})
        .check(this->tolerance);
  }
}

TYPED_TEST(RecurrentOf, WhatIsLeftOut) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (const bool has_bias : {false, true}) {
      Net<TypeParam>({.op = op, .has_bias = has_bias, .has_states = false}).check(this->tolerance);
      Net<TypeParam>({.op = op, .has_bias = false, .has_states = has_bias}).check(this->tolerance);
    }
  }
}

TYPED_TEST(RecurrentOf, VariantsOfCells) {
  Net<TypeParam>({.op = "GRU", .direction = "bidirectional", .reset_after = true})
      .check(this->tolerance);
  Net<TypeParam>({.op = "LSTM", .direction = "bidirectional", .has_peepholes = true})
      .check(this->tolerance);
  Net<TypeParam>({.op = "LSTM", .has_states = false, .has_peepholes = true, .coupled = true})
      .check(this->tolerance);
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    Net<TypeParam>({.op = op, .clip = 0.25}).check(this->tolerance);
  }
}

// A state that one threadgroup does not handle: a dispatch a step.
TEST(Recurrent, LargeStates) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    for (const bool reset_after : {false, true}) {
      if (reset_after && std::string(op) != "GRU") continue;
      Net<float>({.op = op,
                  .steps = 2,
                  .batch = 2,
                  .inputs = 3,
                  .hidden = 270,
                  .direction = "bidirectional",
                  .has_lengths = true,
                  .reset_after = reset_after})
          .check(2e-5);
    }
  }
}

TEST(Recurrent, Activations) {
  const auto leaky = [](double x) { return x < 0 ? 0.3 * x : x; };
  const auto affine = [](double x) { return 0.5 * x + 0.25; };
  const auto hard = [](double x) { return std::clamp(0.2 * x + 0.5, 0.0, 1.0); };
  const auto soft = [](double x) { return x / (1 + std::fabs(x)); };
  Net<float>({.op = "LSTM",
              .activations = {"HardSigmoid", "leakyrelu", "Softsign"},
              .alphas = {0.2f, 0.3f},
              .betas = {0.5f},
              .functions = {hard, leaky, soft}})
      .check(1e-5);
  // A function that takes no parameter takes none off the list.
  Net<float>({.op = "LSTM",
              .activations = {"Sigmoid", "leakyrelu", "HardSigmoid"},
              .alphas = {0.3f, 0.2f},
              .betas = {0.5f},
              .functions = {sigmoid, leaky, hard}})
      .check(1e-5);
  Net<float>({.op = "RNN",
              .activations = {"Affine"},
              .alphas = {0.5f},
              .betas = {0.25f},
              .functions = {affine}})
      .check(1e-5);
  const std::pair<const char*, std::function<double(double)>> of_one[] = {
      {"Relu", [](double x) { return std::max(x, 0.0); }},
      {"ThresholdedRelu", [](double x) { return x > 1 ? x : 0.0; }},
      {"ScaledTanh", [](double x) { return std::tanh(x); }},
      {"Elu", [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"Softplus", [](double x) { return std::log1p(std::exp(x)); }},
      {"Sigmoid", sigmoid},
  };
  for (const auto& [name, function] : of_one) {
    SCOPED_TRACE(name);
    Net<float>({.op = "RNN", .activations = {name}, .functions = {function}}).check(1e-5);
  }
}

TEST(Recurrent, NoStepsLeaveTheFirstState) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    Net<float>({.op = op, .steps = 0}).check(0);
    Net<float>({.op = op, .inputs = 0}).check(1e-5);
  }
}

TEST(Recurrent, WhatIsNotANumberStaysWithItsEntry) {
  Case("RNN", 14)
      .attribute("hidden_size", 1)
      .input<float>({2, 2, 1}, {NAN, 1, 1, INFINITY})
      .input<float>({1, 1, 1}, {1})
      .input<float>({1, 1, 1}, {0})
      .output<float>({2, 1, 2, 1}, {NAN, std::tanh(1.0f), NAN, 1}, 1e-6)
      .check();
}

TEST(Recurrent, RefusesWhatOnnxDoesNotHave) {
  const auto node = [] {
    Case made("RNN", 14);
    made.attribute("hidden_size", 1)
        .input<float>({1, 1, 1}, {1})
        .input<float>({1, 1, 1}, {1})
        .input<float>({1, 1, 1}, {1});
    return made;
  };
  EXPECT_EQ(
      node().attribute("direction", "sideways").output<float>({1, 1, 1, 1}, {0}).failure().reason(),
      SY_REASON_ATTRIBUTE);
  EXPECT_EQ(node()
                .attribute("activations", std::vector<std::string>{"Sine"})
                .output<float>({1, 1, 1, 1}, {0})
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
}

TEST(Recurrent, ReportsALengthBeyondTheSteps) {
  const sy::Failure failure = Case("RNN", 14)
                                  .attribute("hidden_size", 1)
                                  .input<float>({2, 1, 1}, {1, 1})
                                  .input<float>({1, 1, 1}, {1})
                                  .input<float>({1, 1, 1}, {1})
                                  .no_input()
                                  .input<int32_t>({1}, {3})
                                  .output<float>({2, 1, 1, 1}, {0, 0})
                                  .failure();
  EXPECT_NE(std::string(failure.what()).find("a sequence length is 3, but there are 2 steps"),
            std::string::npos)
      << failure.what();
}

TEST(Recurrent, OfNoOutputsDoesNothing) {
  Case("GRU", 14)
      .attribute("hidden_size", 1)
      .input<float>({2, 1, 1}, {1, 2})
      .input<float>({1, 3, 1}, {1, 2, 3})
      .input<float>({1, 3, 1}, {1, 2, 3})
      .no_output()
      .no_output()
      .check();
}

}  // namespace
}  // namespace mps::op_tests
