#pragma once

#include <cstdint>
#include <string>

#include <switchyard/nn/recurrent.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Of an RNNCell.
struct RNNCellOptions {
  bool bias = true;                                      ///< with bias_ih and bias_hh
  RNNNonlinearity nonlinearity = RNNNonlinearity::tanh;  ///< of the sum of products
};
/// Of a GRUCell.
struct GRUCellOptions {
  bool bias = true;  ///< with bias_ih and bias_hh
};
/// Of an LSTMCell.
struct LSTMCellOptions {
  bool bias = true;  ///< with bias_ih and bias_hh
};

/// One step of a layer: input [N, in] or [in], states [N, H] or [H]; zeros, if they are left out.
/// Parameters are weight_ih, weight_hh, bias_ih and bias_hh, as those of layers. Gradient: to the
/// input, the states and the parameters. Throw Error(invalid_argument) for sizes below 1, sizes
/// that were changed afterwards, and another dtype than the parameters, Error(shape_mismatch) for
/// other extents and ranks.
class SWITCHYARD_API RNNCellBase : public Module {
 public:
  std::string extra_repr() const override;

  /// [gates, in], [gates, H] and [gates] twice; no bias where the options have none.
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  /// As they were given. The weights have their shapes of them: another number is an error.
  std::int64_t input_size, hidden_size;

 protected:
  RNNCellBase(const char* name, Int input_size, Int hidden_size, bool bias, Int gates);
  /// The next state, of one that may be left out; `c` is for an LSTM alone.
  [[nodiscard]] LSTMState step(RecurrentCell cell, const Tensor& input,
                               const LSTMState& state) const;

 private:
  void check_sizes(const std::string& name, Int gates) const;
};

/// h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.
class SWITCHYARD_API RNNCell : public RNNCellBase {
 public:
  using Options = RNNCellOptions;
  /// Starts at random, on the current device, as float32.
  RNNCell(Int input_size, Int hidden_size, const RNNCellOptions& options = {});

  /// The next state.
  Tensor operator()(const Tensor& input, const Tensor& h = {});
  Tensor forward(const Tensor& input) override { return (*this)(input); }
  std::string extra_repr() const override;

  /// As the options say.
  RNNNonlinearity nonlinearity;
};

/// One step of a GRU, by its formulas.
class SWITCHYARD_API GRUCell : public RNNCellBase {
 public:
  using Options = GRUCellOptions;
  /// Starts at random, on the current device, as float32.
  GRUCell(Int input_size, Int hidden_size, const GRUCellOptions& options = {});

  /// The next state.
  Tensor operator()(const Tensor& input, const Tensor& h = {});
  Tensor forward(const Tensor& input) override { return (*this)(input); }
};

/// One step of an LSTM, by its formulas.
class SWITCHYARD_API LSTMCell : public RNNCellBase {
 public:
  using Options = LSTMCellOptions;
  /// Starts at random, on the current device, as float32.
  LSTMCell(Int input_size, Int hidden_size, const LSTMCellOptions& options = {});

  /// The next states. Throws Error(invalid_argument) for one state of two.
  LSTMState operator()(const Tensor& input, const LSTMState& state = {});
  /// The state h alone.
  Tensor forward(const Tensor& input) override { return (*this)(input).h; }
};

}  // namespace switchyard::nn
