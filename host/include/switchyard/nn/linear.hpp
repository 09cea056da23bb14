#pragma once

#include <cstdint>

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// Of Linear and Bilinear.
struct LinearOptions {
  bool bias = true;  ///< whether a bias is learned, too
};

/// x weight^T + bias: [..., in] to [..., out]. Weights start uniform within 1 / sqrt(in).
class SWITCHYARD_API Linear : public Module {
 public:
  using Options = LinearOptions;
  /// Starts at random, uniform within 1 / sqrt(in_features).
  Linear(std::int64_t in_features, std::int64_t out_features, const LinearOptions& options = {});
  template <typename In, typename Out>
  requires(NotInteger<In> || NotInteger<Out>) Linear(In, Out, const LinearOptions& = {})
  = delete;
  /// With parameters that another module may have too: weight [out, in], bias [out] or no tensor.
  explicit Linear(const Tensor& weight, const Tensor& bias = {});
  template <Number Weight>
  explicit Linear(Weight weight) = delete;

  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  /// Learned: [out, in] and [out]; no bias where the options have none.
  Tensor weight, bias;
};

/// a_i W_k b_i + bias_k of two tensors [..., in1] and [..., in2], to [..., out]: weight [out, in1,
/// in2].
class SWITCHYARD_API Bilinear : public Module {
 public:
  using Options = LinearOptions;
  /// Starts at random, uniform within 1 / sqrt(in1_features).
  Bilinear(Int in1_features, Int in2_features, Int out_features, const LinearOptions& options = {});

  /// Of tensors whose leading dimensions broadcast, of the dtype of the parameters. Gradient: to
  /// both, and the parameters. Throws Error(shape_mismatch) for other extents.
  Tensor operator()(const Tensor& a, const Tensor& b);
  std::string extra_repr() const override;

  /// Learned; no bias where the options have none.
  Tensor weight, bias;
};

}  // namespace switchyard::nn
