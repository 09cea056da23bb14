#pragma once

#include <cstdint>
#include <string>

#include <switchyard/nn/recurrent.hpp>

namespace switchyard::nn {

struct RNNCellOptions {
  bool bias = true;
  RNNNonlinearity nonlinearity = RNNNonlinearity::tanh;
};
struct GRUCellOptions {
  bool bias = true;
};
struct LSTMCellOptions {
  bool bias = true;
};

/// One step of a layer: input [N, in] or [in], states [N, H] or [H]; zeros, if they are left out.
/// Parameters are weight_ih, weight_hh, bias_ih and bias_hh, as those of layers.
class SWITCHYARD_API RNNCellBase : public Module {
 public:
  std::string extra_repr() const override;

  Tensor weight_ih, weight_hh, bias_ih, bias_hh;
  std::int64_t input_size, hidden_size;

 protected:
  RNNCellBase(const char* name, std::int64_t input_size, std::int64_t hidden_size, bool bias,
              std::int64_t gates);
  /// The next state, of one that may be left out; `c` is for an LSTM alone.
  [[nodiscard]] LSTMState step(RecurrentCell cell, const Tensor& input,
                               const LSTMState& state) const;
};

class SWITCHYARD_API RNNCell : public RNNCellBase {
 public:
  using Options = RNNCellOptions;
  RNNCell(std::int64_t input_size, std::int64_t hidden_size, const RNNCellOptions& options = {});

  Tensor operator()(const Tensor& input, const Tensor& h = {});
  Tensor forward(const Tensor& input) override { return (*this)(input); }
  std::string extra_repr() const override;

  RNNNonlinearity nonlinearity;
};

class SWITCHYARD_API GRUCell : public RNNCellBase {
 public:
  using Options = GRUCellOptions;
  GRUCell(std::int64_t input_size, std::int64_t hidden_size, const GRUCellOptions& options = {});

  Tensor operator()(const Tensor& input, const Tensor& h = {});
  Tensor forward(const Tensor& input) override { return (*this)(input); }
};

class SWITCHYARD_API LSTMCell : public RNNCellBase {
 public:
  using Options = LSTMCellOptions;
  LSTMCell(std::int64_t input_size, std::int64_t hidden_size, const LSTMCellOptions& options = {});

  LSTMState operator()(const Tensor& input, const LSTMState& state = {});
  /// The state h alone.
  Tensor forward(const Tensor& input) override { return (*this)(input).h; }
};

}  // namespace switchyard::nn
