#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

struct SGDOptions {
  double dampening = 0;
  double lr = 1e-3;
  double momentum = 0;
  bool nesterov = false;
  double weight_decay = 0;
};

/// Stochastic gradient descent:
///
///   grad = gradient + weight_decay parameter
///   velocity = momentum velocity + (1 - dampening) grad; in the first step grad
///   parameter -= lr velocity, or lr (grad + momentum velocity) with `nesterov`
class SWITCHYARD_API SGD : public Optimizer {
 public:
  using Options = SGDOptions;
  using Group = ParameterGroup<SGDOptions>;
  explicit SGD(const std::vector<Tensor>& parameters, const SGDOptions& options = {});
  /// Throws Error(invalid_argument) for `nesterov` without momentum or with dampening.
  explicit SGD(const std::vector<Group>& groups);

  /// Throws Error(invalid_argument) for a group that there is not.
  SGDOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  [[nodiscard]] bool is_fused(const Tensor& parameter, std::size_t group) const;
  void update_composed(Slot& slot, const Tensor& gradient, std::size_t group);

  std::vector<SGDOptions> options_;
  const std::vector<SGDOptions> initial_;
};

}  // namespace switchyard::optim
