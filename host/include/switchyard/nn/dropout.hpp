#pragma once

#include <switchyard/nn/module.hpp>
#include <switchyard/number.hpp>

namespace switchyard::nn {

/// In training, zeroes elements with probability `p` and scales the others by 1 / (1 - p).
class SWITCHYARD_API Dropout : public Module {
 public:
  /// Throws Error(invalid_argument) for a `p` outside of [0, 1].
  explicit Dropout(Real p = 0.5);
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double p;

 protected:
  Dropout(const char* name, Real p);
};

/// The same of whole channels of [N, C, L] or [C, L].
class SWITCHYARD_API Dropout1d : public Dropout {
 public:
  /// Throws Error(invalid_argument) for a `p` outside of [0, 1].
  explicit Dropout1d(Real p = 0.5) : Dropout("Dropout1d", p) {}
  Tensor forward(const Tensor& x) override;
};
/// The same of whole channels of [N, C, H, W].
class SWITCHYARD_API Dropout2d : public Dropout {
 public:
  /// Throws Error(invalid_argument) for a `p` outside of [0, 1].
  explicit Dropout2d(Real p = 0.5) : Dropout("Dropout2d", p) {}
  Tensor forward(const Tensor& x) override;
};
/// The same of whole channels of [N, C, D, H, W] or [C, D, H, W].
class SWITCHYARD_API Dropout3d : public Dropout {
 public:
  /// Throws Error(invalid_argument) for a `p` outside of [0, 1].
  explicit Dropout3d(Real p = 0.5) : Dropout("Dropout3d", p) {}
  Tensor forward(const Tensor& x) override;
};

}  // namespace switchyard::nn
