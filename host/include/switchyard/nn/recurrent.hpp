#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard {
enum class RecurrentCell : std::uint8_t;
struct RecurrentWeights;
}  // namespace switchyard

namespace switchyard::nn {

/// What makes the next state of an RNN.
enum class RNNNonlinearity { tanh, relu };

/// Of a GRU.
struct GRUOptions {
  bool batch_first = false;     ///< [N, L, in] in place of [L, N, in]
  bool bias = true;             ///< with bias_ih and bias_hh
  bool bidirectional = false;   ///< a second direction reads the sequence from its end
  double dropout = 0;           ///< of what a layer gives to the next one, in training
  std::int64_t num_layers = 1;  ///< each takes what the one before gives
};
/// Of an LSTM: those of a GRU, and a projection.
struct LSTMOptions {
  bool batch_first = false;     ///< [N, L, in] in place of [L, N, in]
  bool bias = true;             ///< with bias_ih and bias_hh
  bool bidirectional = false;   ///< a second direction reads the sequence from its end
  double dropout = 0;           ///< of what a layer gives to the next one, in training
  std::int64_t num_layers = 1;  ///< each takes what the one before gives
  std::int64_t proj_size = 0;   ///< the state h is a product of this width, less than hidden_size
};
/// Of an RNN: those of a GRU, and what makes its states.
struct RNNOptions {
  bool batch_first = false;    ///< [N, L, in] in place of [L, N, in]
  bool bias = true;            ///< with bias_ih and bias_hh
  bool bidirectional = false;  ///< a second direction reads the sequence from its end
  double dropout = 0;          ///< of what a layer gives to the next one, in training
  RNNNonlinearity nonlinearity = RNNNonlinearity::tanh;  ///< of the sum of products
  std::int64_t num_layers = 1;                           ///< each takes what the one before gives
};

/// What RNN, GRU and LSTM share. Input is [L, N, in], [N, L, in] with batch_first, or [L, in] of a
/// single sequence; states are [layers * directions, N, H], in which a single sequence has no N. H
/// is hidden_size (of the state h of an LSTM its proj_size, if there is one), L at least 1. Output
/// is [L, N, directions * H], of the last layer, each step's state beside that of the other
/// direction. A state that is left out is zeros. Gradient: to the input, the states and the
/// parameters.
///
/// Parameters of layer k are weight_ih_lk [gates, in], in being directions * H from the second
/// layer on, weight_hh_lk [gates, H], bias_ih_lk and bias_hh_lk [gates], and weight_hr_lk
/// [proj_size, hidden_size]; of the second direction "..._reverse". They start uniform within 1 /
/// sqrt(hidden_size). Gates lie one below the other as PyTorch orders them: reset, update, new of a
/// GRU; input, forget, cell, output of an LSTM.
///
/// Throw Error(invalid_argument) for sizes below 1, a dropout outside of [0, 1] or of a single
/// layer, and inputs and states of another dtype than the parameters unless an Autocast converts
/// them; Error(shape_mismatch) for those of other extents or ranks.
class SWITCHYARD_API RNNBase : public Module {
 public:
  std::string extra_repr() const override;

  /// Of one direction of one layer.
  struct Weights {
    /// Those of the names above; none where there is no bias, or no projection.
    Tensor weight_ih, weight_hh, bias_ih, bias_hh, weight_hr;
  };
  std::vector<Weights> all_weights;  ///< layer by layer, both directions of each
  /// As they were given, or as the options say. A call after they, or `bidirectional`, were changed
  /// so that the weights do not fit is Error(invalid_argument).
  std::int64_t input_size, hidden_size, num_layers, proj_size;
  /// As the options say.
  bool bias, batch_first, bidirectional;
  /// As the options say.
  double dropout;

 protected:
  RNNBase(const char* name, Int input_size, Int hidden_size, const LSTMOptions& options, Int gates);
  struct Result {
    Tensor output, h, c;
  };
  [[nodiscard]] Result run(RecurrentCell cell, const Tensor& input, const Tensor& h,
                           const Tensor& c) const;

 private:
  [[nodiscard]] bool has_fitting_weights() const;
  void check(const Tensor& input, const Tensor& h, const Tensor& c) const;
  [[nodiscard]] std::vector<RecurrentWeights> weights_of(std::size_t layer) const;
  [[nodiscard]] std::vector<Tensor> started(const Tensor& x, const Tensor& given, Int width) const;
  std::int64_t directions() const { return bidirectional ? 2 : 1; }
  std::int64_t state_size() const { return proj_size > 0 ? proj_size : hidden_size; }
};

/// What a call of an RNN or a GRU gives.
struct RNNOutput {
  Tensor output;  ///< of each step of the last layer
  Tensor h_n;     ///< after the last step: what a call for the next steps begins with
};

/// h' = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.
///
///   nn::RNN rnn(10, 20, {.num_layers = 2});
///   auto [output, h_n] = rnn(randn({5, 3, 10}));
class SWITCHYARD_API RNN : public RNNBase {
 public:
  using Options = RNNOptions;
  /// Starts at random, on the current device, as float32.
  RNN(Int input_size, Int hidden_size, const RNNOptions& options = {});

  /// All steps of all layers.
  RNNOutput operator()(const Tensor& input, const Tensor& h_0 = {});
  /// The output alone.
  Tensor forward(const Tensor& input) override { return (*this)(input).output; }

  /// As the options say.
  RNNNonlinearity nonlinearity;
};

/// r = sigmoid(W_ir x + b_ir + W_hr h + b_hr), z likewise, n = tanh(W_in x + b_in + r (W_hn h +
/// b_hn)), h' = (1 - z) n + z h.
class SWITCHYARD_API GRU : public RNNBase {
 public:
  using Options = GRUOptions;
  /// Starts at random, on the current device, as float32.
  GRU(Int input_size, Int hidden_size, const GRUOptions& options = {});

  /// All steps of all layers.
  RNNOutput operator()(const Tensor& input, const Tensor& h_0 = {});
  Tensor forward(const Tensor& input) override { return (*this)(input).output; }
};

/// The two states of an LSTM: both, or none for zeros.
struct LSTMState {
  Tensor h, c;  ///< [layers * directions, N, H] and [layers * directions, N, hidden_size]
};
/// What a call of an LSTM gives.
struct LSTMOutput {
  Tensor output;    ///< of each step of the last layer
  LSTMState state;  ///< after the last step: what a call for the next steps begins with
};

/// i, f, o = sigmoid(W x + b + W h + b) of each, g = tanh(...), c' = f c + i g, h' = o tanh(c').
///
///   nn::LSTM lstm(10, 20, {.bidirectional = true});
///   auto [output, state] = lstm(randn({5, 3, 10}));
///   auto more = lstm(randn({2, 3, 10}), state).output;
class SWITCHYARD_API LSTM : public RNNBase {
 public:
  using Options = LSTMOptions;
  /// Starts at random, on the current device, as float32.
  LSTM(Int input_size, Int hidden_size, const LSTMOptions& options = {});

  /// All steps of all layers. Throws Error(invalid_argument) for one state of two.
  LSTMOutput operator()(const Tensor& input, const LSTMState& state = {});
  Tensor forward(const Tensor& input) override { return (*this)(input).output; }
};

}  // namespace switchyard::nn
