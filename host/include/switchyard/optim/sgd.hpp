#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

struct SgdOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

/// Stochastic gradient descent:
///
///   grad = gradient + weight_decay parameter
///   velocity = momentum velocity + (1 - dampening) grad; in the first step grad
///   parameter -= lr velocity, or lr (grad + momentum velocity) with `nesterov`
class SWITCHYARD_API SGD : public Optimizer {
 public:
  using Group = ParameterGroup<SgdOptions>;
  explicit SGD(const std::vector<Tensor>& parameters, const SgdOptions& options = {});
  /// Throws Error(usage) for `nesterov` without momentum or with dampening.
  explicit SGD(const std::vector<Group>& groups);

  SgdOptions& options(std::size_t group = 0) { return options_[group]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  bool is_fused(const Tensor& parameter, std::size_t group) const;
  void update_composed(Slot& slot, const Tensor& gradient, std::size_t group);

  std::vector<SgdOptions> options_;
  const std::vector<SgdOptions> initial_;
};

}  // namespace switchyard::optim
