// Gradients of RNN, GRU and LSTM: their steps once more, as the ops do not keep what is between.
#include <string>
#include <switchyard/functions.hpp>

#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"
#include "gradients/rules/recurrent_activations.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

/// What a layer is, and its inputs: steps first, in the type that is computed in.
struct Layer {
  std::int64_t gates, directions, steps, batch, hidden;
  bool reverse, batch_first, input_forget, reset_after;
  double clip;
  std::vector<GateFunction> functions;
  Tensor x, weights, state_weights, bias, lengths, first_h, first_c, peepholes;

  Layer(const Backward& step, In in, std::int64_t gate_count,
        const std::vector<std::string>& defaults)
      : gates(gate_count) {
    const Attributes& given = step.attributes();
    const std::string_view direction = given.get_text("direction", "forward");
    directions = direction == "bidirectional" ? 2 : 1;
    reverse = direction == "reverse";
    batch_first = given.get_int("layout", 0) != 0;
    input_forget = given.get_int("input_forget", 0) != 0;
    reset_after = given.get_int("linear_before_reset", 0) != 0;
    clip = given.get_float("clip", 0);
    functions = gate_functions(given, static_cast<std::size_t>(directions), defaults);
    const auto optional = [&](std::size_t i) {
      return i < in.size() && in[i].defined() ? widened(in[i]) : Tensor();
    };
    x = steps_first(widened(in[0]));
    weights = widened(in[1]);
    state_weights = widened(in[2]);
    bias = optional(3);
    if (in.size() > 4 && in[4].defined()) lengths = reshape(in[4].to(DType::int64), {-1, 1});
    steps = x.size(0);
    batch = x.size(1);
    hidden = state_weights.size(2);
    first_h = state(optional(5));
    first_c = state(optional(6));
    peepholes = optional(7);
  }

  /// Whether GRU's reset gate changes the state before the product, not the product.
  bool changes_state() const { return gates == 3 && !reset_after; }
  const GateFunction& function(std::int64_t direction, std::size_t i) const {
    const std::size_t each = functions.size() / static_cast<std::size_t>(directions);
    return functions[static_cast<std::size_t>(direction) * each + i];
  }
  Tensor steps_first(const Tensor& given) const {
    return batch_first ? transpose(given, 0, 1) : given;
  }

 private:
  Tensor state(const Tensor& given) const {
    if (given.defined()) return steps_first(given);
    return x.detach().new_full({directions, batch, hidden}, 0);
  }
};

/// One direction while it runs. The cells below make the next state of a whole batch.
class Pass {
 public:
  Pass(const Layer& layer, std::int64_t direction)
      : h(select(layer.first_h, 0, direction)),
        c(select(layer.first_c, 0, direction)),
        layer_(layer),
        direction_(direction) {
    const std::int64_t width = layer.gates * layer.hidden;
    const Tensor weights = select(layer.state_weights, 0, direction);
    Tensor input_bias, state_bias;
    if (layer.bias.defined()) {
      const Tensor both = select(layer.bias, 0, direction);
      input_bias = narrow(both, 0, 0, width);
      state_bias = narrow(both, 0, width, width);
    }
    // A gate that sees a changed state has its weights apart.
    const std::int64_t whole = (layer.changes_state() ? 2 : layer.gates) * layer.hidden;
    state_weights_ = narrow(weights, 0, 0, whole);
    if (state_bias.defined()) state_bias_ = narrow(state_bias, 0, 0, whole);
    if (layer.changes_state()) {
      changed_weights_ = narrow(weights, 0, whole, layer.hidden);
      if (state_bias.defined()) changed_bias_ = narrow(state_bias, 0, whole, layer.hidden);
    }
    if (layer.peepholes.defined()) {
      peepholes_ = split(select(layer.peepholes, 0, direction), layer.hidden);
    }
    const Tensor rows = reshape(layer.x, {layer.steps * layer.batch, layer.x.size(2)});
    const Tensor made = linear(rows, select(layer.weights, 0, direction), input_bias);
    gates_ = unbind(reshape(made, {layer.steps, layer.batch, width}));
  }

  Tensor h, c;

  /// A gate's numbers from this step's input, and from the state before.
  const Tensor& from_input(std::size_t gate) const { return from_input_[gate]; }
  const Tensor& from_state(std::size_t gate) const { return from_state_[gate]; }
  Tensor gate(std::size_t gate) const { return add(from_input(gate), from_state(gate)); }
  /// The last gate's numbers from a state that was changed.
  Tensor from_changed(const Tensor& state) const {
    return linear(state, changed_weights_, changed_bias_);
  }

  Tensor activated(std::size_t function, const Tensor& x) const {
    return run(function, layer_.clip > 0 ? clamp(x, -layer_.clip, layer_.clip) : x);
  }
  Tensor run(std::size_t function, const Tensor& x) const {
    return layer_.function(direction_, function)(x);
  }
  /// `x` and what the peephole to a gate (input, output, forget) sees.
  Tensor peeping(const Tensor& x, std::size_t gate, const Tensor& cell) const {
    return peepholes_.empty() ? x : add(x, mul(cell, peepholes_[gate]));
  }
  const Layer& layer() const { return layer_; }

  /// Runs all steps; the states that were reached, [steps, batch, hidden], others being 0.
  Tensor run_steps(void (*next)(Pass&)) {
    std::vector<Tensor> states(static_cast<std::size_t>(layer_.steps));
    const bool backwards = layer_.reverse || direction_ == 1;
    for (std::int64_t i = 0; i < layer_.steps; ++i) {
      const std::int64_t at = backwards ? layer_.steps - 1 - i : i;
      from_input_ = split(gates_[static_cast<std::size_t>(at)], layer_.hidden, 1);
      from_state_ = split(linear(h, state_weights_, state_bias_), layer_.hidden, 1);
      const Tensor h_before = h, c_before = c;
      next(*this);
      Tensor& state = states[static_cast<std::size_t>(at)];
      state = h;
      if (!layer_.lengths.defined()) continue;
      const Mask within = gt(layer_.lengths, at);
      state = where(within, h, 0);
      h = where(within, h, h_before);
      c = where(within, c, c_before);
    }
    return states.empty() ? Tensor() : stack(states, 0);
  }

 private:
  const Layer& layer_;
  const std::int64_t direction_;
  Tensor state_weights_, state_bias_, changed_weights_, changed_bias_;
  std::vector<Tensor> gates_, from_input_, from_state_, peepholes_;
};

void next_of_rnn(Pass& pass) { pass.h = pass.activated(0, pass.gate(0)); }

/// Gates: update, reset, hidden.
void next_of_gru(Pass& pass) {
  const Tensor update = pass.activated(0, pass.gate(0));
  const Tensor reset = pass.activated(0, pass.gate(1));
  const Tensor from_state = pass.layer().reset_after ? mul(reset, pass.from_state(2))
                                                     : pass.from_changed(mul(reset, pass.h));
  const Tensor fresh = pass.activated(1, add(pass.from_input(2), from_state));
  pass.h = add(mul(sub(1, update), fresh), mul(update, pass.h));
}

/// Gates: input, output, forget, cell.
void next_of_lstm(Pass& pass) {
  const Tensor before = pass.c;
  const Tensor in = pass.activated(0, pass.peeping(pass.gate(0), 0, before));
  const Tensor forget = pass.layer().input_forget
                            ? sub(1, in)
                            : pass.activated(0, pass.peeping(pass.gate(2), 2, before));
  pass.c = add(mul(forget, before), mul(in, pass.activated(1, pass.gate(3))));
  const Tensor out = pass.activated(0, pass.peeping(pass.gate(1), 1, pass.c));
  pass.h = mul(out, pass.run(2, pass.c));
}

std::vector<Tensor> run_layer(const Layer& layer, DType dtype, void (*next)(Pass&)) {
  std::vector<Tensor> states, last_h, last_c;
  for (std::int64_t d = 0; d < layer.directions; ++d) {
    Pass pass(layer, d);
    states.push_back(pass.run_steps(next));
    last_h.push_back(pass.h);
    last_c.push_back(pass.c);
  }
  Tensor y;
  if (layer.steps > 0) y = stack(states, 1);
  if (y.defined() && layer.batch_first) y = permute(y, {2, 0, 1, 3});
  return {y.defined() ? y.to(dtype) : y, layer.steps_first(stack(last_h, 0)).to(dtype),
          layer.steps_first(stack(last_c, 0)).to(dtype)};
}

std::vector<Tensor> rnn(const Backward& step, In in) {
  return run_layer(Layer(step, in, 1, {"Tanh"}), in[0].dtype(), next_of_rnn);
}
std::vector<Tensor> gru(const Backward& step, In in) {
  return run_layer(Layer(step, in, 3, {"Sigmoid", "Tanh"}), in[0].dtype(), next_of_gru);
}
std::vector<Tensor> lstm(const Backward& step, In in) {
  return run_layer(Layer(step, in, 4, {"Sigmoid", "Tanh", "Tanh"}), in[0].dtype(), next_of_lstm);
}

constexpr RuleRow kRecurrentRules[] = {
    {"RNN", composite_gradient<rnn>, kAll},
    {"GRU", composite_gradient<gru>, kAll},
    {"LSTM", composite_gradient<lstm>, kAll},
};

}  // namespace

std::span<const RuleRow> recurrent_rules() { return kRecurrentRules; }

}  // namespace switchyard
