#include <switchyard/nn/recurrent_cell.hpp>

#include <fmt/format.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/require.hpp"
#include "functions/neural/recurrent.hpp"
#include "nn/class_name.hpp"
#include "nn/new_parameter.hpp"
#include "types/describe.hpp"

namespace switchyard::nn {
namespace {

/// What a cell is given, or zeros.
Tensor given_or_zeros(const std::string& cell, const char* what, const Tensor& state,
                      const Dims& shape, const Tensor& input) {
  if (!state.defined()) return input.detach().new_full(shape, 0);
  if (state.shape() == shape) return state;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] the state {} is of shape {}; for an input {} it must be {}", cell,
                          what, describe(state.shape()), describe(input.shape()), describe(shape)));
}

}  // namespace

RNNCellBase::RNNCellBase(const char* name, Int input_size, Int hidden_size, bool bias, Int gates)
    : input_size(require_at_least(name, "input_size", input_size, 1)),
      hidden_size(require_at_least(name, "hidden_size", hidden_size, 1)) {
  const double bound = 1 / std::sqrt(static_cast<double>(hidden_size));
  const auto parameter = [&](const char* kind, const Dims& shape, bool wanted) {
    const Tensor made = register_parameter(kind, new_parameter(shape, wanted));
    return made.defined() ? init::uniform_(made, -bound, bound) : made;
  };
  weight_ih = parameter("weight_ih", {gates * hidden_size, input_size}, true);
  weight_hh = parameter("weight_hh", {gates * hidden_size, hidden_size}, true);
  bias_ih = parameter("bias_ih", {gates * hidden_size}, bias);
  bias_hh = parameter("bias_hh", {gates * hidden_size}, bias);
}

/// The fields are open, and say which shapes the states have.
void RNNCellBase::check_sizes(const std::string& name, Int gates) const {
  const Dims input{gates * hidden_size, input_size}, state{gates * hidden_size, hidden_size};
  if (weight_ih.shape() == input && weight_hh.shape() == state) return;
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("[{}] input_size is {} and hidden_size {}, which do not fit its weights {} "
                  "and {}; make another cell",
                  name, input_size, hidden_size, describe(weight_ih.shape()),
                  describe(weight_hh.shape())));
}

LSTMState RNNCellBase::step(RecurrentCell cell, const Tensor& input, const LSTMState& state) const {
  const std::string name = class_name(*this);
  check_sizes(name, gate_count(cell));
  require_rank(name, input, 1, 2);
  if (input.size(-1) != input_size) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[{}] an input {} does not end with input_size, which is {}", name,
                            describe(input.shape()), input_size));
  }
  Dims shape = input.shape();
  shape[-1] = hidden_size;
  const Tensor h = given_or_zeros(name, "h", state.h, shape, input);
  const bool has_c = cell == RecurrentCell::lstm;
  const Tensor c = has_c ? given_or_zeros(name, "c", state.c, shape, input) : Tensor();
  const RecurrentState next = recurrent_step(cell, linear(input, weight_ih, bias_ih),
                                             linear(h, weight_hh, bias_hh), {h, c});
  return {next.h, next.c};
}

RNNCell::RNNCell(Int input_size, Int hidden_size, const RNNCellOptions& options)
    : RNNCellBase("RNNCell", input_size, hidden_size, options.bias, 1),
      nonlinearity(options.nonlinearity) {}

Tensor RNNCell::operator()(const Tensor& input, const Tensor& h) {
  const bool is_relu = nonlinearity == RNNNonlinearity::relu;
  return step(is_relu ? RecurrentCell::rnn_relu : RecurrentCell::rnn_tanh, input, {h, {}}).h;
}

GRUCell::GRUCell(Int input_size, Int hidden_size, const GRUCellOptions& options)
    : RNNCellBase("GRUCell", input_size, hidden_size, options.bias, 3) {}

Tensor GRUCell::operator()(const Tensor& input, const Tensor& h) {
  return step(RecurrentCell::gru, input, {h, {}}).h;
}

LSTMCell::LSTMCell(Int input_size, Int hidden_size, const LSTMCellOptions& options)
    : RNNCellBase("LSTMCell", input_size, hidden_size, options.bias, 4) {}

LSTMState LSTMCell::operator()(const Tensor& input, const LSTMState& state) {
  if (state.h.defined() != state.c.defined()) {
    throw Error(ErrorKind::invalid_argument,
                "[LSTMCell] got one state of two; give both h and c, or neither");
  }
  return step(RecurrentCell::lstm, input, state);
}

std::string RNNCellBase::extra_repr() const {
  return fmt::format("{}, {}{}", input_size, hidden_size, bias_ih.defined() ? "" : ", bias=False");
}

std::string RNNCell::extra_repr() const {
  return RNNCellBase::extra_repr() +
         (nonlinearity == RNNNonlinearity::relu ? ", nonlinearity=relu" : "");
}

}  // namespace switchyard::nn
