// RNN, GRU, LSTM. All steps' inputs go through one product; each step adds the product of its
// state. Formulas: ONNX operators RNN-14, GRU-14 and LSTM-14.
#include <algorithm>
#include <cstring>

#include "convert.hpp"
#include "kernels.hpp"
#include "kernels/gemm/matrices.hpp"
#include "kernels/movement.hpp"
#include "kernels/recurrent_activation.hpp"
#include "numeric.hpp"

namespace cpu {
namespace {

enum class Cell { rnn, gru, lstm };

// What the node says, whatever the shapes.
struct Layer {
  Cell cell;
  int64_t gates;  // 1, 3 or 4
  int64_t directions;
  bool reverse;  // of one direction
  bool batch_first;
  bool coupled;      // LSTM: the forget gate is what the input gate leaves
  bool reset_after;  // GRU: linear_before_reset
  float clip;        // 0: none
  std::vector<RecurrentActivation> activations;
  PackedMatrix input_weights, state_weights;
};

// One direction's numbers while it runs, all in float.
struct Pass {
  const Layer& layer;
  int64_t steps, batch, hidden;
  const RecurrentActivation* activate;
  const float* state_bias;    // gates * hidden, or null
  const float* peephole;      // 3 * hidden: input, output, forget; or null
  const float* state_matrix;  // gates * hidden rows of hidden
  const void* state_panels;
  float* gates;  // steps * batch rows of gates * hidden: input products and biases
  float* h;      // batch * hidden
  float* c;      // likewise; LSTM
};

float clipped(float x, float clip) { return clip > 0 ? std::clamp(x, -clip, clip) : x; }

// out[batch, count] (+)= h[batch, hidden] * the rows [first, first + count) of the state matrix.
void add_state(const Pass& pass, const float* h, int64_t first, int64_t count, float* out,
               int64_t out_step) {
  MatrixProduct product;
  product.m = pass.batch;
  product.n = count;
  product.k = pass.hidden;
  product.a = {SY_FLOAT32, reinterpret_cast<char*>(const_cast<float*>(h)), pass.hidden, 1};
  product.b = {SY_FLOAT32,
               reinterpret_cast<char*>(const_cast<float*>(pass.state_matrix + first * pass.hidden)),
               1, pass.hidden};
  product.c = {SY_FLOAT32, reinterpret_cast<char*>(out), out_step, 1};
  product.panels =
      first == 0 && count == pass.layer.gates * pass.hidden ? pass.state_panels : nullptr;
  product.accumulate = true;
  multiply(product);
}

void lstm_row(const Pass& pass, const float* gate, float* h, float* c) {
  const int64_t n = pass.hidden;
  const Layer& layer = pass.layer;
  for (int64_t j = 0; j < n; ++j) {
    float in = gate[j], out = gate[n + j], forget = gate[2 * n + j];
    if (pass.peephole) {
      in += pass.peephole[j] * c[j];
      forget += pass.peephole[2 * n + j] * c[j];
    }
    in = pass.activate[0](clipped(in, layer.clip));
    forget = layer.coupled ? 1 - in : pass.activate[0](clipped(forget, layer.clip));
    const float fresh = pass.activate[1](clipped(gate[3 * n + j], layer.clip));
    c[j] = forget * c[j] + in * fresh;
    if (pass.peephole) out += pass.peephole[n + j] * c[j];
    h[j] = pass.activate[0](clipped(out, layer.clip)) * pass.activate[2](c[j]);
  }
}

// `recurrent` holds the state's product for the hidden gate.
void gru_row(const Pass& pass, const float* gate, const float* recurrent, float* h) {
  const int64_t n = pass.hidden;
  for (int64_t j = 0; j < n; ++j) {
    const float update = pass.activate[0](clipped(gate[j], pass.layer.clip));
    const float fresh = pass.activate[1](clipped(gate[2 * n + j] + recurrent[j], pass.layer.clip));
    h[j] = (1 - update) * fresh + update * h[j];
  }
}

void rnn_row(const Pass& pass, const float* gate, float* h) {
  for (int64_t j = 0; j < pass.hidden; ++j)
    h[j] = pass.activate[0](clipped(gate[j], pass.layer.clip));
}

// The hidden gate's part of the state, before or after the reset gate.
void gru_hidden_product(const Pass& pass, float* gate, std::vector<float>& reset,
                        std::vector<float>& product) {
  const int64_t n = pass.hidden;
  add_state(pass, pass.h, 0, 2 * n, gate, 3 * n);
  for (int64_t b = 0; b < pass.batch; ++b) {
    for (int64_t j = 0; j < n; ++j) {
      const float r = pass.activate[0](clipped(gate[b * 3 * n + n + j], pass.layer.clip));
      reset[static_cast<size_t>(b * n + j)] = pass.layer.reset_after ? r : r * pass.h[b * n + j];
    }
  }
  for (int64_t b = 0; b < pass.batch; ++b) {
    const float* bias = pass.state_bias ? pass.state_bias + 2 * n : nullptr;
    for (int64_t j = 0; j < n; ++j) product[static_cast<size_t>(b * n + j)] = bias ? bias[j] : 0;
  }
  add_state(pass, pass.layer.reset_after ? pass.h : reset.data(), 2 * n, n, product.data(), n);
  if (!pass.layer.reset_after) return;
  for (size_t i = 0; i < product.size(); ++i) product[i] *= reset[i];
}

// Runs the steps of one direction; `emit(step, b, h)` for each state that is really reached.
template <typename Emit>
void run_pass(Pass& pass, bool reverse, const std::vector<int64_t>& lengths, const Emit& emit) {
  const int64_t width = pass.layer.gates * pass.hidden, n = pass.hidden;
  std::vector<float> reset, product;
  if (pass.layer.cell == Cell::gru) {
    reset.resize(static_cast<size_t>(pass.batch * n));
    product.resize(reset.size());
  }
  for (int64_t i = 0; i < pass.steps; ++i) {
    const int64_t step = reverse ? pass.steps - 1 - i : i;
    float* gate = pass.gates + step * pass.batch * width;
    if (pass.layer.cell == Cell::gru) {
      gru_hidden_product(pass, gate, reset, product);
    } else {
      add_state(pass, pass.h, 0, width, gate, width);
    }
    for (int64_t b = 0; b < pass.batch; ++b) {
      if (step >= lengths[static_cast<size_t>(b)]) continue;
      float* h = pass.h + b * n;
      const float* row = gate + b * width;
      if (pass.layer.cell == Cell::lstm) lstm_row(pass, row, h, pass.c + b * n);
      if (pass.layer.cell == Cell::gru) gru_row(pass, row, product.data() + b * n, h);
      if (pass.layer.cell == Cell::rnn) rnn_row(pass, row, h);
      emit(step, b, h);
    }
  }
}

// ---- between tensors and floats

std::vector<float> floats_of(const Tensor& tensor) {
  std::vector<float> values(static_cast<size_t>(tensor.size()));
  const sy::Dimensions strides = sy::contiguous_strides(tensor.shape);
  if (!values.empty()) copy_tensor(tensor, {SY_FLOAT32, values.data(), tensor.shape, strides});
  return values;
}

std::vector<float> optional_floats(Call& call, uint32_t input) {
  return call.has_input(input) ? floats_of(call.input(input)) : std::vector<float>();
}

// Weights are read where they lie if they are float32 already.
struct Weights {
  std::vector<float> held;
  const float* data;

  explicit Weights(const Tensor& tensor) {
    if (tensor.dtype != SY_FLOAT32) held = floats_of(tensor);
    data = tensor.dtype == SY_FLOAT32 ? tensor.as<float>() : held.data();
  }
};

// One run of a layer: everything in float, steps first.
class LayerRun {
 public:
  LayerRun(Call& call, const Layer& layer)
      : call_(call),
        layer_(layer),
        x_(steps_first(call.input(0))),
        w_(call.input(1)),
        r_(call.input(2)),
        bias_(optional_floats(call, 3)) {
    const Tensor& x = call.input(0);
    steps_ = x.shape[layer.batch_first ? 1 : 0];
    batch_ = x.shape[layer.batch_first ? 0 : 1];
    inputs_ = x.shape[2];
    hidden_ = call.input(2).shape[2];
    lengths_.assign(static_cast<size_t>(batch_), steps_);
    if (call.has_input(4)) read_lengths(integers_of(call.input(4)));
    h_ = state(5);
    c_ = state(6);
    y_.assign(static_cast<size_t>(steps_ * layer.directions * batch_ * hidden_), 0.0f);
  }

  void run() {
    const std::vector<float> peepholes = optional_floats(call_, 7);
    for (int64_t d = 0; d < layer_.directions; ++d) {
      std::vector<float> gates = input_gates(d);
      const int64_t per = batch_ * hidden_;
      Pass pass{layer_,
                steps_,
                batch_,
                hidden_,
                layer_.activations.data() +
                    d * static_cast<int64_t>(layer_.activations.size()) / layer_.directions,
                bias_.empty() ? nullptr : bias_.data() + (2 * d + 1) * width(),
                peepholes.empty() ? nullptr : peepholes.data() + d * 3 * hidden_,
                r_.data + d * width() * hidden_,
                panels(layer_.state_weights, d),
                gates.data(),
                h_.data() + d * per,
                c_.data() + d * per};
      const bool reverse = layer_.reverse || d == 1;
      run_pass(pass, reverse, lengths_, [&](int64_t step, int64_t b, const float* h) {
        float* to = y_.data() + ((step * layer_.directions + d) * batch_ + b) * hidden_;
        std::copy(h, h + hidden_, to);
      });
    }
    write(0, y_, {steps_, layer_.directions, batch_, hidden_}, {2, 0, 1, 3});
    write(1, h_, {layer_.directions, batch_, hidden_}, {1, 0, 2});
    if (layer_.cell == Cell::lstm) write(2, c_, {layer_.directions, batch_, hidden_}, {1, 0, 2});
  }

 private:
  int64_t width() const { return layer_.gates * hidden_; }

  const void* panels(const PackedMatrix& packed, int64_t direction) const {
    if (!packed.data) return nullptr;
    return static_cast<const char*>(packed.data.get()) + direction * packed.matrix_bytes;
  }

  void read_lengths(const std::vector<int64_t>& lengths) {
    for (size_t b = 0; b < lengths_.size(); ++b) {
      if (lengths[b] < 0 || lengths[b] > steps_) {
        throw sy::invalid("sequence length ", lengths[b], " is outside of ", steps_, " steps");
      }
      lengths_[b] = lengths[b];
    }
  }

  // [batch, steps, n] turned to [steps, batch, n].
  std::vector<float> steps_first(const Tensor& x) const {
    if (!layer_.batch_first) return floats_of(x);
    const int64_t shape[] = {x.shape[1], x.shape[0], x.shape[2]};
    const int64_t strides[] = {x.strides[1], x.strides[0], x.strides[2]};
    return floats_of({x.dtype, x.data, shape, strides});
  }

  std::vector<float> state(uint32_t input) const {
    if (!call_.has_input(input)) {
      return std::vector<float>(static_cast<size_t>(layer_.directions * batch_ * hidden_), 0.0f);
    }
    return steps_first(call_.input(input));  // the same turn: batch comes second
  }

  // What no state changes: every step's input product and the biases.
  std::vector<float> input_gates(int64_t direction) const {
    const int64_t rows = steps_ * batch_;
    std::vector<float> gates(static_cast<size_t>(rows * width()), 0.0f);
    MatrixProduct product;
    product.m = rows;
    product.n = width();
    product.k = inputs_;
    product.a = {SY_FLOAT32, reinterpret_cast<char*>(const_cast<float*>(x_.data())), inputs_, 1};
    product.b = {
        SY_FLOAT32,
        reinterpret_cast<char*>(const_cast<float*>(w_.data + direction * width() * inputs_)), 1,
        inputs_};
    product.c = {SY_FLOAT32, reinterpret_cast<char*>(gates.data()), width(), 1};
    product.panels = panels(layer_.input_weights, direction);
    if (rows > 0 && inputs_ > 0) multiply(product);
    if (bias_.empty()) return gates;
    const float* bias = bias_.data() + direction * 2 * width();
    // GRU's hidden gate gets its state bias with the state's product.
    const int64_t both = layer_.cell == Cell::gru ? 2 * hidden_ : width();
    for (int64_t row = 0; row < rows; ++row) {
      float* gate = gates.data() + row * width();
      for (int64_t j = 0; j < width(); ++j) gate[j] += bias[j] + (j < both ? bias[width() + j] : 0);
    }
    return gates;
  }

  // Writes steps-first floats to an output; `turned` are the axes of the batch-first layout.
  void write(uint32_t output, std::vector<float>& values, std::vector<int64_t> shape,
             const std::vector<size_t>& turned) {
    if (!call_.has_output(output)) return;
    const sy::Dimensions own = sy::contiguous_strides(shape);
    std::vector<int64_t> strides(shape.size());
    std::vector<int64_t> seen(shape.size());
    for (size_t i = 0; i < shape.size(); ++i) {
      const size_t axis = layer_.batch_first ? turned[i] : i;
      seen[i] = shape[axis];
      strides[i] = own[axis];
    }
    const Tensor& out = call_.output(output);
    if (out.size() == 0) return;
    copy_tensor({SY_FLOAT32, values.data(), seen, strides}, out);
  }

  Call& call_;
  const Layer& layer_;
  int64_t steps_, batch_, inputs_, hidden_;
  std::vector<float> x_;
  Weights w_, r_;
  std::vector<float> bias_;
  std::vector<int64_t> lengths_;
  std::vector<float> h_, c_, y_;
};

// ---- making the kernel

Layer layer_of(const sy::Node& node, Cell cell, int64_t gates,
               std::vector<std::string_view> defaults) {
  const std::string_view direction = node.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " does not know direction '", direction,
                          "'");
  }
  Layer layer{};
  layer.cell = cell;
  layer.gates = gates;
  layer.directions = direction == "bidirectional" ? 2 : 1;
  layer.reverse = direction == "reverse";
  layer.batch_first = node.flag("layout");
  layer.coupled = node.flag("input_forget");
  layer.reset_after = node.flag("linear_before_reset");
  layer.clip = node.real("clip", 0);
  layer.activations =
      recurrent_activations(node, static_cast<size_t>(layer.directions), std::move(defaults));
  return layer;
}

Layer layer_of(const sy::Node& node) {
  if (node.op() == "LSTM") return layer_of(node, Cell::lstm, 4, {"Sigmoid", "Tanh", "Tanh"});
  if (node.op() == "GRU") return layer_of(node, Cell::gru, 3, {"Sigmoid", "Tanh"});
  return layer_of(node, Cell::rnn, 1, {"Tanh"});
}

PackedMatrix pack_weights(const sy::Node& node, uint32_t input) {
  const sy_value& value = node.needed_input(input);
  if (!sy::is_constant(value) || value.data == nullptr || value.dtype != SY_FLOAT32) return {};
  return pack_constant(value, value.shape[2], value.shape[1], 1, value.shape[2]);
}

Prepared make_recurrent(const sy::Node& node) {
  Layer layer = layer_of(node);
  Prepared made;
  layer.input_weights = pack_weights(node, 1);
  layer.state_weights = pack_weights(node, 2);
  for (uint32_t input : {1u, 2u}) {
    const PackedMatrix& packed = input == 1 ? layer.input_weights : layer.state_weights;
    if (packed.data) {
      made.packed.push_back({input, packed.data, static_cast<uint64_t>(packed.size_bytes), false});
    }
  }
  made.run = [layer](Call& call) { LayerRun(call, layer).run(); };
  return made;
}

void check_recurrent(const sy::Node& node) { layer_of(node); }

constexpr uint64_t floats =
    SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16) | SY_DTYPE_BIT(SY_BFLOAT16);
constexpr uint64_t with_lengths = floats | SY_DTYPE_BIT(SY_INT32);

constexpr KernelRow rows[] = {
    {"LSTM", with_lengths, floats, make_recurrent, check_recurrent},
    {"GRU", with_lengths, floats, make_recurrent, check_recurrent},
    {"RNN", with_lengths, floats, make_recurrent, check_recurrent},
};

}  // namespace

KernelTable recurrent_kernels() { return rows; }

}  // namespace cpu
