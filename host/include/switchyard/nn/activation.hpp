#pragma once

#include <cstdint>
#include <string>

#include <switchyard/functions/neural.hpp>
#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

// The functions of these names, element by element.

class SWITCHYARD_API ReLU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API ReLU6 : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API SELU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API SiLU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API Mish : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API Softplus : public Module {
 public:
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;
};
class SWITCHYARD_API Softsign : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API Sigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API LogSigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API Hardsigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API Hardswish : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API Tanh : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};
class SWITCHYARD_API LeakyReLU : public Module {
 public:
  explicit LeakyReLU(double negative_slope = 0.01) : negative_slope(negative_slope) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double negative_slope;
};
class SWITCHYARD_API ELU : public Module {
 public:
  explicit ELU(double alpha = 1) : alpha(alpha) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double alpha;
};
class SWITCHYARD_API Hardtanh : public Module {
 public:
  explicit Hardtanh(double low = -1, double high = 1) : low(low), high(high) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double low, high;
};
/// Exact, or approximated.
class SWITCHYARD_API GELU : public Module {
 public:
  explicit GELU(GeluApproximation approximation = GeluApproximation::none)
      : approximation(approximation) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  GeluApproximation approximation;
};
/// Halves of a dimension: the first one times the sigmoid of the other.
class SWITCHYARD_API GLU : public Module {
 public:
  explicit GLU(std::int64_t dim = -1) : dim(dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
};
/// A leaky ReLU whose slope is learned: one, or one a channel.
class SWITCHYARD_API PReLU : public Module {
 public:
  explicit PReLU(std::int64_t num_parameters = 1, double init = 0.25);
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight;
};

// Over one dimension, which sums to 1.
class SWITCHYARD_API Softmax : public Module {
 public:
  explicit Softmax(std::int64_t dim) : dim(dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
};
class SWITCHYARD_API LogSoftmax : public Module {
 public:
  explicit LogSoftmax(std::int64_t dim) : dim(dim) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  std::int64_t dim;
};

}  // namespace switchyard::nn
