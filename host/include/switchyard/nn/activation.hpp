/// @file
/// The activations of <switchyard/functions/neural.hpp> as modules: the functions say which dtypes
/// they take, and what gradients and errors they have. The result has the shape of the input.
#pragma once

#include <cstdint>
#include <string>

#include <switchyard/functions/neural.hpp>
#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// relu(): max(x, 0).
class SWITCHYARD_API ReLU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// relu6(): min(max(x, 0), 6).
class SWITCHYARD_API ReLU6 : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// selu(): an ELU whose outputs keep a mean of 0 and a variance of 1.
class SWITCHYARD_API SELU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// silu(): x sigmoid(x).
class SWITCHYARD_API SiLU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// mish(): x tanh(softplus(x)).
class SWITCHYARD_API Mish : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// softplus(): log(1 + exp(x)).
class SWITCHYARD_API Softplus : public Module {
 public:
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
/// softsign(): x / (1 + |x|).
class SWITCHYARD_API Softsign : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// sigmoid(): 1 / (1 + exp(-x)).
class SWITCHYARD_API Sigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// logsigmoid(): log(sigmoid(x)).
class SWITCHYARD_API LogSigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// hardsigmoid(): min(max(x + 3, 0), 6) / 6.
class SWITCHYARD_API Hardsigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// hardswish(): x hardsigmoid(x).
class SWITCHYARD_API Hardswish : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// tanh() of <switchyard/functions/pointwise.hpp>.
class SWITCHYARD_API Tanh : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
/// leaky_relu(): x where it is above 0, else negative_slope x.
class SWITCHYARD_API LeakyReLU : public Module {
 public:
  /// Any slope.
  explicit LeakyReLU(Real negative_slope = 0.01) : negative_slope(negative_slope) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double negative_slope;
};
/// elu(): x where it is above 0, else alpha (exp(x) - 1).
class SWITCHYARD_API ELU : public Module {
 public:
  /// Any factor.
  explicit ELU(Real alpha = 1) : alpha(alpha) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double alpha;
};
/// hardtanh(): min(max(x, low), high).
class SWITCHYARD_API Hardtanh : public Module {
 public:
  /// Bounds that are not in order give `high`.
  explicit Hardtanh(Real low = -1, Real high = 1) : low(low), high(high) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double low, high;
};
/// gelu(): exact, or approximated.
class SWITCHYARD_API GELU : public Module {
 public:
  /// Exact unless it says tanh.
  explicit GELU(GeluApproximation approximation = GeluApproximation::none)
      : approximation(approximation) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  GeluApproximation approximation;
};
/// glu(), halves of a dimension: the first one times the sigmoid of the other.
class SWITCHYARD_API GLU : public Module {
 public:
  /// The dimension is looked for in each input.
  explicit GLU(Dim dim = -1) : dim(dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
};
/// A leaky ReLU whose slope is learned: one, or one a channel.
class SWITCHYARD_API PReLU : public Module {
 public:
  /// One slope, or one for each index of dimension 1, all `init` at first.
  explicit PReLU(Int num_parameters = 1, Real init = 0.25);
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  /// [num_parameters], learned
  Tensor weight;
};

/// softmax() over one dimension, which sums to 1.
class SWITCHYARD_API Softmax : public Module {
 public:
  /// The dimension is looked for in each input.
  explicit Softmax(Dim dim) : dim(dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
};
/// log_softmax() over one dimension, the exponentials of which sum to 1.
class SWITCHYARD_API LogSoftmax : public Module {
 public:
  /// The dimension is looked for in each input.
  explicit LogSoftmax(Dim dim) : dim(dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
};

}  // namespace switchyard::nn
