#pragma once

#include <switchyard/nn/module.hpp>
#include <switchyard/real.hpp>

namespace switchyard::nn {

/// In training, zeroes elements with probability `p` and scales the others by 1 / (1 - p).
class SWITCHYARD_API Dropout : public Module {
 public:
  explicit Dropout(Real p = 0.5);
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  double p;
};

}  // namespace switchyard::nn
