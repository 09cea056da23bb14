#pragma once

#include <cstdint>

#include <switchyard/nn/module.hpp>

namespace switchyard::nn {

struct LinearOptions {
  bool bias = true;
};

/// x weight^T + bias: [..., in] to [..., out]. Weights start uniform within 1 / sqrt(in).
class SWITCHYARD_API Linear : public Module {
 public:
  using Options = LinearOptions;
  Linear(std::int64_t in_features, std::int64_t out_features, const LinearOptions& options = {});
  /// With parameters that another module may have too: weight [out, in], bias [out] or no tensor.
  explicit Linear(const Tensor& weight, const Tensor& bias = {});

  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight, bias;
};

/// a_i W_k b_i + bias_k of two tensors: weight [out, in1, in2].
class SWITCHYARD_API Bilinear : public Module {
 public:
  using Options = LinearOptions;
  Bilinear(std::int64_t in1_features, std::int64_t in2_features, std::int64_t out_features,
           const LinearOptions& options = {});

  Tensor operator()(const Tensor& a, const Tensor& b);
  std::string extra_repr() const override;

  Tensor weight, bias;
};

}  // namespace switchyard::nn
