#pragma once

#include <utility>

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// Of RAdam. Numbers are not negative, betas less than 1.
struct RAdamOptions {
  std::pair<double, double> betas = {0.9, 0.999};  ///< how slowly both means change
  bool decoupled_weight_decay = false;             ///< parameters shrink by themselves, as in AdamW
  double eps = 1e-8;                               ///< added to the divisor
  double lr = 1e-3;                                ///< how far a step goes
  double weight_decay = 0;  ///< how much of a parameter is added to its gradient
};

/// Liu and others, 2019: Adam whose steps are rectified, and are those of plain momentum while the
/// average of squares is of too few. In step t, from 1, with rho_inf = 2 / (1 - beta2) - 1 and
/// rho = rho_inf - 2 t beta2^t / (1 - beta2^t):
///
///   grad = gradient + weight_decay parameter; with decoupled_weight_decay parameter shrinks by
///   lr weight_decay instead
///   exp_avg = beta1 exp_avg + (1 - beta1) grad
///   exp_avg_sq = beta2 exp_avg_sq + (1 - beta2) grad^2
///   mean = exp_avg / (1 - beta1^t)
///   parameter -= lr mean if rho is 5 or less, else
///     lr mean sqrt(1 - beta2^t) / (sqrt(exp_avg_sq) + eps)
///       sqrt((rho - 4) (rho - 2) rho_inf / ((rho_inf - 4) (rho_inf - 2) rho))
class SWITCHYARD_API RAdam : public Optimizer {
 public:
  using Options = RAdamOptions;
  using Group = ParameterGroup<RAdamOptions>;
  /// Parameters and errors are those of Adam.
  /// @{
  explicit RAdam(const std::vector<Tensor>& parameters, const RAdamOptions& options = {});
  explicit RAdam(const std::vector<Group>& groups);
  /// @}

  /// Throws Error(invalid_argument) for a group that there is not.
  RAdamOptions& options(std::size_t group = 0) { return options_[checked(group)]; }

 protected:
  std::vector<std::string_view> state_names(std::size_t group) const override;
  void update(Slot& slot, const Tensor& gradient, std::size_t group) override;

 private:
  std::vector<RAdamOptions> options_;
};

}  // namespace switchyard::optim
