#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of SGD. Numbers are not negative.
struct SGDOptions {
  double dampening = 0;     ///< the share of a gradient that the velocity leaves out
  double lr = 1e-3;         ///< how far a step goes
  double momentum = 0;      ///< how much of the velocity stays
  bool nesterov = false;    ///< look ahead by the velocity; needs a momentum, and no dampening
  double weight_decay = 0;  ///< how much of a parameter is added to its gradient
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
  /// Parameters and errors are those of Adam; Error(invalid_argument) for `nesterov` without
  /// momentum or with dampening, too.
  /// @{
  explicit SGD(const std::vector<Tensor>& parameters, const SGDOptions& options = {});
  explicit SGD(const std::vector<Group>& groups);
  /// @}

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
