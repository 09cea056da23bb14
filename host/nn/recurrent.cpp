#include <switchyard/nn/recurrent.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/require.hpp"
#include "functions/neural/recurrent.hpp"
#include "nn/class_name.hpp"
#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"
#include "types/describe.hpp"

namespace switchyard::nn {
namespace {

LSTMOptions shared(const RNNOptions& options) {
  return {.batch_first = options.batch_first,
          .bias = options.bias,
          .bidirectional = options.bidirectional,
          .dropout = options.dropout,
          .num_layers = options.num_layers};
}

LSTMOptions shared(const GRUOptions& options) {
  return {.batch_first = options.batch_first,
          .bias = options.bias,
          .bidirectional = options.bidirectional,
          .dropout = options.dropout,
          .num_layers = options.num_layers};
}

RecurrentCell cell_of(RNNNonlinearity nonlinearity) {
  return nonlinearity == RNNNonlinearity::relu ? RecurrentCell::rnn_relu : RecurrentCell::rnn_tanh;
}

void check_options(const char* layer, std::int64_t input_size, std::int64_t hidden_size,
                   const LSTMOptions& options) {
  require_at_least(layer, "input_size", input_size, 1);
  require_at_least(layer, "hidden_size", hidden_size, 1);
  require_at_least(layer, "num_layers", options.num_layers, 1);
  require_within(layer, "dropout", options.dropout, 0, 1);
  if (options.dropout != 0 && options.num_layers == 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] dropout is {}; it acts between layers, and num_layers is 1",
                            layer, options.dropout));
  }
  if (options.proj_size >= 0 && options.proj_size < hidden_size) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] proj_size is {}; it must be 0, for none, or less than hidden_size, "
                          "which is {}",
                          layer, options.proj_size, hidden_size));
}

/// The ops check this themselves, but for float64, which none computes.
void require_type_of(const Tensor& weight, const std::string& layer, const Tensor& given) {
  const bool is_wide = given.dtype() == DType::float64;
  if (is_wide == (weight.dtype() == DType::float64)) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] got {} for parameters of {}; convert one of them with to()", layer,
                          name_of(given.dtype()), name_of(weight.dtype())));
}

void require_state(const std::string& layer, const char* what, const Tensor& state,
                   const Dims& shape) {
  if (!state.defined() || state.shape() == shape) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] the state {} is of shape {}; for this input it must be {}", layer,
                          what, describe(state.shape()), describe(shape)));
}

}  // namespace

RNNBase::RNNBase(const char* name, Int input_size, Int hidden_size, const LSTMOptions& options,
                 Int gates)
    : input_size(input_size),
      hidden_size(hidden_size),
      num_layers(options.num_layers),
      proj_size(options.proj_size),
      bias(options.bias),
      batch_first(options.batch_first),
      bidirectional(options.bidirectional),
      dropout(options.dropout) {
  check_options(name, input_size, hidden_size, options);
  const double bound = 1 / std::sqrt(static_cast<double>(hidden_size));
  const std::int64_t width = gates * hidden_size;
  for (std::int64_t i = 0; i < num_layers * directions(); ++i) {
    const std::int64_t layer = i / directions();
    const std::string end = fmt::format("_l{}{}", layer, i % directions() == 1 ? "_reverse" : "");
    const auto parameter = [&](const char* kind, const Dims& shape, bool wanted = true) {
      const Tensor made = register_parameter(kind + end, new_parameter(shape, wanted));
      return made.defined() ? init::uniform_(made, -bound, bound) : made;
    };
    const std::int64_t inputs = layer == 0 ? this->input_size : directions() * state_size();
    // In the order in which they are evaluated, which is that of PyTorch's state dict.
    all_weights.push_back({parameter("weight_ih", {width, inputs}),
                           parameter("weight_hh", {width, state_size()}),
                           parameter("bias_ih", {width}, bias), parameter("bias_hh", {width}, bias),
                           parameter("weight_hr", {proj_size, hidden_size}, proj_size > 0)});
  }
}

/// The fields are open, and say how the weights are read.
bool RNNBase::has_fitting_weights() const {
  const auto count = static_cast<std::int64_t>(all_weights.size());
  if (count == 0 || count != num_layers * directions()) return false;
  std::int64_t layer = 0;
  return std::ranges::all_of(all_weights, [&](const Weights& weights) {
    const std::int64_t inputs = layer++ < directions() ? input_size : directions() * state_size();
    const Tensor& projection = weights.weight_hr;
    return weights.weight_ih.size(1) == inputs && weights.weight_hh.size(1) == state_size() &&
           weights.bias_ih.defined() == bias && projection.defined() == (proj_size > 0) &&
           (!projection.defined() || projection.size(1) == hidden_size);
  });
}

/// Throws unless the states go with the input, and the fields with the weights.
void RNNBase::check(const Tensor& input, const Tensor& h, const Tensor& c) const {
  const std::string name = class_name(*this);
  if (!has_fitting_weights()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] its sizes were changed, and do not fit its weights; make another "
                            "layer",
                            name));
  }
  require_rank(name, input, 2, 3);
  if (input.size(-1) != input_size) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[{}] an input {} does not end with input_size, which is {}", name,
                            describe(input.shape()), input_size));
  }
  for (const Tensor& given : {input, h, c}) {
    if (given.defined()) require_type_of(all_weights[0].weight_ih, name, given);
  }
  const bool is_batch = input.dim() == 3;
  if (input.size(is_batch && batch_first ? 1 : 0) == 0) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[{}] an input {} has no steps; at least 1 is needed", name,
                            describe(input.shape())));
  }
  Dims state{num_layers * directions(), state_size()};
  if (is_batch) state.insert(1, input.size(batch_first ? 0 : 1));
  require_state(name, "h", h, state);
  state[-1] = hidden_size;
  require_state(name, "c", c, state);
}

/// The state that each layer begins with, [directions, N, width], of x [steps, N, inputs].
std::vector<Tensor> RNNBase::started(const Tensor& x, const Tensor& given, Int width) const {
  const Dims shape{num_layers * directions(), x.size(1), width};
  const Tensor all = given.defined() ? reshape(given, shape) : x.detach().new_full(shape, 0);
  return split(all, directions());
}

std::vector<RecurrentWeights> RNNBase::weights_of(std::size_t layer) const {
  std::vector<RecurrentWeights> weights;
  const auto count = static_cast<std::size_t>(directions());
  for (std::size_t i = layer * count; i < (layer + 1) * count; ++i) {
    const Weights& of = all_weights[i];
    weights.push_back({of.weight_ih, of.weight_hh, of.bias_ih, of.bias_hh, of.weight_hr});
  }
  return weights;
}

RNNBase::Result RNNBase::run(RecurrentCell cell, const Tensor& input, const Tensor& h,
                             const Tensor& c) const {
  check(input, h, c);
  const bool is_batch = input.dim() == 3, has_c = cell == RecurrentCell::lstm;
  const bool turns = is_batch && batch_first;
  Tensor x = !is_batch ? unsqueeze(input, 1) : turns ? transpose(input, 0, 1) : input;
  const std::vector<Tensor> first_h = started(x, h, state_size());
  const std::vector<Tensor> first_c =
      has_c ? started(x, c, hidden_size) : std::vector<Tensor>(first_h.size());
  std::vector<Tensor> last_h, last_c;
  for (std::size_t layer = 0; layer < first_h.size(); ++layer) {
    if (layer > 0) x = switchyard::dropout(x, dropout, is_training());
    const RecurrentResult made =
        recurrent_layer(cell, x, weights_of(layer), {first_h[layer], first_c[layer]});
    x = made.output;
    last_h.push_back(made.last.h);
    if (has_c) last_c.push_back(made.last.c);
  }
  const auto finished = [&](const std::vector<Tensor>& states) {
    return is_batch ? cat(states) : squeeze(cat(states), 1);
  };
  const Tensor output = !is_batch ? squeeze(x, 1) : turns ? transpose(x, 0, 1) : x;
  return {output, finished(last_h), has_c ? finished(last_c) : Tensor()};
}

RNN::RNN(Int input_size, Int hidden_size, const RNNOptions& options)
    : RNNBase("RNN", input_size, hidden_size, shared(options), 1),
      nonlinearity(options.nonlinearity) {}

RNNOutput RNN::operator()(const Tensor& input, const Tensor& h_0) {
  const Result made = run(cell_of(nonlinearity), input, h_0, {});
  return {made.output, made.h};
}

GRU::GRU(Int input_size, Int hidden_size, const GRUOptions& options)
    : RNNBase("GRU", input_size, hidden_size, shared(options), 3) {}

RNNOutput GRU::operator()(const Tensor& input, const Tensor& h_0) {
  const Result made = run(RecurrentCell::gru, input, h_0, {});
  return {made.output, made.h};
}

LSTM::LSTM(Int input_size, Int hidden_size, const LSTMOptions& options)
    : RNNBase("LSTM", input_size, hidden_size, options, 4) {}

LSTMOutput LSTM::operator()(const Tensor& input, const LSTMState& state) {
  if (state.h.defined() != state.c.defined()) {
    throw Error(ErrorKind::invalid_argument,
                "[LSTM] got one state of two; give both h and c, or neither");
  }
  const Result made = run(RecurrentCell::lstm, input, state.h, state.c);
  return {made.output, {made.h, made.c}};
}

/// What goes without saying is left out.
std::string RNNBase::extra_repr() const {
  std::string text = fmt::format("{}, {}", input_size, hidden_size);
  if (proj_size != 0) text += fmt::format(", proj_size={}", proj_size);
  if (num_layers != 1) text += fmt::format(", num_layers={}", num_layers);
  if (!bias) text += ", bias=False";
  if (batch_first) text += ", batch_first=True";
  if (dropout != 0) text += ", dropout=" + python_text(dropout);
  if (bidirectional) text += ", bidirectional=True";
  return text;
}

}  // namespace switchyard::nn
