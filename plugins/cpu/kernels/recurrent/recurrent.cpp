// RNN, GRU, LSTM. All steps' inputs go through one product; each step adds the product of its
// state. Formulas: ONNX operators RNN-14, GRU-14 and LSTM-14.
#include <algorithm>
#include <cstring>

#include "gemm/matrices.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "kernels/recurrent/recurrent_pass.hpp"
#include "loops/convert.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "types/numeric.hpp"

namespace cpu {
namespace {

using Cell = RecurrentCell;
using Layer = RecurrentLayer;
// ---- between tensors and floats

std::vector<float> optional_floats(Call& call, uint32_t input) {
  return call.has_input(input) ? floats_of(call.input(input)) : std::vector<float>();
}

// LayerWeights are read where they lie if they are float32 already.
struct LayerWeights {
  std::vector<float> held;
  const float* data;

  explicit LayerWeights(const ConstTensor& tensor) {
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
    const ConstTensor& x = call.input(0);
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
    const int64_t gates_of_direction = steps_ * batch_ * width();
    const Scratch<float> gates(layer_.directions * gates_of_direction);
    for (int64_t d = 0; d < layer_.directions; ++d) {
      write_input_gates(d, gates.data() + d * gates_of_direction);
    }
    // Directions know nothing of each other; products that are worth the team come one by one.
    const bool share = batch_ * width() * hidden_ < int64_t{1} << 21;
    parallel_for(layer_.directions, share ? 1 : layer_.directions, [&](int64_t begin, int64_t end) {
      for (int64_t d = begin; d < end; ++d) {
        run_direction(d, gates.data() + d * gates_of_direction, peepholes);
      }
    });
    write(0, y_, {steps_, layer_.directions, batch_, hidden_}, {2, 0, 1, 3});
    write(1, h_, {layer_.directions, batch_, hidden_}, {1, 0, 2});
    if (layer_.cell == Cell::lstm) write(2, c_, {layer_.directions, batch_, hidden_}, {1, 0, 2});
  }

 private:
  void run_direction(int64_t d, float* gates, const std::vector<float>& peepholes) {
    const int64_t per = batch_ * hidden_;
    RecurrentPass pass{layer_,
                       steps_,
                       batch_,
                       hidden_,
                       layer_.activations.data() +
                           d * static_cast<int64_t>(layer_.activations.size()) / layer_.directions,
                       bias_.empty() ? nullptr : bias_.data() + (2 * d + 1) * width(),
                       peepholes.empty() ? nullptr : peepholes.data() + d * 3 * hidden_,
                       r_.data + d * width() * hidden_,
                       panels(layer_.state_weights, d),
                       gates,
                       h_.data() + d * per,
                       c_.data() + d * per};
    const bool reverse = layer_.reverse || d == 1;
    run_pass(pass, reverse, lengths_, [&](int64_t step, int64_t b, const float* h) {
      float* to = y_.data() + ((step * layer_.directions + d) * batch_ + b) * hidden_;
      std::copy(h, h + hidden_, to);
    });
  }

  int64_t width() const { return layer_.gates * hidden_; }

  const float* panels(const PackedMatrix& packed, int64_t direction) const {
    if (!packed.data) return nullptr;
    return static_cast<const float*>(packed.data.get()) +
           direction * packed.matrix_bytes / static_cast<int64_t>(sizeof(float));
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
  std::vector<float> steps_first(const ConstTensor& x) const {
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
  void write_input_gates(int64_t direction, float* gates) const {
    const int64_t rows = steps_ * batch_;
    MatrixProduct product;
    product.m = rows;
    product.n = width();
    product.k = inputs_;
    product.a = {SY_FLOAT32, x_.data(), inputs_, 1};
    product.b = {SY_FLOAT32, w_.data + direction * width() * inputs_, 1, inputs_};
    product.c = {SY_FLOAT32, gates, width(), 1};
    product.panels = panels(layer_.input_weights, direction);
    if (inputs_ == 0) std::fill_n(gates, rows * width(), 0.0f);
    if (rows > 0 && inputs_ > 0) multiply(product);
    if (bias_.empty()) return;
    const float* bias = bias_.data() + direction * 2 * width();
    // GRU's hidden gate gets its state bias with the state's product.
    const int64_t both = layer_.cell == Cell::gru ? 2 * hidden_ : width();
    for (int64_t row = 0; row < rows; ++row) {
      float* gate = gates + row * width();
      for (int64_t j = 0; j < width(); ++j) gate[j] += bias[j] + (j < both ? bias[width() + j] : 0);
    }
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
  LayerWeights w_, r_;
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
  const sy_value& value = node.required_input(input);
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
  made.kernel = function_kernel([layer](Call& call) { LayerRun(call, layer).run(); });
  return made;
}

void check_recurrent(const sy::Node& node) { layer_of(node); }

constexpr uint64_t with_lengths = up_to_float32 | SY_DTYPE_BIT(SY_INT32);

constexpr KernelRow recurrent_rows[] = {
    {"LSTM", with_lengths, up_to_float32, make_recurrent, check_recurrent},
    {"GRU", with_lengths, up_to_float32, make_recurrent, check_recurrent},
    {"RNN", with_lengths, up_to_float32, make_recurrent, check_recurrent},
};

}  // namespace

KernelTable recurrent_kernels() { return recurrent_rows; }

}  // namespace cpu
